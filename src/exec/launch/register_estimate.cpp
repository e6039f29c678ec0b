#include "exec/launch/register_estimate.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "simt/instrument/counts.h"

namespace warpwise::exec {
namespace {

using ptx::Operand;
using ptx::RegisterId;

// For addresses, the stack pointer and what scheduling keeps in flight.
constexpr unsigned kOverhead = 8;
constexpr unsigned kUnit = 8;  // ptxas hands out registers in eights
constexpr unsigned kMost = 255;
constexpr unsigned kRegistersOfSm = 65536;  // of every GPU since 3.0 but 3.7

template <class Visit>
void visit_registers(const Operand& operand, Visit& visit) {
  const bool based = operand.is(Operand::Kind::Address) && operand.base == Operand::Base::Register;
  if (operand.is(Operand::Kind::Register) || based) visit(operand.reg);
  for (const Operand& element : operand.elements) visit_registers(element, visit);
}

// Calls read(register) and written(register).
template <class Read, class Written>
void visit_registers(const ptx::Instruction& instruction, Read read, Written written) {
  const auto slots = instruction.spec().operands;
  if (instruction.guard.present) read(instruction.guard.reg);
  for (size_t n = 0; n < instruction.operands.size(); ++n) {
    const Operand& operand = instruction.operands[n];
    if (n < slots.size() && slots[n].written && !operand.is(Operand::Kind::Address))
      visit_registers(operand, written);
    else
      visit_registers(operand, read);
  }
}

bool is_in_constant_bank(ptx::SpecialRegister special) {
  using enum ptx::SpecialRegister;
  return special == Ntid || special == Nctaid || special == DynamicSmemSize || special == TotalSmemSize;
}

// Where SASS keeps a PTX register's value: in a register, in another one from which it is computed again where it is
// needed, or in none.
class Carriers {
 public:
  explicit Carriers(const ptx::Function& function) : carrier_(function.registers.size()) {
    std::vector<uint32_t> writers(function.registers.size());
    for (const ptx::Instruction& i : function.instructions)
      visit_registers(i, [](RegisterId) {}, [&](RegisterId reg) { ++writers[reg]; });
    for (RegisterId reg = 0; reg < carrier_.size(); ++reg) carrier_[reg] = reg;
    for (const ptx::Instruction& i : function.instructions) {
      if (i.guard.present || i.operands.size() < 2 || !i.operands[0].is(Operand::Kind::Register) ||
          writers[i.operands[0].reg] != 1)
        continue;
      carrier_[i.operands[0].reg] = carrier_after(i, function.is_entry, writers);
    }
  }
  std::optional<RegisterId> operator[](RegisterId reg) const { return carrier_[reg]; }

 private:
  // For the register that an instruction writes. The carriers of its operands are known: compilers write PTX in which
  // definitions come before uses.
  std::optional<RegisterId> carrier_after(const ptx::Instruction& i, bool is_entry,
                                          const std::vector<uint32_t>& writers) const {
    const std::string_view row = i.spec().name;
    const Operand& from = i.operands[1];
    const RegisterId itself = i.operands[0].reg;
    if (row == "ld_param") return is_entry ? std::nullopt : std::optional(itself);
    const bool renames = row == "mov" || row == "cvta" || row == "cvta_to";
    const bool scales = row == "mul_wide" && i.operands[2].is(Operand::Kind::Immediate);
    if (!renames && !scales) return itself;
    if (from.is(Operand::Kind::Immediate) || from.is(Operand::Kind::Symbol)) return std::nullopt;
    if (from.is(Operand::Kind::Special))
      return is_in_constant_bank(from.special) ? std::nullopt : std::optional(itself);
    // A register that changes is no carrier.
    if (!from.is(Operand::Kind::Register) || writers[from.reg] != 1) return itself;
    return carrier_[from.reg];
  }

  std::vector<std::optional<RegisterId>> carrier_;
};

// A set of registers.
class Set {
 public:
  explicit Set(size_t size) : words_((size + 63) / 64) {}
  bool has(RegisterId r) const { return words_[r / 64] >> (r % 64) & 1; }
  void add(RegisterId r) { words_[r / 64] |= uint64_t{1} << (r % 64); }
  void remove(RegisterId r) { words_[r / 64] &= ~(uint64_t{1} << (r % 64)); }
  // this |= other; whether that changed it.
  bool join(const Set& other) {
    bool changed = false;
    for (size_t w = 0; w < words_.size(); ++w)
      changed |= (other.words_[w] & ~words_[w]) != 0, words_[w] |= other.words_[w];
    return changed;
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (size_t w = 0; w < words_.size(); ++w)
      for (uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(RegisterId(64 * w + unsigned(__builtin_ctzll(left))));
  }

 private:
  std::vector<uint64_t> words_;
};

class Liveness {
 public:
  explicit Liveness(const ptx::Function& function)
      : function_(function), carriers_(function), starts_(simt::block_starts(function)) {
    block_of_.resize(starts_.size());
    for (uint32_t i = 0; i < starts_.size(); ++i) {
      if (starts_[i] == i) firsts_.push_back(i);
      block_of_[i] = uint32_t(firsts_.size()) - 1;
    }
    alive_at_end_.assign(firsts_.size(), Set(function.registers.size()));
    settle();
  }

