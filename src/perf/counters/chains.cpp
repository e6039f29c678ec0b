#include "perf/counters/chains.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "device/machine.h"

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
  BlockChain play(const ptx::Function& function, const std::vector<uint32_t>& order) {
    begin();
    for (uint32_t i : order) issue(function.instructions[i]);
    return chain_;
  }

  // Step by step: what has been waited for and issued since begin().
  void begin() { chain_ = {}, issued_ = 0; }
  void issue(const ptx::Instruction& instruction);
  const ChainSteps& steps() const { return chain_.steps; }
  double issued() const { return issued_; }

 private:
  struct Ready {
    double at = 0;
    Step by = Step::None;
  };

  void pass_on(const ptx::Instruction& instruction, Ready ready);
  void wait_for(const Ready& ready);

  std::unordered_map<ptx::RegisterId, Ready> ready_;
  std::vector<double> loads_;  // when those under way will be there
  double now_ = 0, copies_at_ = 0, issued_ = 0;
  BlockChain chain_;
};

void Player::issue(const ptx::Instruction& instruction) {
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
  now_ += 1, issued_ += 1;
  const double there = now_ + latency_of(cls.step);
  if (row == "cp_async" || row.starts_with("cp_async_bulk_load") || row.starts_with("cp_async_bulk_tensor_load")) copies_at_ = now_ + latency_of(Step::Global);
  if (cls.step == Step::Global && !awaits_copies) loads_.push_back(there);
  for (size_t n = 0; n < instruction.operands.size(); ++n)
    if (written(n) && !instruction.operands[n].is(ptx::Operand::Kind::Address))
      for_each_register(instruction.operands[n], [&](ptx::RegisterId reg) { ready_[reg] = {there, cls.step}; });
}

void Player::pass_on(const ptx::Instruction& instruction, Ready ready) {
  const auto slots = instruction.spec().operands;
  for (size_t n = 0; n < instruction.operands.size() && n < slots.size(); ++n)
    if (slots[n].written) for_each_register(instruction.operands[n], [&](ptx::RegisterId reg) { ready_[reg] = ready; });
}

void Player::wait_for(const Ready& ready) {
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

bool goes_to(const ptx::Function& function, const ptx::Instruction& branch, uint32_t first) {
  if (branch.spec().opcode != "bra") return false;
  const ptx::SymbolRef target = branch.operands[0].symbol;
  return target.kind == ptx::SymbolRef::Kind::Label && function.labels[target.index].instruction == first;
}

// Whether the block goes back to its first instruction: by its last, or, where that leaves the loop, by the next one (`@p bra OUT; bra LOOP`).
bool loops_to_itself(const ptx::Function& function, uint32_t first, uint32_t end) {
  const ptx::Instruction& last = function.instructions[end - 1];
  if (goes_to(function, last, first)) return true;
  if (end == function.instructions.size()) return false;
  const ptx::Instruction& next = function.instructions[end];
  return last.guard.present && last.spec().opcode == "bra" && !next.guard.present && goes_to(function, next, first);
}

// The order in which ptxas is taken to issue a block's instructions: loads, and what their addresses are made of, come before the
// instructions that stand in front of them, a few at a time, so that they are under way together. Nothing passes a store, a barrier or
// whatever else has an effect. (A loop that the front end has unrolled has its loads one by one between the arithmetic.)
class Schedule {
 public:
  explicit Schedule(const ptx::Function& function) : function_(function) {}

  std::vector<uint32_t> of(uint32_t first, uint32_t end) {
    order_.clear();
    for (uint32_t at = first; at < end;) {
      uint32_t stop = at;
      while (stop < end && may_move(function_.instructions[stop])) ++stop;
      piece(at, stop);
      if (stop < end) order_.push_back(stop++);
      at = stop;
    }
    return std::move(order_);
  }

 private:
  // Loads that are brought forward together; more of them want too many registers.
  static constexpr unsigned kTogether = 8;

  static bool is_load(const ptx::Instruction& instruction) {
    const std::string_view row = instruction.spec().name;
    return (instruction.spec().opcode == "ld" && row != "ld_volatile" && row != "ld_sem" && row != "ld_mmio" && row != "ld_param") || row == "ldmatrix";
  }
  static bool may_move(const ptx::Instruction& instruction) {
    if (is_load(instruction)) return true;
    switch (instruction.spec().unit) {
      case ptx::Unit::Alu: case ptx::Unit::Fp32: case ptx::Unit::Fp64: case ptx::Unit::Half: case ptx::Unit::Sfu: break;
      default: return instruction.spec().name == "ld_param";
    }
    constexpr std::string_view kMeet[] = {"vote", "match", "redux", "elect", "activemask", "nanosleep", "pmevent", "alloca", "stackrestore"};
    return std::find(std::begin(kMeet), std::end(kMeet), instruction.spec().opcode) == std::end(kMeet) && !reads_clock(instruction);
  }

  // Instructions without effect, and loads.
  void piece(uint32_t first, uint32_t end) {
    first_ = first, end_ = end;
    emitted_.assign(end - first, false);
    std::unordered_map<ptx::RegisterId, uint32_t> writers;
    makers_.assign(end - first, {});
    for (uint32_t i = first; i < end; ++i) {
      const ptx::Instruction& instruction = function_.instructions[i];
      const auto slots = instruction.spec().operands;
      const auto need = [&](ptx::RegisterId reg) {
        if (auto found = writers.find(reg); found != writers.end()) makers_[i - first].push_back(found->second);
      };
      if (instruction.guard.present) need(instruction.guard.reg);
      for (size_t n = 0; n < instruction.operands.size(); ++n) {
        const bool written = n < slots.size() && slots[n].written && !instruction.operands[n].is(ptx::Operand::Kind::Address);
        // Who writes a register anew, or a part of it, comes behind its last writer, too.
        for_each_register(instruction.operands[n], [&](ptx::RegisterId reg) {
          need(reg);
          if (written) writers[reg] = i;
        });
      }
    }
    unsigned together = 0;
    for (uint32_t i = first; i < end; ++i) {
      if (!is_load(function_.instructions[i]) || emitted_[i - first]) continue;
      if (together == kTogether) {
        for (uint32_t before = first; before < i; ++before) emit(before);
        together = 0;
      }
      emit(i);
      ++together;
    }
    for (uint32_t i = first; i < end; ++i) emit(i);
  }
  void emit(uint32_t i) {
    if (emitted_[i - first_]) return;
    emitted_[i - first_] = true;
    for (uint32_t maker : makers_[i - first_]) emit(maker);
    order_.push_back(i);
  }

  const ptx::Function& function_;
  uint32_t first_ = 0, end_ = 0;
  std::vector<bool> emitted_;
  std::vector<std::vector<uint32_t>> makers_;  // by instruction: those before it that it needs
  std::vector<uint32_t> order_;
};

// Clocks that a warp waits for, by the device's latencies.
double clocks_of(const ChainSteps& s, const device::Machine& m) {
  return s.fma * m.fma_latency + s.fp64 * m.fp64_latency + s.xu * m.special_latency + s.shared * m.shared_latency + s.global * m.l2_latency +
         s.atomic * m.l2_latency + s.tensor * m.tensor_latency + s.barrier * m.barrier_latency;
}

}  // namespace

