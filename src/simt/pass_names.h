// The passes of the compiler by name, made of passes.inc: what --dump=after:NAME and --off=NAME may name.
//
//     constexpr Pass pass("vectorise");      a name that is not in the list does not compile
//
// This header knows nothing of LLVM: the command line and the engine read the list, too.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/suggest.h"

namespace warpwise::simt {

// The stages of compile.cpp, in the order in which they run.
enum class PassStage : uint8_t {
  Lower,
  Scalar,
  Instrument,
  Block,   // SIMT mode
  Warp,    // independent-warp mode
  Thread,  // independent-thread mode
  Codegen,
};

enum class PassUse : uint8_t {
  Required,  // the kernel would be wrong without it
  Faster,    // it makes code faster
  Longer,    // ... by making more of it, which takes longer to compile
};

struct PassName {
  std::string_view name;
  PassStage stage;
  PassUse use;
  std::string_view help;
  constexpr bool can_be_off() const { return use != PassUse::Required; }
};

inline constexpr auto kPasses = std::to_array<PassName>({
#define PASS(name, stage, use, help) {#name, PassStage::stage, PassUse::use, help},
#include "simt/passes.inc"
#undef PASS
});

// The place of a name in the list; the list's size where there is no such pass. (A null pointer would do, but GCC's
// undefined-behaviour sanitizer does not take comparisons with one for constant expressions.)
constexpr size_t place_of_pass(std::string_view name) {
  size_t place = 0;
  while (place < kPasses.size() && kPasses[place].name != name) ++place;
  return place;
}
constexpr bool is_pass(std::string_view name) { return place_of_pass(name) < kPasses.size(); }

// A row of the list, by a name that is checked when the code is compiled.
struct Pass {
  size_t place;
  consteval Pass(const char* name)
      : place(place_of_pass(name)) {  // NOLINT(google-explicit-constructor): a name is a pass
    if (place == kPasses.size()) throw "no such pass";
  }
  constexpr const PassName& row() const { return kPasses[place]; }
  constexpr std::string_view name() const { return row().name; }
};

// "lower, vectorise, ...", of all or of those that can be off.
inline std::string list_passes(bool only_those_that_can_be_off) {
  std::string list;
  for (const PassName& pass : kPasses)
    if (pass.can_be_off() || !only_those_that_can_be_off)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", pass.name);
  return list;
}

// "; did you mean `lower`?", or all that there are.
inline std::string meant_pass(std::string_view name, bool only_those_that_can_be_off) {
  std::vector<std::string_view> names;
  for (const PassName& pass : kPasses)
    if (pass.can_be_off() || !only_those_that_can_be_off) names.push_back(pass.name);
  const std::string meant = did_you_mean(name, names);
  return meant.empty() ? fmt::format("; there are {}", list_passes(only_those_that_can_be_off)) : meant;
}

// The name in what a user gave to --dump: "after:NAME", "after:all", or without "after:". Error U0005 lists the passes.
inline Result<std::string_view> read_dump(std::string_view wish) {
  constexpr std::string_view kAfter = "after:";
  const std::string_view name = wish.starts_with(kAfter) ? wish.substr(kAfter.size()) : wish;
  if (name == "all" || is_pass(name)) return name;
  return Error{"U0005", fmt::format("option `dump`: `{}` is neither `all` nor a pass of the compiler{}", name,
                                    meant_pass(name, false))};
}

// Whether --off may have this name. Error U0005: there is no such pass, or the kernel would be wrong without it.
inline Result<void> check_off(std::string_view name) {
  const PassName* pass = is_pass(name) ? &kPasses[place_of_pass(name)] : nullptr;
  if (pass && pass->can_be_off()) return {};
  if (!pass)
    return Error{"U0005", fmt::format("option `off`: the compiler has no pass `{}`{}", name, meant_pass(name, true))};
  return Error{"U0005", fmt::format("option `off`: the pass `{}` must run: it {}; these can be left out: {}", name,
                                    pass->help, list_passes(true))};
}

}  // namespace warpwise::simt
