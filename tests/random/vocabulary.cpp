#include "vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "program.h"
#include "ptx/forms.h"
#include "ptx/parser.h"

namespace warpwise::random_programs {

namespace {

bool computes(ptx::Unit unit) {
  return unit == ptx::Unit::Alu || unit == ptx::Unit::Fp32 || unit == ptx::Unit::Fp64 || unit == ptx::Unit::Half || unit == ptx::Unit::Sfu;
}

// Arithmetic by the table's units, but not a function of registers alone; or about addresses.
constexpr std::string_view kOthers[] = {"vote", "match", "redux", "elect", "activemask", "nanosleep", "pmevent", "alloca", "stacksave",
                                        "stackrestore", "isspacep", "cvta", "createpolicy"};
// What shows a NaN's sign or payload, which engines choose as they like; fns, which is undefined for bases past
// 31; and what is refused.
constexpr std::string_view kAvoided[] = {"fns", "copysign", ".xorsign", "neg.ftz", "abs.ftz", ".oob", "[", "%q"};

bool is_accepted(const std::string& form) {
  Diagnostics diagnostics;
  auto source = std::make_shared<SourceText>("form", ptx::module_around("  " + form + "\n", 85, "sm_90a"));
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

// d|p needs two registers, and they are of different classes: nothing to check. p|q of setp must differ.
bool has_same_pair(const std::string& text) {
  size_t bar = text.find('|');
  if (bar == std::string::npos) return false;
  size_t start = text.rfind('%', bar), end = text.find(',', bar);
  return text.substr(start, bar - start) == text.substr(bar + 1, end - bar - 1);
}

}  // namespace

Vocabulary::Vocabulary() {
  for (unsigned k = 0; k < ptx::all_specs().size(); ++k) {
    const ptx::Spec& spec = ptx::all_specs()[k];
    if (spec.state != ptx::State::Executed || !computes(spec.unit) || std::ranges::count(kOthers, spec.opcode)) continue;
    Row row;
    row.opcode = spec.opcode;
    row.carries = spec.slot("cc") >= 0 || spec.opcode == "addc" || spec.opcode == "subc" || spec.opcode == "madc";
    for (const ptx::Form& form : ptx::forms_of(static_cast<ptx::Op>(k))) {
      bool avoided = std::ranges::any_of(kAvoided, [&](std::string_view word) { return form.text.find(word) != std::string::npos; });
      if (!avoided && is_accepted(form.text)) row.forms.push_back(form.text);
    }
    if (!row.forms.empty()) rows_.push_back(std::move(row));
  }
}

void Vocabulary::restrict_to(std::string_view opcode) {
  std::erase_if(rows_, [&](const Row& row) { return row.opcode != opcode; });
}

std::string Vocabulary::instruction(Choose& choose, bool carries) const {
  for (;;) {
    const Row& row = choose.of(rows_);
    if (row.carries && !carries) continue;
    std::string text = with_registers(choose, choose.of(row.forms));
    if (!has_same_pair(text)) return text;
  }
}

}  // namespace warpwise::random_programs