  // The most 32-bit words that are alive at once.
  unsigned most() const {
    unsigned most = 0;
    for (uint32_t block = 0; block < firsts_.size(); ++block) {
      unsigned words = 0;
      alive_at_end_[block].for_each([&](RegisterId reg) { words += words_of(reg); });
      most = std::max(most, words);
      walk_back(block, [&](RegisterId reg, bool begins) {
        words += begins ? words_of(reg) : -words_of(reg), most = std::max(most, words);
      });
    }
    return most;
  }

 private:
  uint32_t end_of(uint32_t block) const {
    return block + 1 < firsts_.size() ? firsts_[block + 1] : uint32_t(starts_.size());
  }
  unsigned words_of(RegisterId reg) const {
    const ptx::Register& r = function_.registers[reg];
    if (r.type == ptx::Type::Pred) return 0;  // predicates have registers of their own
    return unsigned((ptx::bytes_of(r.type) + 3) / 4 * r.vector);
  }

  // From the block's end to its begin: change(register, it begins to be alive). Returns what is alive at the begin.
  template <class Change>
  Set walk_back(uint32_t block, Change change) const {
    Set alive = alive_at_end_[block];
    for (uint32_t i = end_of(block); i-- > firsts_[block];) {
      const ptx::Instruction& instruction = function_.instructions[i];
      // A guarded write leaves the old value where the guard is false. Operands that die here make room for the result.
      visit_registers(
          instruction, [](RegisterId) {},
          [&](RegisterId reg) {
            if (carriers_[reg] != reg || instruction.guard.present || !alive.has(reg)) return;
            alive.remove(reg);
            change(reg, false);
          });
      visit_registers(
          instruction,
          [&](RegisterId reg) {
            const auto carrier = carriers_[reg];
            if (!carrier || alive.has(*carrier)) return;
            alive.add(*carrier);
            change(*carrier, true);
          },
          [](RegisterId) {});
    }
    return alive;
  }

  std::vector<uint32_t> successors_of(uint32_t block) const {
    std::vector<uint32_t> successors;
    const ptx::Instruction& last = function_.instructions[end_of(block) - 1];
    auto to_label = [&](const ptx::Label& label) {
      if (label.instruction < block_of_.size()) successors.push_back(block_of_[label.instruction]);
    };
    auto to = [&](const Operand& operand) {
      if (!operand.is(Operand::Kind::Symbol) || operand.symbol.kind != ptx::SymbolRef::Kind::Label) return;
      const ptx::Label& label = function_.labels[operand.symbol.index];
      for (const ptx::SymbolRef& target : label.targets) to_label(function_.labels[target.index]);
      if (label.targets.empty()) to_label(label);
    };
    const bool leaves = simt::ends_block(last) && !last.guard.present;
    if (simt::ends_block(last))
      for (const Operand& operand : last.operands) to(operand);
    if (!leaves && block + 1 < firsts_.size()) successors.push_back(block + 1);
    return successors;
  }

  // Backwards over the blocks until nothing changes.
  void settle() {
    std::vector<std::vector<uint32_t>> predecessors(firsts_.size());
    for (uint32_t block = 0; block < firsts_.size(); ++block)
      for (uint32_t next : successors_of(block)) predecessors[next].push_back(block);
    std::vector<uint32_t> open(firsts_.size());
    std::vector<bool> waits(firsts_.size(), true);
    for (uint32_t block = 0; block < firsts_.size(); ++block) open[block] = block;
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      waits[block] = false;
      const Set alive = walk_back(block, [](RegisterId, bool) {});
      for (uint32_t before : predecessors[block])
        if (alive_at_end_[before].join(alive) && !waits[before]) waits[before] = true, open.push_back(before);
    }
  }

  const ptx::Function& function_;
  const Carriers carriers_;
  const std::vector<uint32_t> starts_;
  std::vector<uint32_t> firsts_, block_of_;  // of each block its first instruction; of each instruction its block
  std::vector<Set> alive_at_end_;
};

// What __launch_bounds__ leaves a thread: as many blocks as are asked for must fit an SM.
unsigned bound_of(const ptx::Function& function) {
  const ptx::Dim3& most = function.max_threads.x != 0 ? function.max_threads : function.required_threads;
  const uint64_t threads = uint64_t{most.x} * std::max(most.y, 1u) * std::max(most.z, 1u);
  if (threads == 0) return kMost;
  const uint64_t warps = (threads + 31) / 32 * std::max(function.min_blocks_per_sm, 1u);
  return static_cast<unsigned>(std::max<uint64_t>(16, kRegistersOfSm / (warps * 32) / kUnit * kUnit));
}

}  // namespace

unsigned estimate_registers(const ptx::Function& function) {
  if (function.instructions.empty()) return 16;
  unsigned estimate = (Liveness(function).most() + kOverhead + kUnit - 1) / kUnit * kUnit;
  if (function.max_registers != 0) estimate = std::min(estimate, function.max_registers);
  return std::clamp(estimate, 16u, std::min(kMost, bound_of(function)));
}

}  // namespace warpwise::exec
