#include "vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "exact.h"
#include "program.h"
#include "ptx/parse/parser.h"
#include "ptx/shapes/forms.h"

namespace warpwise::random_programs {

namespace {

bool computes(ptx::Unit unit) {
  return unit == ptx::Unit::Alu || unit == ptx::Unit::Fp32 || unit == ptx::Unit::Fp64 || unit == ptx::Unit::Half ||
         unit == ptx::Unit::Sfu;
}

// Arithmetic by the table's units, but not a function of registers alone; or about addresses.
constexpr std::string_view kOthers[] = {"vote",      "match",   "redux",       "elect",     "activemask",
                                        "nanosleep", "pmevent", "alloca",      "stacksave", "stackrestore",
                                        "isspacep",  "cvta",    "createpolicy"};
// What only some operands are right for, and statements.h has statements of its own for.
constexpr std::string_view kAvoided[] = {"fns", "getctarank", "mapa", "[", "%q"};

bool is_accepted(const std::string& form, bool newest = false) {
  Diagnostics diagnostics;
  auto source = std::make_shared<SourceText>(
      "form", ptx::module_around("  " + form + "\n", newest ? 88 : 85, newest ? "sm_100a" : "sm_90a"));
  return ptx::load(source, diagnostics).has_value();
}

// Replaces the register numbers of a form, and lop3's table.
std::string with_registers(Choose& choose, const std::string& form) {
  std::string text;
  for (size_t at = 0; at < form.size(); ++at) {
    text += form[at];
    if (form[at] != '%') continue;
    while (std::isalpha(static_cast<unsigned char>(form[at + 1]))) text += form[++at];
    if (!std::isdigit(static_cast<unsigned char>(form[at + 1]))) continue;
    while (std::isdigit(static_cast<unsigned char>(form[at + 1]))) ++at;
    text += std::to_string(choose.below(kRegisters));
  }
  if (text.starts_with("lop3")) {
    size_t table = text.find(", 3");
    text.replace(table, 3, fmt::format(", {:#x}", choose.below(256)));
  }
  return text;
}

// A number in place of the last operand, where that is a register that the instruction reads.
std::string with_number(Choose& choose, const std::string& text) {
  constexpr const char* kIntegers[] = {"0",  "1",  "2",  "3",   "7",   "8",   "10", "15", "16",   "31",    "32",
                                       "33", "63", "64", "100", "127", "255", "-1", "-2", "-128", "0x7fff"};
  constexpr const char* kSingles[] = {"0f00000000", "0f80000000", "0f3F800000", "0fBF000000",
                                      "0f7F800000", "0f00000001", "0f4B000000"};
  constexpr const char* kDoubles[] = {"0d0000000000000000", "0d3FF0000000000000", "0dBFE0000000000000",
                                      "0d7FF0000000000000", "0d0000000000000001"};
  size_t comma = text.rfind(", %"), end = text.find(';');
  // Where ptxas needs a register, or a number in a range.
  if (comma == std::string::npos || text[0] == 'v' || text.starts_with("bfi") ||
      text.find("16x2") != std::string::npos || text.find("f16") != std::string::npos)
    return text;
  std::string_view last(text.data() + comma + 3, end - comma - 3);
  last = last.substr(0, last.find_first_of("0123456789"));
  auto with = [&](const char* number) { return text.substr(0, comma + 2) + number + ";"; };
  if (last == "r" || last == "rd" || last == "rs") return with(kIntegers[choose.below(std::size(kIntegers))]);
  if (last == "f") return with(kSingles[choose.below(std::size(kSingles))]);
  if (last == "fd") return with(kDoubles[choose.below(std::size(kDoubles))]);
  return text;
}

// d|p needs two registers, and they are of different classes: nothing to check. p|q of setp must differ.
bool has_same_pair(const std::string& text) {
  size_t bar = text.find('|');
  if (bar == std::string::npos) return false;
  size_t start = text.rfind('%', bar), end = text.find(',', bar);
  return text.substr(start, bar - start) == text.substr(bar + 1, end - bar - 1);
}

}  // namespace

Vocabulary::Vocabulary(bool exact) : exact_(exact) {
  for (unsigned k = 0; k < ptx::all_specs().size(); ++k) {
    const ptx::Spec& spec = ptx::all_specs()[k];
    if (spec.state != ptx::State::Executed || !computes(spec.unit) || std::ranges::count(kOthers, spec.opcode))
      continue;
    Row row, newest;
    row.opcode = newest.opcode = spec.opcode;
    for (const ptx::Form& form : ptx::forms_of(static_cast<ptx::Op>(k))) {
      bool avoided = std::ranges::any_of(
          kAvoided, [&](std::string_view word) { return form.text.find(word) != std::string::npos; });
      if (avoided || (exact && is_open_to_gpus(form.text))) continue;
      if (spec.sm <= 90 && is_accepted(form.text)) row.forms.push_back(form.text);
      if (spec.sm > 90 && is_accepted(form.text, true)) newest.forms.push_back(form.text);
    }
    if (!row.forms.empty()) rows_.push_back(std::move(row));
    if (!newest.forms.empty()) newest_.push_back(std::move(newest));
  }
}

void Vocabulary::restrict_to(std::string_view opcode) {
  for (auto* rows : {&rows_, &newest_}) std::erase_if(*rows, [&](const Row& row) { return row.opcode != opcode; });
}

std::string Vocabulary::instruction(Choose& choose, bool newest) const {
  for (;;) {
    if (newest && !newest_.empty() && choose.one_in(4))
      return with_registers(choose, choose.of(choose.of(newest_).forms));
    const Row& row = choose.of(rows_);
    std::string text = with_registers(choose, choose.of(row.forms));
    if (has_same_pair(text)) continue;
    if (choose.one_in(5)) {
      std::string other = with_number(choose, text);
      if (other != text && is_accepted(other)) return other;
    }
    return text;
  }
}

}  // namespace warpwise::random_programs
