// options.inc as a table, for the code that parses, declares or describes options: parse_options(), the command line
// (cli/support/engine_options.h), the page docs/engine_options.md.
//
//     for (const OptionRow& row : kOptionRows)
//       if (row.place == OptionPlace::Programs) declare("--" + flag_of(row), row.help);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpwise::exec {

enum class OptionKind : uint8_t { Text, Flag, Count, Range, Seconds, Schedule, Choice, Passes, Dumps, Checkers, Lines };
enum class OptionPlace : uint8_t { Programs, Run, Command, Variable };

// One of several values, in the order of the enumeration that they stand for.
struct OptionChoice {
  std::string_view name;  // in JSON
  std::string_view word;  // on the command line
};
inline constexpr OptionChoice kEngineChoices[] = {{"jit", "jit"}, {"interpreter", "interpreter"}};
inline constexpr OptionChoice kModeChoices[] = {
    {"automatic", "auto"}, {"simt", "simt"}, {"warps", "warps"}, {"independent", "independent"}};
inline constexpr OptionChoice kTierChoices[] = {
    {"automatic", "auto"}, {"compiled", "compiled"}, {"takeover", "takeover"}};
inline constexpr OptionChoice kOnlyTierChoices[] = {{"any", "any"}, {"quick", "quick"}, {"balanced", "balanced"}};

// What JSON may give.
struct OptionValues {
  OptionKind kind;
  int least = 0, most = 0;                  // of a Range
  std::span<const OptionChoice> choices{};  // of a Choice
};

struct OptionRow {
  std::string_view key;
  OptionValues values;
  OptionPlace place;
  std::string_view placeholder, help;
};

namespace option_values {
constexpr OptionValues text() { return {OptionKind::Text}; }
constexpr OptionValues flag() { return {OptionKind::Flag}; }
constexpr OptionValues count() { return {OptionKind::Count}; }
constexpr OptionValues between(int least, int most) { return {OptionKind::Range, least, most}; }
constexpr OptionValues seconds() { return {OptionKind::Seconds}; }
constexpr OptionValues schedule() { return {OptionKind::Schedule}; }
constexpr OptionValues one_of(std::span<const OptionChoice> choices) { return {OptionKind::Choice, 0, 0, choices}; }
constexpr OptionValues passes() { return {OptionKind::Passes}; }
constexpr OptionValues dumps() { return {OptionKind::Dumps}; }
constexpr OptionValues checkers() { return {OptionKind::Checkers}; }
constexpr OptionValues lines() { return {OptionKind::Lines}; }

inline constexpr OptionRow kRows[] = {
#define OPTION(key, field, type, initial, values, place, placeholder, help) \
  {#key, values, OptionPlace::place, placeholder, help},
#include "exec/options.inc"
#undef OPTION
};
}  // namespace option_values
inline constexpr std::span<const OptionRow> kOptionRows = option_values::kRows;

// What follows "expected" in an error: "a whole number", "one of `jit`, `interpreter`".
std::string expected_by(const OptionValues& values);
// The option of the command line, without dashes in front: "approximate-mma".
std::string flag_of(const OptionRow& row);

}  // namespace warpwise::exec
