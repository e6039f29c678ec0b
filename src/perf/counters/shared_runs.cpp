#include "perf/counters/shared_runs.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "simt/instrument/counts.h"

namespace warpwise::perf {
namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr unsigned kWord = 4;
constexpr unsigned kMost = 16;  // the widest load; also the alignment that ptxas gives to variables of shared memory

// What addresses are multiples of, as far as the widest load cares.
class Alignment {
 public:
  explicit Alignment(const ptx::Function& function) {
    for (const Instruction& i : function.instructions)
      if (!i.operands.empty() && i.operands[0].is(Operand::Kind::Register)) definitions_.emplace(i.operands[0].reg, &i);
  }

  unsigned of(ptx::RegisterId reg) {
    auto [entry, fresh] = known_.try_emplace(reg, kMost);  // within a loop: as if the loop kept it
    if (!fresh) return entry->second;
    auto [first, last] = definitions_.equal_range(reg);
    unsigned least = first == last ? 1 : kMost;
    for (auto d = first; d != last; ++d) least = std::min(least, of(*d->second));
    return known_[reg] = least;
  }

 private:
  static unsigned of_constant(uint64_t value) {
    return value == 0 ? kMost : static_cast<unsigned>(std::min<uint64_t>(kMost, value & -value));
  }
  unsigned of(const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::Register:
        return of(operand.reg);
      case Operand::Kind::Immediate:
        return of_constant(operand.bits);
      case Operand::Kind::Symbol:
        return std::min(kMost, of_constant(static_cast<uint64_t>(operand.offset)));
      default:
        return 1;
    }
  }
  unsigned of(const Instruction& i) {
    const std::string_view opcode = i.spec().opcode;
    auto operand = [&](size_t n) { return n < i.operands.size() ? of(i.operands[n]) : 1; };
    auto product = [&] { return std::min(kMost, operand(1) * operand(2)); };
    if (opcode == "mov" || opcode == "cvta" || opcode == "cvt") return operand(1);
    if (opcode == "add" || opcode == "sub" || opcode == "or" || opcode == "xor")
      return std::min(operand(1), operand(2));
    if (opcode == "and") return std::max(operand(1), operand(2));
    if (opcode == "mul" && i.spec().name.find("hi") == std::string_view::npos) return product();
    if (opcode == "mad" && i.spec().name.find("hi") == std::string_view::npos) return std::min(product(), operand(3));
    if (opcode == "shl" && i.operands.size() > 2 && i.operands[2].is(Operand::Kind::Immediate))
      return i.operands[2].bits >= 4 ? kMost : std::min(kMost, operand(1) << i.operands[2].bits);
    return 1;
  }

  std::multimap<ptx::RegisterId, const Instruction*> definitions_;
  std::map<ptx::RegisterId, unsigned> known_;
};

// Words that are loaded from one base in one stretch of code, and by which instruction.
using Run = std::map<int64_t, uint32_t>;

void mark(const Run& run, unsigned alignment, std::vector<uint8_t>& words_of) {
  for (auto at = run.begin(); at != run.end();) {
    unsigned words = 1;
    for (unsigned wide = std::min(alignment, kMost) / kWord; wide > 1; wide /= 2) {
      if (at->first % static_cast<int64_t>(wide * kWord) != 0) continue;
      bool all = true;
      for (unsigned w = 1; w < wide; ++w) all = all && run.contains(at->first + w * kWord);
      if (all) {
        words = wide;
        break;
      }
    }
    words_of[at->second] = static_cast<uint8_t>(words);
    for (auto last = std::next(at, words); ++at != last;) words_of[at->second] = 0;
  }
}

bool may_write_shared(const Instruction& i) {
  const std::string_view opcode = i.spec().opcode;
  return opcode == "st" || opcode == "atom" || opcode == "red" || opcode == "bar" || opcode == "barrier" ||
         opcode == "call" || opcode == "cp" || opcode == "membar" || opcode == "fence" || opcode == "mbarrier" ||
         opcode == "stmatrix";
}

}  // namespace

std::vector<uint8_t> words_of_loads(const ptx::Function& function, std::span<const uint32_t> starts) {
  std::vector<uint8_t> words_of(function.instructions.size(), 1);
  Alignment alignment(function);
  std::map<ptx::RegisterId, Run> runs;
  auto close = [&] {
    for (const auto& [base, run] : runs) mark(run, alignment.of(base), words_of);
    runs.clear();
  };
  for (uint32_t n = 0; n < function.instructions.size(); ++n) {
    const Instruction& i = function.instructions[n];
    if (starts[n] == n || may_write_shared(i)) close();
    auto counted = simt::counted_operand(i);
    bool plain = counted && !i.guard.present && counted->access.kind == simt::CountedKind::Load &&
                 counted->access.bytes == kWord && counted->access.space == simt::CountedSpace::Shared &&
                 i.operands.size() > 1 && i.operands[1].base == Operand::Base::Register;
    if (plain) runs[i.operands[1].reg].try_emplace(i.operands[1].offset, n);
    // A base that changes begins a new run.
    if (!i.operands.empty() && i.operands[0].is(Operand::Kind::Register))
      if (auto run = runs.find(i.operands[0].reg); run != runs.end()) {
        mark(run->second, alignment.of(run->first), words_of);
        runs.erase(run);
      }
  }
  close();
  return words_of;
}

}  // namespace warpwise::perf
