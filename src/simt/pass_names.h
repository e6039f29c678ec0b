// The passes of the compiler by name, in the order in which they run: what --dump=after:NAME and --off=NAME may name.
// Not every kernel goes through each: a way of running it (converged or split) has some of its own, and so have
// checkers and profiles.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace warpwise::simt {

struct PassName {
  std::string_view name;
  bool can_be_off;  // it only makes code faster: the kernel is right without it
};

inline constexpr PassName kPasses[] = {
    {"lower", false},
    {"inline_functions", false},
    {"promote_registers", false},
    {"canonical_nan", false},
    {"simplify_arithmetic", false},
    {"tidy_control_flow", false},
    {"unroll_barrier_loops", true},
    {"privatise_sums", true},
    {"version_full_blocks", true},
    {"defer_stores", false},
    {"insert_checks", false},
    {"vectorise", false},
    {"split_at_barriers", false},
    {"expand_events", false},
    {"expand_counts", false},
    {"bind_thread", false},
    {"expand_atomics", false},
    {"optimise", false},
    {"emit", false},
};

constexpr bool is_pass(std::string_view name) {
  for (const PassName& pass : kPasses)
    if (pass.name == name) return true;
  return false;
}
constexpr bool can_be_off(std::string_view name) {
  for (const PassName& pass : kPasses)
    if (pass.name == name) return pass.can_be_off;
  return false;
}

// A name that the list has, or the code that writes it does not compile.
struct Pass {
  std::string_view name;
  consteval Pass(const char* n) : name(n) {  // NOLINT(google-explicit-constructor): a name is a pass
    if (!is_pass(name)) throw "no such pass";
  }
};

// "lower, widen, ...", of all or of those that can be off.
inline std::string list_passes(bool only_those_that_can_be_off) {
  std::string list;
  for (const PassName& pass : kPasses)
    if (pass.can_be_off || !only_those_that_can_be_off)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", pass.name);
  return list;
}

// What a user asked for: "after:NAME" or "after:all" for --dump, NAME for --off. Errors (U0005) list the names there
// are.
inline Result<std::string_view> read_dump(std::string_view wish) {
  constexpr std::string_view kAfter = "after:";
  const std::string_view name = wish.starts_with(kAfter) ? wish.substr(kAfter.size()) : wish;
  if (name == "all" || is_pass(name)) return name;
  return Error{"U0005", fmt::format("option `dump`: `{}` is neither `all` nor a pass of the compiler: {}", name,
                                    list_passes(false))};
}

inline Result<void> check_off(std::string_view name) {
  if (can_be_off(name)) return {};
  return Error{"U0005",
               fmt::format("option `off`: `{}` is not a pass that can be left out: {}", name, list_passes(true))};
}

}  // namespace warpwise::simt
