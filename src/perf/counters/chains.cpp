#include "perf/counters/chains.h"

#include <algorithm>
#include <unordered_map>

namespace warpwise::perf {

namespace {

// Clocks, as device/architectures.inc has them for 9.0; how far a wait is a step is all that they decide.
double latency_of(Step step) {
  switch (step) {
    case Step::None: return 1;
    case Step::Fma: return 4;
    case Step::Fp64: return 8;
    case Step::Xu: return 18;
    case Step::Shared: return 29;
    case Step::Global: return 263;
    case Step::Atomic: return 479;
    case Step::Tensor: return 33;
    case Step::Barrier: return 20;
  }
  return 1;
}

double* field_of(ChainSteps& steps, Step step) {
  switch (step) {
    case Step::Fma: return &steps.fma;
    case Step::Fp64: return &steps.fp64;
    case Step::Xu: return &steps.xu;
    case Step::Shared: return &steps.shared;
    case Step::Global: return &steps.global;
    case Step::Atomic: return &steps.atomic;
    case Step::Tensor: return &steps.tensor;
    case Step::Barrier: return &steps.barrier;
    case Step::None: break;
  }
  return nullptr;
}

template <class Visit>
void for_each_register(const ptx::Operand& operand, Visit visit) {
  using Kind = ptx::Operand::Kind;
  if (operand.is(Kind::Register) || (operand.is(Kind::Address) && operand.base == ptx::Operand::Base::Register)) visit(operand.reg);
  for (const ptx::Operand& element : operand.elements) for_each_register(element, visit);
}

class Player {
 public:
  BlockChain play(const ptx::Function& function, uint32_t first, uint32_t end) {
    chain_ = {};
    for (uint32_t i = first; i < end; ++i) issue(function.instructions[i]);
    return chain_;
  }

 private:
  struct Ready {
    double at = 0;
    Step by = Step::None;
  };

  void issue(const ptx::Instruction& instruction) {
    const InstructionClass cls = classify(instruction);
    const auto slots = instruction.spec().operands;
    auto written = [&](size_t n) { return n < slots.size() && slots[n].written; };
    Ready latest;
    auto need = [&](ptx::RegisterId reg) {
      auto found = ready_.find(reg);
      if (found != ready_.end() && found->second.at > latest.at) latest = found->second;
    };
    if (instruction.guard.present) need(instruction.guard.reg);
    for (size_t n = 0; n < instruction.operands.size(); ++n)
      if (!written(n) || instruction.operands[n].is(ptx::Operand::Kind::Address)) for_each_register(instruction.operands[n], need);
    const std::string_view row = instruction.spec().name;
    const bool awaits_copies = row == "cp_async_wait_group" || row == "cp_async_wait_all" || row == "cp_async_bulk_wait_group" ||
                               row.starts_with("mbarrier_test_wait") || row.starts_with("mbarrier_try_wait");
    if (awaits_copies && copies_at_ > latest.at) latest = {copies_at_, Step::Global};
    wait_for(latest);
    if (cls.step == Step::Barrier) chain_.steps.barrier += 1;
    if (!cls.counted) {  // another name for the same value
      pass_on(instruction, latest);
      return;
    }
    now_ += 1;
    const double there = now_ + latency_of(cls.step);
    if (row == "cp_async" || row.starts_with("cp_async_bulk_load") || row.starts_with("cp_async_bulk_tensor_load")) copies_at_ = now_ + latency_of(Step::Global);
    if (cls.step == Step::Global && !awaits_copies) loads_.push_back(there);
    for (size_t n = 0; n < instruction.operands.size(); ++n)
      if (written(n) && !instruction.operands[n].is(ptx::Operand::Kind::Address))
        for_each_register(instruction.operands[n], [&](ptx::RegisterId reg) { ready_[reg] = {there, cls.step}; });
  }

  void pass_on(const ptx::Instruction& instruction, Ready ready) {
    const auto slots = instruction.spec().operands;
    for (size_t n = 0; n < instruction.operands.size() && n < slots.size(); ++n)
      if (slots[n].written) for_each_register(instruction.operands[n], [&](ptx::RegisterId reg) { ready_[reg] = ready; });
  }

  void wait_for(const Ready& ready) {
    if (ready.at <= now_) return;
    const double wait = ready.at - now_;
    if (double* field = field_of(chain_.steps, ready.by)) *field += wait / latency_of(ready.by);
    if (ready.by == Step::Global) {
      std::erase_if(loads_, [&](double there) { return there <= now_; });
      chain_.waits += wait;
      chain_.in_flight += wait * double(std::max<size_t>(1, loads_.size()));
    }
    now_ = ready.at;
  }

  std::unordered_map<ptx::RegisterId, Ready> ready_;
  std::vector<double> loads_;  // when those under way will be there
  double now_ = 0, copies_at_ = 0;
  BlockChain chain_;
};

// Whether the block's last instruction goes back to its first.
bool loops_to_itself(const ptx::Function& function, uint32_t first, uint32_t end) {
  const ptx::Instruction& last = function.instructions[end - 1];
  if (last.spec().opcode != "bra") return false;
  const ptx::SymbolRef target = last.operands[0].symbol;
  return target.kind == ptx::SymbolRef::Kind::Label && function.labels[target.index].instruction == first;
}

}  // namespace

std::vector<BlockChain> chains_of(const ptx::Function& function, const std::vector<uint32_t>& starts) {
  std::vector<BlockChain> chains(starts.size());
  Player player;
  for (uint32_t first = 0; first < starts.size();) {
    uint32_t end = first + 1;
    while (end < starts.size() && starts[end] == first) ++end;
    chains[first] = player.play(function, first, end);
    if (loops_to_itself(function, first, end)) chains[first] = player.play(function, first, end);
    first = end;
  }
  return chains;
}

}  // namespace warpwise::perf
