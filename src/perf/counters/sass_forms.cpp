#include "perf/counters/sass_forms.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "perf/counters/convergence.h"
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

// What a kernel does to have a parameter: on 9.0 a read of constant memory (LDC, ULDC). It begins with two more, of the
// stack's pointer and the descriptor of global memory. So say 388 kernels of HeCBench in SASS of ptxas 13: of those
// with two, three, six and nine parameters the median has 2, 3, 9 and 12 of the first kind, and of the second with the
// block's shape 3.
constexpr SassForm kParameterRead{0, 0, 0, 0, 0, 0, 1};
constexpr uint8_t kFirstReads = 2;

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

constexpr unsigned kWordBits = 32;

// Elements of a vector that are smaller than a register: the load brings them in whole registers, and each is taken out
// of its own (PRMT).
unsigned elements_taken_out(const Instruction& i) {
  if (i.spec().opcode != "ld" || i.operands.empty() || ptx::bits_of(i.type()) >= kWordBits) return 0;
  return unsigned(i.operands[0].elements.size());
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

// A load of fewer than 32 bits without a sign fills the register with zeros: what makes 32 of them, and what masks
// them, does nothing.
void spare_extensions(const ptx::Function& function, std::vector<InstructionClass>& classes) {
  std::unordered_map<ptx::RegisterId, unsigned> bits;  // of what was loaded; 0: of another instruction, too
  const auto of_load = [](const Instruction& i) {
    return i.spec().opcode == "ld" && !ptx::is_signed(i.type()) && ptx::bits_of(i.type()) < kWordBits
               ? ptx::bits_of(i.type())
               : 0;
  };
  const auto extends = [](const Instruction& i) {
    return i.spec().name == "cvt_int_int" && ptx::bits_of(i.type(0)) == kWordBits && !ptx::is_signed(i.type(1));
  };
  for (const Instruction& i : function.instructions)
    for_each_result(i, [&](ptx::RegisterId reg) {
      const auto [known, is_new] = bits.emplace(reg, of_load(i));
      if (!is_new && known->second != of_load(i)) known->second = 0;
    });
  const auto loaded = [&](const Operand& o) {
    const auto found = o.is(Operand::Kind::Register) ? bits.find(o.reg) : bits.end();
    return found == bits.end() ? 0 : found->second;
  };
  std::unordered_map<ptx::RegisterId, unsigned> extended;
  for (uint32_t n = 0; n < classes.size(); ++n) {
    const Instruction& i = function.instructions[n];
    if (i.guard.present || i.operands.size() < 2 || !i.operands[0].is(Operand::Kind::Register)) continue;
    if (extends(i) && loaded(i.operands[1]) > 0) {
      classes[n].times = 0;
      extended[i.operands[0].reg] = loaded(i.operands[1]);
    } else if (i.spec().name == "and_b" && i.operands[1].is(Operand::Kind::Register) &&
               i.operands[2].is(Operand::Kind::Immediate)) {
      const auto found = extended.find(i.operands[1].reg);
      if (found != extended.end() && i.operands[2].bits == (uint64_t{1} << found->second) - 1) classes[n].times = 0;
    }
  }
}

bool is_sum(const Instruction& i) {
  const std::string_view row = i.spec().name;
  return (row == "add_int" || row == "sub_int") && ptx::bits_of(i.type()) == 32 && !i.guard.present &&
         i.operands[0].is(Operand::Kind::Register);
}

// Sums that only another sum of the block reads: IADD3. `full`: additions that have three operands, before and after.
void fuse_sums(const ptx::Function& function, const Uses& uses, uint32_t first, uint32_t end, std::set<uint32_t>& full,
               std::vector<InstructionClass>& classes) {
  std::unordered_map<ptx::RegisterId, uint32_t> made;
  for (uint32_t n = first; n < end; ++n) {
    const Instruction& i = function.instructions[n];
    if (!is_sum(i) || classes[n].times != 1 || full.contains(n)) continue;
    bool has_three = false;
    for (size_t operand : {size_t{1}, size_t{2}}) {
      if (has_three || !i.operands[operand].is(Operand::Kind::Register)) continue;
      const auto found = made.find(i.operands[operand].reg);
      if (found == made.end()) continue;
      classes[found->second].times = 0;
      made.erase(found);
      has_three = true;
    }
    const ptx::RegisterId reg = i.operands[0].reg;
    if (has_three)
      full.insert(n);
    else if (uses.reads_of_one(reg) == 1)
      made[reg] = n;
  }
}

// Sums of two go to the pipe of products as well (IMAD.IADD). ptxas gives it about half of them where a block has more
// for the other pipe: of kernels of HeCBench that do little arithmetic of floats 0.2 to 0.6 of all sums that run, of
// the others none.
void balance_pipes(const ptx::Function& function, uint32_t first, uint32_t end, const std::set<uint32_t>& full,
                   std::vector<InstructionClass>& classes) {
  double alu = 0, fma = 0;
  for (uint32_t n = first; n < end; ++n) {
    const InstructionClass& cls = classes[n];
    if (!cls.counted) continue;
    alu += cls.form ? cls.form->alu : cls.pipe == Counter::PipeAlu ? cls.times : 0;
    fma += cls.form ? cls.form->fma : cls.pipe == Counter::PipeFma ? cls.times : 0;
  }
  bool other = false;
  for (uint32_t n = first; n < end && alu > fma; ++n) {
    if (!is_sum(function.instructions[n]) || classes[n].times != 1 || full.contains(n)) continue;
    if (other) classes[n].pipe = Counter::PipeFma, --alu, ++fma;
    other = !other;
  }
}

bool is_logic(const Instruction& i) {
  const std::string_view row = i.spec().name;
  const unsigned bits = ptx::bits_of(i.type());
  return (row == "and_b" || row == "or_b" || row == "xor_b" || row == "not_b") && (bits == 32 || bits == 64) &&
         !i.guard.present && i.operands[0].is(Operand::Kind::Register);
}

// Logic that only other logic of the block reads, as long as all of it has three inputs: LOP3 makes any function of
// three.
void fuse_logic(const ptx::Function& function, const Uses& uses, uint32_t first, uint32_t end,
                std::vector<InstructionClass>& classes) {
  constexpr size_t kMostInputs = 3;
  using Input = std::pair<bool, uint64_t>;  // whether it is a constant; which one, or which register
  using Inputs = std::set<Input>;
  std::unordered_map<ptx::RegisterId, std::pair<uint32_t, Inputs>> made;
  for (uint32_t n = first; n < end; ++n) {
    const Instruction& i = function.instructions[n];
    if (!is_logic(i) || classes[n].times == 0) continue;
    std::vector<Inputs> inputs;                      // of each operand
    std::vector<std::optional<ptx::RegisterId>> by;  // which may become part of this
    for (size_t operand = 1; operand < i.operands.size(); ++operand) {
      const Operand& o = i.operands[operand];
      const bool reg = o.is(Operand::Kind::Register);
      inputs.push_back({reg ? Input{false, o.reg} : Input{true, o.bits}});
      by.push_back(reg && made.contains(o.reg) ? std::optional(o.reg) : std::nullopt);
    }
    Inputs all;
    for (const Inputs& of_operand : inputs) all.insert(of_operand.begin(), of_operand.end());
    for (const std::optional<ptx::RegisterId>& part : by) {
      if (!part) continue;
      Inputs with = all;
      with.erase({false, *part});
      const auto& [at, of_part] = made.at(*part);
      with.insert(of_part.begin(), of_part.end());
      if (with.size() > kMostInputs) continue;
      all = std::move(with);
      classes[at].times = 0;
    }
    const ptx::RegisterId reg = i.operands[0].reg;
    if (uses.reads_of_one(reg) == 1) made[reg] = {n, all};
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
    if (const unsigned elements = elements_taken_out(i)) classes.back().times = 1 + float(elements);
    classes.back().constants = uint8_t(words_of_constants(i));
  }
  if (function.is_entry && !classes.empty()) classes.front().constants += kFirstReads;
  spare_extensions(function, classes);
  const Uses uses(function);
  for (uint32_t first = 0; first < starts.size();) {
    const uint32_t end = end_of(starts, first);
    std::set<uint32_t> full = fuse_addresses(function, uses, first, end, classes);
    fuse_sums(function, uses, first, end, full, classes);
    fuse_logic(function, uses, first, end, classes);
    unroll(function, first, end, classes);
    balance_pipes(function, first, end, full, classes);
    // A branch that directly follows one with a guard.
    const Instruction& only = function.instructions[first];
    if (end == first + 1 && first > 0 && only.spec().opcode == "bra" && !only.guard.present) {
      const Instruction& before = function.instructions[first - 1];
      if (before.spec().opcode == "bra" && before.guard.present) classes[first].times = 0;
    }
    first = end;
  }
  find_reconvergence(function, starts, classes);
  const Predication predication(function, starts, classes);
  for (uint32_t first = 0; first < starts.size(); first = end_of(starts, first))
    if (const std::optional<uint32_t> branch = predication.branch_around(first)) classes[*branch].times = 0;
  return classes;
}

}  // namespace warpwise::perf