bool reads_clock(const ptx::Instruction& instruction) {
  using ptx::SpecialRegister;
  return std::any_of(instruction.operands.begin(), instruction.operands.end(), [](const ptx::Operand& operand) {
    if (!operand.is(ptx::Operand::Kind::Special)) return false;
    switch (operand.special) {
      case SpecialRegister::Clock: case SpecialRegister::ClockHi: case SpecialRegister::Clock64: case SpecialRegister::GlobalTimer:
      case SpecialRegister::GlobalTimerLo: case SpecialRegister::GlobalTimerHi: return true;
      default: return false;
    }
  });
}

std::vector<uint32_t> clocks_before(const ptx::Function& function, const std::vector<uint32_t>& starts, const device::Machine& machine) {
  std::vector<uint32_t> before(starts.size(), 0);
  Player player;
  for (uint32_t first = 0; first < starts.size();) {
    uint32_t end = first + 1;
    while (end < starts.size() && starts[end] == first) ++end;
    if (loops_to_itself(function, first, end))
      for (uint32_t i = first; i < end; ++i) player.issue(function.instructions[i]);
    player.begin();
    for (uint32_t i = first; i < end; ++i) {
      const ptx::Instruction& instruction = function.instructions[i];
      const bool last = i + 1 == end, asks = reads_clock(instruction);
      if (last && !asks) player.issue(instruction);
      if (last || asks) {
        before[i] = static_cast<uint32_t>(std::lround(std::max(player.issued(), clocks_of(player.steps(), machine))));
        player.begin();
      }
      if (!last || asks) player.issue(instruction);
    }
    first = end;
  }
  return before;
}

std::vector<BlockChain> chains_of(const ptx::Function& function, const std::vector<uint32_t>& starts) {
  std::vector<BlockChain> chains(starts.size());
  Player player;
  Schedule schedule(function);
  for (uint32_t first = 0; first < starts.size();) {
    uint32_t end = first + 1;
    while (end < starts.size() && starts[end] == first) ++end;
    const std::vector<uint32_t> order = schedule.of(first, end);
    chains[first] = player.play(function, order);
    if (loops_to_itself(function, first, end)) chains[first] = player.play(function, order);
    first = end;
  }
  return chains;
}

}  // namespace warpwise::perf
