#include "perf/counters/sass_forms.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "perf/counters/operands.h"
#include "perf/counters/predication.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {

namespace {

using ptx::Instruction;
using ptx::Operand;

struct FormRow {
  std::string_view row;
  unsigned bits;
  char sign;
  SassForm form;
};
constexpr FormRow kForms[] = {
#define FORM(row, bits, sign, fma, alu, xu, fp64, branches, clocks) \
  {#row, bits, sign, {fma, alu, xu, fp64, branches, clocks}},
#define SLOW(row, fma, alu, xu, fp64, branches, clocks)
#include "perf/counters/sass_forms.inc"
#undef FORM
#undef SLOW
};

struct SlowWay {
  std::string_view row;
  SassForm form;
};
constexpr SlowWay kSlowWays[] = {
#define FORM(row, bits, sign, fma, alu, xu, fp64, branches, clocks)
#define SLOW(row, fma, alu, xu, fp64, branches, clocks) {#row, {fma, alu, xu, fp64, branches, clocks}},
#include "perf/counters/sass_forms.inc"
#undef FORM
#undef SLOW
};

// Of the special function unit, which knows no subnormal numbers: without .ftz a comparison and two products scale
// them.
constexpr SassForm kScaled{2, 1, 1, 0, 0, 30};

const SassForm* form_of(const Instruction& i) {
  const std::string_view row = i.spec().name;
  const ptx::Type type = i.type(0);
  for (const FormRow& f : kForms)
    if (f.row == row && (f.bits == 0 || f.bits == ptx::bits_of(type)) &&
        (f.sign == '*' || (f.sign == 's') == ptx::is_signed(type)))
      return &f.form;
  constexpr std::string_view kScaledRows[] = {"ex2_approx_f32", "lg2_approx_f32", "rsqrt_approx_f32", "sqrt_approx_f32",
                                              "rcp_approx_f32"};
  if (!i.has(ptx::Mod::Ftz) && std::find(std::begin(kScaledRows), std::end(kScaledRows), row) != std::end(kScaledRows))
    return &kScaled;
  return nullptr;
}

// A guard has the words of the cell that the slow way would be counted in.
const SassForm* slow_way_of(const Instruction& i) {
  if (i.guard.present) return nullptr;
  const auto* found = std::find_if(std::begin(kSlowWays), std::end(kSlowWays),
                                   [&](const SlowWay& s) { return s.row == i.spec().name; });
  return found == std::end(kSlowWays) ? nullptr : &found->form;
}

// What a kernel does to have a parameter: on 9.0 two reads of constant memory (LDC, ULDC), in the median of 222 kernels
// of HeCBench, whose first instructions (the stack's pointer, the descriptor of global memory) are among them.
constexpr SassForm kParameterRead{0, 0, 0, 0, 0, 0, 2};

// Integers of 64 bits are two registers. How many of them the instruction has to make; nothing: it is not of that kind.
std::optional<unsigned> words_made(const Instruction& i) {
  static constexpr std::string_view kRows[] = {"add_int", "sub_int",   "abs_int",       "neg_int",    "and_b",
                                               "or_b",    "xor_b",     "not_b",         "shl",        "shr",
                                               "selp",    "setp_bits", "setp_unsigned", "setp_signed"};
  const std::string_view row = i.spec().name;
  if (ptx::bits_of(i.type()) != 64 || std::find(std::begin(kRows), std::end(kRows), row) == std::end(kRows))
    return std::nullopt;
  // A shift by a whole word moves nothing; by more, one word is 0. So is a mask whose word is all zeros or ones.
  constexpr uint64_t kWord = 32;
  const auto is_trivial = [](uint32_t word) { return word == 0 || word == ~uint32_t{0}; };
  const bool shifts = row == "shl" || row == "shr", logic = row == "and_b" || row == "or_b" || row == "xor_b";
  unsigned words = 2;
  for (const Operand& operand : i.operands) {
    if (!operand.is(Operand::Kind::Immediate)) continue;
    if (shifts && operand.bits >= kWord) words = operand.bits == kWord && !ptx::is_signed(i.type()) ? 0 : 1;
    if (logic) words -= is_trivial(uint32_t(operand.bits)) + is_trivial(uint32_t(operand.bits >> kWord));
  }
  return words;
}

// Of constants of 64 bits that the instruction has.
unsigned words_of_constants(const Instruction& i) {
  const std::string_view row = i.spec().name;
  if (ptx::bits_of(i.type()) != 64 || !(row == "mov" || row.ends_with("_f64"))) return 0;
  unsigned words = 0;
  for (const Operand& operand : i.operands)
    if (operand.is(Operand::Kind::Immediate) && operand.is_float && uint32_t(operand.bits) != 0) words += 2;
  return words;
}

// How often each register is written and read in the function.
struct Uses {
  std::unordered_map<ptx::RegisterId, unsigned> written, read;

  explicit Uses(const ptx::Function& function) {
    for (const Instruction& i : function.instructions) {
      for_each_register_read(i, [&](ptx::RegisterId reg) { ++read[reg]; });
      for_each_result(i, [&](ptx::RegisterId reg) { ++written[reg]; });
    }
  }
  // How often it is read, if one instruction writes it.
  unsigned reads_of_one(ptx::RegisterId reg) const {
    const auto w = written.find(reg), r = read.find(reg);
    return w != written.end() && r != read.end() && w->second == 1 ? r->second : 0;
  }
};

// Products and shifts that only later additions of the block read. Returns those additions.
std::set<uint32_t> fuse_addresses(const ptx::Function& function, const Uses& uses, uint32_t first, uint32_t end,
                                  std::vector<InstructionClass>& classes) {
  struct Made {
    uint32_t by;
    bool product;
    std::vector<uint32_t> added;
  };
  std::unordered_map<ptx::RegisterId, Made> made;
  for (uint32_t n = first; n < end; ++n) {
    const Instruction& i = function.instructions[n];
    const std::string_view row = i.spec().name;
    if (row == "add_int" && !i.guard.present) {
      for (size_t operand : {size_t{1}, size_t{2}}) {
        if (!i.operands[operand].is(Operand::Kind::Register)) continue;
        const auto found = made.find(i.operands[operand].reg);
        if (found == made.end()) continue;
        found->second.added.push_back(n);
        break;
      }
    }
    const bool product =
        row == "mul_wide" || (row == "mul_int" && !i.has(ptx::Mod::Hi) && ptx::bits_of(i.type(0)) == 32);
    const bool shift = row == "shl" && i.operands[2].is(Operand::Kind::Immediate);
    if (!(product || shift) || i.guard.present || !i.operands[0].is(Operand::Kind::Register)) continue;
    const unsigned reads = uses.reads_of_one(i.operands[0].reg);
    if (reads == 1 || (reads > 1 && row != "mul_int")) made[i.operands[0].reg] = {n, product, {}};
  }
  std::set<uint32_t> fused;
  for (const auto& [reg, m] : made) {
    if (m.added.empty() || m.added.size() != uses.reads_of_one(reg)) continue;
    fused.insert(m.added.begin(), m.added.end());
    // Each addition is one with its product, IMAD or IMAD.WIDE; a shift is part of it, LEA.
    if (m.product)
      for (uint32_t n : m.added) classes[n].times = m.added.size() == 1 ? 0 : 1;
    if (!m.product || m.added.size() > 1) classes[m.by].times = 0;
  }
  return fused;
}

// What makes one of three operands, of two instructions of PTX with two each.
enum class Ternary { None, Sum, Logic };

Ternary ternary_of(const Instruction& i) {
  const std::string_view row = i.spec().name;
  if (ptx::bits_of(i.type()) != 32 || i.guard.present || !i.operands[0].is(Operand::Kind::Register))
    return Ternary::None;
  if (row == "add_int" || row == "sub_int") return Ternary::Sum;
  return row == "and_b" || row == "or_b" || row == "xor_b" ? Ternary::Logic : Ternary::None;
}

// Sums and logic that only another one of the block reads: IADD3, LOP3. `full`: additions that have three operands.
void fuse_ternary(const ptx::Function& function, const Uses& uses, uint32_t first, uint32_t end,
                  const std::set<uint32_t>& full, std::vector<InstructionClass>& classes) {
  std::unordered_map<ptx::RegisterId, std::pair<uint32_t, Ternary>> made;
  for (uint32_t n = first; n < end; ++n) {
    const Instruction& i = function.instructions[n];
    const Ternary kind = ternary_of(i);
    if (kind == Ternary::None || classes[n].times != 1 || full.contains(n)) continue;
    bool has_three = false;
    for (size_t operand : {size_t{1}, size_t{2}}) {
      if (has_three || !i.operands[operand].is(Operand::Kind::Register)) continue;
      const auto found = made.find(i.operands[operand].reg);
      if (found == made.end() || found->second.second != kind) continue;
      classes[found->second.first].times = 0;
      made.erase(found);
      has_three = true;
    }
    const ptx::RegisterId reg = i.operands[0].reg;
    if (!has_three && uses.reads_of_one(reg) == 1) made[reg] = {n, kind};
  }
}

// What counts the turns of a small loop: `i = i + constant`, its comparison and the branch. ptxas of CUDA 13 for 9.0
// unrolls such loops of up to 37 instructions of PTX, and none of 44 or more.
constexpr unsigned kSmallLoop = 40;
constexpr float kTurns = 4;

bool is_written(const ptx::Function& function, uint32_t first, uint32_t end, ptx::RegisterId reg) {
  for (uint32_t n = first; n < end; ++n) {
    const Instruction& i = function.instructions[n];
    const auto slots = i.spec().operands;
    for (size_t o = 0; o < i.operands.size() && o < slots.size(); ++o)
      if (slots[o].written && i.operands[o].is(Operand::Kind::Register) && i.operands[o].reg == reg) return true;
  }
  return false;
}

void unroll(const ptx::Function& function, uint32_t first, uint32_t end, std::vector<InstructionClass>& classes) {
  if (end - first > kSmallLoop || !loops_to_itself(function, first, end)) return;
  std::vector<uint32_t> steps;
  bool counted = false;
  for (uint32_t n = first; n < end; ++n) {
    const Instruction& i = function.instructions[n];
    if (classes[n].step == Step::Barrier || i.spec().opcode == "call") return;
    const bool by_constant = i.spec().name == "add_int" && i.operands[0].is(Operand::Kind::Register) &&
                             i.operands[1].is(Operand::Kind::Register) && i.operands[0].reg == i.operands[1].reg &&
                             i.operands[2].is(Operand::Kind::Immediate);
    if (by_constant) steps.push_back(n);
  }
  const Instruction& branch = function.instructions[end - 1];
  for (uint32_t n = first; n < end && branch.guard.present; ++n) {
    const Instruction& i = function.instructions[n];
    if (i.spec().opcode != "setp" || !i.operands[0].is(Operand::Kind::Register) ||
        i.operands[0].reg != branch.guard.reg)
      continue;
    // The comparison of a counter with what the loop does not change.
    for (uint32_t step : steps) {
      const ptx::RegisterId counter = function.instructions[step].operands[0].reg;
      const Operand &a = i.operands[1], &b = i.operands[2];
      const Operand* limit = a.is(Operand::Kind::Register) && a.reg == counter   ? &b
                             : b.is(Operand::Kind::Register) && b.reg == counter ? &a
                                                                                 : nullptr;
      if (!limit) continue;
      const bool fixed = !limit->is(Operand::Kind::Register) || !is_written(function, first, end, limit->reg);
      if (fixed) counted = true, classes[n].times = 1 / kTurns;
    }
  }
  if (!counted) return;
  for (uint32_t step : steps) classes[step].times = 1 / kTurns;
  classes[end - 1].times = 1 / kTurns;
}

}  // namespace

uint32_t end_of(const std::vector<uint32_t>& starts, uint32_t first) {
  uint32_t end = first + 1;
  while (end < starts.size() && starts[end] == first) ++end;
  return end;
}

std::vector<uint32_t> started_with(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                   const std::vector<InstructionClass>& classes) {
  std::vector<uint32_t> result(starts);
  const Predication predication(function, starts, classes);
  for (uint32_t first = 0; first < starts.size(); first = end_of(starts, first))
    if (const std::optional<uint32_t> branch = predication.branch_around(first))
      std::fill(result.begin() + first, result.begin() + end_of(starts, first), starts[*branch]);
  return result;
}

unsigned turns_at_once(const ptx::Function& function, const std::vector<InstructionClass>& classes, uint32_t first,
                       uint32_t end) {
  return classes[end - 1].times == 1 / kTurns && loops_to_itself(function, first, end) ? unsigned(kTurns) : 1;
}

bool loops_to_itself(const ptx::Function& function, uint32_t first, uint32_t end) {
  const Instruction& last = function.instructions[end - 1];
  if (target_of_branch(function, last) == first) return true;
  if (end == function.instructions.size()) return false;
  const Instruction& next = function.instructions[end];
  return last.guard.present && last.spec().opcode == "bra" && !next.guard.present &&
         target_of_branch(function, next) == first;
}

std::vector<InstructionClass> classes_of(const ptx::Function& function, const std::vector<uint32_t>& starts) {
  std::vector<InstructionClass> classes;
  classes.reserve(function.instructions.size());
  for (const Instruction& i : function.instructions) {
    classes.push_back(classify(i));
    classes.back().form = function.is_entry && i.spec().name == "ld_param" ? &kParameterRead : form_of(i);
    classes.back().slow_way = slow_way_of(i);
    if (const auto words = words_made(i)) classes.back().times = float(*words);
    classes.back().constants = uint8_t(words_of_constants(i));
  }
  const Uses uses(function);
  for (uint32_t first = 0; first < starts.size();) {
    const uint32_t end = end_of(starts, first);
    fuse_ternary(function, uses, first, end, fuse_addresses(function, uses, first, end, classes), classes);
    unroll(function, first, end, classes);
    // A branch that directly follows one with a guard.
    const Instruction& only = function.instructions[first];
    if (end == first + 1 && first > 0 && only.spec().opcode == "bra" && !only.guard.present) {
      const Instruction& before = function.instructions[first - 1];
      if (before.spec().opcode == "bra" && before.guard.present) classes[first].times = 0;
    }
    first = end;
  }
  const Predication predication(function, starts, classes);
  for (uint32_t first = 0; first < starts.size(); first = end_of(starts, first))
    if (const std::optional<uint32_t> branch = predication.branch_around(first)) classes[*branch].times = 0;
  return classes;
}

}  // namespace warpwise::perf
