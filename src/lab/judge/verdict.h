// What the judge says of a submission, in one word.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpwise::lab {

enum class Verdict : uint8_t {
#define VERDICT(enumerator, name, words, next) enumerator,
#include "lab/judge/verdicts.inc"
#undef VERDICT
};

std::string_view name_of(Verdict verdict);       // "out-of-bounds", in files
std::string_view words_of(Verdict verdict);      // "out of bounds", to people
std::string_view next_step_of(Verdict verdict);  // what to look at next; "": it depends on the case
// Of a finding, by its code and the role of its first thread (next_steps.inc); "": the verdict's serves.
std::string_view next_step_for(std::string_view code, std::string_view role = "");
std::optional<Verdict> find_verdict(std::string_view name);
std::vector<Verdict> all_verdicts();

}  // namespace warpwise::lab
