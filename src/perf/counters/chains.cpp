#include "perf/counters/chains.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "device/machine.h"
#include "perf/counters/issue_order.h"
#include "perf/counters/operands.h"
#include "perf/counters/sass_forms.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {

namespace {

// Clocks, measured on an H200; other GPUs are assumed to be alike. A loop of one warp with a multiply-add, the step of
// its counter, the comparison and the branch takes 29.1 clocks an iteration, as long as it has no more than 4 dependent
// multiply-adds; with 16, which take 64 clocks, 71.2. So a branch takes kBranch beyond its own clock, and kPredicate
// pass from the comparison to it beyond the latency of arithmetic.
constexpr double kBranch = 7, kPredicate = 13;
// Where lanes reconverge (BSYNC), and behind it: by ncu's "branch resolving" and "wait" of three kernels of
// HeCBench 8.0 and 3.5, 8.1 and 3.7, 9.0 and 4.0.
constexpr double kReconvergence = 12;
// The special function unit of a quarter of a multiprocessor has four lanes: a warp keeps it busy for so long, and its
// next instruction for that unit waits (ncu's "wait" of two in a row in HeCBench `tsp`: 6 to 7).
constexpr double kSpecialUnit = 8;
// What passes between two instructions of a warp where an ideal order would leave nothing. Independent multiply-adds of
// one warp follow each other clock by clock (measured). Integers' pipe takes a warp in two clocks, and the order of
// ptxas is not ideal: in 44 kernels of HeCBench (docs/model.md), ncu's "wait" and "branch resolving" are 0.9 of the
// waits that follow from dependences and 1.15 clocks for each instruction.
constexpr double kGap = 1;

// Arithmetic of floats, and products of matrices.
bool follows_at_once(const InstructionClass& cls) {
  return cls.pipe == Counter::PipeFp16 || cls.pipe == Counter::PipeFp64 || cls.pipe == Counter::PipeTensor ||
         (cls.pipe == Counter::PipeFma && cls.lane_op != Counter::IntegerOps);
}

// What is waited for a result that the next instruction needs: its own clock is none of it (fixed_wait).
double nominal_wait(Step step, double load) {
  const bool fixed =
      step == Step::Fma || step == Step::Fp64 || step == Step::Xu || step == Step::Shared || step == Step::Tensor;
  return step == Step::Global ? load : nominal_latency(step) - (fixed ? 1 : 0);
}

double* field_of(ChainSteps& steps, Step step) {
  switch (step) {
    case Step::Fma:
      return &steps.fma;
    case Step::Fp64:
      return &steps.fp64;
    case Step::Xu:
      return &steps.xu;
    case Step::Shared:
      return &steps.shared;
    case Step::Global:
      return &steps.global;
    case Step::Atomic:
      return &steps.atomic;
    case Step::Tensor:
      return &steps.tensor;
    case Step::Barrier:
      return &steps.barrier;
    case Step::Branch:
      return &steps.branch;
    case Step::Gap:
      return &steps.gap;
    case Step::None:
      break;
  }
  return nullptr;
}

// Whether a warp waits at it until all of the device can see what it has stored.
bool is_device_fence(const ptx::Instruction& instruction) {
  if (instruction.spec().name != "membar" && instruction.spec().name != "fence") return false;
  return std::none_of(instruction.mods.begin(), instruction.mods.end(),
                      [](ptx::Mod mod) { return mod == ptx::Mod::Cta || mod == ptx::Mod::Cluster; });
}

class Player {
 public:
  // `load`: the latency of global loads.
  explicit Player(double load = nominal_latency(Step::Global)) : load_(load) {}
  // Of the blocks that follow: ptxas has moved comparisons far enough above their branches.
  void have_comparisons_early(bool early) { predicate_ = early ? 0 : kPredicate; }

  BlockChain play(const ptx::Function& function, const std::vector<InstructionClass>& classes,
                  const std::vector<uint32_t>& order, const std::vector<uint32_t>& origins = {}) {
    begin();
    if (!order.empty()) {
      const auto [first, last] = std::minmax_element(order.begin(), order.end());
      under_way_.set_room(room_for_loads(function, *first, *last + 1));
    }
    for (uint32_t i : order) reconverge(classes[i].reconvergence.waits);
    for (uint32_t i : order) issue(function.instructions[i], classes[i], origins.empty() ? i : origins[i]);
    chain_.issued = issued_;
    return chain_;
  }

  // At barriers of lanes, which a warp has set before.
  void reconverge(unsigned barriers) {
    constexpr unsigned kSetAndWait = 2;
    now_ += kSetAndWait * barriers, issued_ += kSetAndWait * barriers;
    wait_for({now_ + kReconvergence * barriers, Step::Branch});
  }

  // Step by step: what has been waited for and issued since begin().
  void begin() { chain_ = {}, issued_ = 0, waited_from_ = waited_until_ = now_; }
  // `index`: by which the instruction is known in LoadWait.
  void issue(const ptx::Instruction& instruction, const InstructionClass& cls, uint32_t index);
  const ChainSteps& steps() const { return chain_.steps; }
  double issued() const { return issued_; }

 private:
  static constexpr uint32_t kNoLoad = ~0u;
  struct Ready {
    double at = 0;
    Step by = Step::None;
    uint32_t load = kNoLoad;
    double issued = 0;  // of a load
  };

  void pass_on(const ptx::Instruction& instruction, Ready ready);
  void wait_for(const Ready& ready);
  // Whether it was under way during the last wait for loads. Then it is part of that.
  bool was_under_way(const Ready& ready) const {
    return ready.by == Step::Global && ready.load != kNoLoad && !chain_.load_waits.empty() && ready.at > waited_from_ &&
           ready.issued < waited_until_;
  }
  void join(uint32_t load) {
    std::vector<uint32_t>& loads = chain_.load_waits.back().loads;
    if (std::find(loads.begin(), loads.end(), load) == loads.end()) loads.push_back(load);
  }

  double latency_of(Step step) const { return step == Step::Global ? load_ : nominal_latency(step); }

  double load_;
  bool stored_ = false;  // since the last fence
  double predicate_ = kPredicate, special_unit_free_ = 0;
  std::unordered_map<ptx::RegisterId, Ready> ready_;
  std::vector<double> loads_;  // when those of memory that are under way will be there
  LoadsUnderWay under_way_;
  double now_ = 0, issued_ = 0;
  Ready copies_;
  double waited_from_ = 0, waited_until_ = 0;  // for the last entry of chain_.load_waits
  BlockChain chain_;
};

void Player::issue(const ptx::Instruction& instruction, const InstructionClass& cls, uint32_t index) {
  Ready latest;
  std::vector<Ready> needed;  // of loads
  auto need = [&](ptx::RegisterId reg) {
    auto found = ready_.find(reg);
    if (found == ready_.end()) return;
    if (found->second.at > latest.at) latest = found->second;
    if (found->second.by == Step::Global) needed.push_back(found->second);
  };
  const bool branches = cls.pipe == Counter::PipeCbu && simt::ends_block(instruction);
  if (instruction.guard.present) {
    need(instruction.guard.reg);
    if (branches && latest.by == Step::Fma) latest = {latest.at + predicate_ * cls.times, Step::Branch};
  }
  for (size_t n = 0; n < instruction.operands.size(); ++n)
    if (!is_result(instruction, n)) for_each_register(instruction.operands[n], need);
  const std::string_view row = instruction.spec().name;
  const bool awaits_copies = row == "cp_async_wait_group" || row == "cp_async_wait_all" ||
                             row == "cp_async_bulk_wait_group" || row.starts_with("mbarrier_test_wait") ||
                             row.starts_with("mbarrier_try_wait");
  if (awaits_copies && copies_.at > latest.at) latest = copies_;
  if (!cls.counted || cls.times == 0) {  // another name for the same value: who uses it waits
    now_ += cls.constants, issued_ += cls.constants;
    pass_on(instruction, latest);
    return;
  }
  wait_for(latest);
  for (const Ready& load : needed)
    if (was_under_way(load)) join(load.load);
  const unsigned words = words_loaded(instruction);
  if (words > 0) wait_for({under_way_.room(words, now_), Step::Global});
  // What has been stored has to reach L2, and the answer to come back, before anything else goes on: 16 stores with a
  // fence behind each take 569 clocks each, on an H200.
  if (stored_ && is_device_fence(instruction)) {
    wait_for({now_ + 2 * nominal_latency(Step::Atomic), Step::Atomic});
    stored_ = false;
  }
  const std::string_view opcode = instruction.spec().opcode;
  stored_ = stored_ || opcode == "st" || opcode == "red" || opcode == "atom";
  if (cls.pipe == Counter::PipeXu) {
    wait_for({special_unit_free_, Step::Gap});
    special_unit_free_ = now_ + kSpecialUnit;
  }
  now_ += cls.constants, issued_ += cls.constants;
  if (cls.step == Step::Barrier) chain_.steps.barrier += 1;
  // What ptxas makes several of is its own chain: the warp comes to the end of it before it goes on.
  const double slots_taken = cls.form ? cls.form->instructions() : cls.times;
  const double issued_at = now_;
  const double there = now_ + std::max(slots_taken, cls.form ? cls.form->clocks : latency_of(cls.step));
  now_ += slots_taken, issued_ += slots_taken;
  if (cls.form && cls.form->branches > 0) wait_for({there, Step::Fma});
  if (!cls.form && !branches && !follows_at_once(cls)) wait_for({now_ + kGap * slots_taken, Step::Gap});
  if (branches) wait_for({now_ + kBranch * slots_taken, Step::Branch});
  if (row == "cp_async" || row.starts_with("cp_async_bulk_load") || row.starts_with("cp_async_bulk_tensor_load"))
    copies_ = {now_ + load_, Step::Global, index, issued_at};
  if (cls.step == Step::Global && !awaits_copies) loads_.push_back(there);
  under_way_.add(there, words, now_);
  for_each_result(instruction, [&](ptx::RegisterId reg) { ready_[reg] = {there, cls.step, index, issued_at}; });
}

void Player::pass_on(const ptx::Instruction& instruction, Ready ready) {
  const auto slots = instruction.spec().operands;
  for (size_t n = 0; n < instruction.operands.size() && n < slots.size(); ++n)
    if (slots[n].written) for_each_register(instruction.operands[n], [&](ptx::RegisterId reg) { ready_[reg] = ready; });
}

void Player::wait_for(const Ready& ready) {
  if (ready.at <= now_) return;
  const double wait = ready.at - now_;
  if (double* field = field_of(chain_.steps, ready.by)) *field += wait / nominal_wait(ready.by, load_);
  if (ready.by == Step::Global) {
    std::erase_if(loads_, [&](double there) { return there <= now_; });
    const double in_flight = double(std::max<size_t>(1, loads_.size()));
    chain_.waits += wait;
    chain_.in_flight += wait * in_flight;
    if (was_under_way(ready)) {
      join(ready.load);
    } else {
      chain_.load_waits.push_back({{}, 0, in_flight});
      if (ready.load != kNoLoad) join(ready.load);
      waited_from_ = now_;
    }
    chain_.load_waits.back().steps += wait / load_;
    waited_until_ = ready.at;
  }
  now_ = ready.at;
}

// Three players side by side (chains.h).
class Players {
 public:
  BlockChain play(const ptx::Function& function, const std::vector<InstructionClass>& classes,
                  const std::vector<uint32_t>& order, const std::vector<uint32_t>& origins = {}) {
    BlockChain chain = in_l2_.play(function, classes, order, origins);
    chain.in_l1 = in_l1_.play(function, classes, order, origins).steps.global;
    chain.from_memory = from_memory_.play(function, classes, order, origins).steps.global;
    return chain;
  }

 private:
  Player in_l2_, in_l1_{kNominalL1}, from_memory_{kNominalMemory};
};

// A loop of one block as ptxas unrolls it: the copies follow each other without a test in between, and each writes
// registers of its own, so that their loads are under way together.
struct Unrolled {
  ptx::Function function;  // its instructions alone
  std::vector<InstructionClass> classes;
  std::vector<uint32_t> origins;  // of which instruction of the loop each is a copy
};

template <class Name>
void rename(ptx::Operand& operand, Name name) {
  using Kind = ptx::Operand::Kind;
  if (operand.is(Kind::Register) || (operand.is(Kind::Address) && operand.base == ptx::Operand::Base::Register))
    operand.reg = name(operand.reg);
  for (ptx::Operand& element : operand.elements) rename(element, name);
}

Unrolled unroll(const ptx::Function& function, const std::vector<InstructionClass>& classes, uint32_t first,
                uint32_t end, unsigned turns) {
  Unrolled loop;
  std::unordered_map<ptx::RegisterId, ptx::RegisterId> names;
  auto next = static_cast<ptx::RegisterId>(function.registers.size());
  for (unsigned turn = 0; turn < turns; ++turn) {
    const bool last = turn + 1 == turns;
    for (uint32_t i = first; i < end; ++i) {
      ptx::Instruction copy = function.instructions[i];
      InstructionClass cls = classes[i];
      if (cls.times == 1.0F / float(turns)) {  // the counter, its comparison and the branch: once for all turns
        if (!last && copy.spec().opcode != "add") continue;
        cls.times = last ? 1 : 0;
      }
      const auto now = [&](ptx::RegisterId reg) {
        const auto found = names.find(reg);
        return found == names.end() ? reg : found->second;
      };
      copy.guard.reg = now(copy.guard.reg);
      for (size_t n = 0; n < copy.operands.size(); ++n)
        if (!is_result(copy, n)) rename(copy.operands[n], now);
      for (size_t n = 0; n < copy.operands.size(); ++n)
        if (is_result(copy, n))
          rename(copy.operands[n], [&](ptx::RegisterId reg) {
            // The next iteration finds what is carried to it where the first copy reads it.
            if (last) names.erase(reg);
            return last ? reg : names[reg] = next++;
          });
      loop.function.instructions.push_back(std::move(copy));
      loop.classes.push_back(cls);
      loop.origins.push_back(i);
    }
  }
  return loop;
}

// Clocks that a warp waits for, by the device's latencies.
double clocks_of(const ChainSteps& s, const device::Machine& m) {
  return fixed_wait(s, m) + s.global * m.l2_latency + s.atomic * m.l2_latency + s.barrier * m.barrier_latency;
}

}  // namespace

void add(BlockChain& to, const BlockChain& chain, double times) {
  using S = ChainSteps;
  for (double S::* step :
       {&S::fma, &S::fp64, &S::xu, &S::shared, &S::global, &S::atomic, &S::tensor, &S::barrier, &S::branch, &S::gap})
    to.steps.*step += times * chain.steps.*step;
  using B = BlockChain;
  for (double B::* sum : {&B::in_l1, &B::from_memory, &B::waits, &B::in_flight, &B::issued})
    to.*sum += times * chain.*sum;
  for (LoadWait wait : chain.load_waits) {
    wait.steps *= times;
    to.load_waits.push_back(std::move(wait));
  }
}

double fixed_wait(const ChainSteps& s, const device::Machine& m) {
  return s.fma * (m.fma_latency - 1) + s.fp64 * (m.fp64_latency - 1) + s.xu * (m.special_latency - 1) +
         s.shared * (m.shared_latency - 1) + s.tensor * (m.tensor_latency - 1) + s.branch + s.gap;
}

bool reads_clock(const ptx::Instruction& instruction) {
  using ptx::SpecialRegister;
  return std::any_of(instruction.operands.begin(), instruction.operands.end(), [](const ptx::Operand& operand) {
    if (!operand.is(ptx::Operand::Kind::Special)) return false;
    switch (operand.special) {
      case SpecialRegister::Clock:
      case SpecialRegister::ClockHi:
      case SpecialRegister::Clock64:
      case SpecialRegister::GlobalTimer:
      case SpecialRegister::GlobalTimerLo:
      case SpecialRegister::GlobalTimerHi:
        return true;
      default:
        return false;
    }
  });
}

std::vector<uint32_t> clocks_before(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                    const device::Machine& machine, bool at_barriers) {
  std::vector<uint32_t> before(starts.size(), 0);
  const std::vector<InstructionClass> classes = classes_of(function, starts);
  Player player;
  for (uint32_t first = 0; first < starts.size();) {
    const uint32_t end = end_of(starts, first);
    // The instructions come in the order of the text here, where the comparison stands at the end, while ptxas moves it
    // up. Not where it compares the clock.
    player.have_comparisons_early(
        std::none_of(function.instructions.begin() + first, function.instructions.begin() + end, reads_clock));
    if (loops_to_itself(function, first, end))
      for (uint32_t i = first; i < end; ++i) player.issue(function.instructions[i], classes[i], i);
    player.begin();
    for (uint32_t i = first; i < end; ++i) {
      const ptx::Instruction& instruction = function.instructions[i];
      const bool last = i + 1 == end,
                 asks = reads_clock(instruction) || (at_barriers && classes[i].step == Step::Barrier);
      if (last && !asks) player.issue(instruction, classes[i], i);
      if (last || asks) {
        before[i] = static_cast<uint32_t>(std::lround(player.issued() + clocks_of(player.steps(), machine)));
        player.begin();
      }
      if (!last || asks) player.issue(instruction, classes[i], i);
    }
    first = end;
  }
  return before;
}

namespace {

// For each loop, by its first instruction, the one behind it.
std::map<uint32_t, uint32_t> ends_of_loops(const ptx::Function& function) {
  std::map<uint32_t, uint32_t> ends;
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    const size_t target = target_of_branch(function, function.instructions[i]);
    if (target > i) continue;
    uint32_t& end = ends[uint32_t(target)];
    end = std::max(end, i + 1);
  }
  return ends;
}

}  // namespace

std::vector<uint32_t> preceding_blocks(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                       const std::vector<double>& times) {
  const std::map<uint32_t, uint32_t> ends = ends_of_loops(function);
  std::vector<uint32_t> preceding(starts.size(), kNoBlock), above;
  for (uint32_t block = 0; block < starts.size(); block = end_of(starts, block)) {
    if (times[block] <= 0) continue;
    double entries = times[block];
    if (const auto loop = ends.find(block); loop != ends.end())
      entries = loop->second < starts.size() ? std::min(entries, times[starts[loop->second]]) : 0;
    const auto found =
        std::find_if(above.rbegin(), above.rend(), [&](uint32_t other) { return times[other] >= entries / 2; });
    preceding[block] = found == above.rend() ? kBegins : *found;
    above.push_back(block);
  }
  return preceding;
}

namespace {

// Of a block that loops to itself.
void play_loop(Players& player, const ptx::Function& function, const std::vector<InstructionClass>& classes,
               uint32_t first, uint32_t end, const std::vector<uint32_t>& as_it_stands, Chains& chains) {
  LoopChains& loop = chains.loops[first];
  Players unrolled = player;
  loop.at_entry_of_single_turn = player.play(function, classes, as_it_stands);
  loop.single_turn = player.play(function, classes, as_it_stands);
  add(loop.at_entry_of_single_turn, loop.single_turn, -1);
  const unsigned turns = turns_at_once(function, classes, first, end);
  if (turns == 1) {
    loop.at_entry = loop.at_entry_of_single_turn;
    chains.blocks[first] = loop.single_turn;
    return;
  }
  player = std::move(unrolled);
  const Unrolled body = unroll(function, classes, first, end, turns);
  const std::vector<uint32_t> order =
      issue_order(body.function, body.classes, 0, uint32_t(body.function.instructions.size()));
  loop.at_entry = player.play(body.function, body.classes, order, body.origins);
  const BlockChain turn = player.play(body.function, body.classes, order, body.origins);
  add(loop.at_entry, turn, -1);
  add(chains.blocks[first], turn, 1.0 / turns);
}

}  // namespace

Chains chains_of(const ptx::Function& function, const std::vector<uint32_t>& starts,
                 const std::vector<InstructionClass>& classes, const std::vector<uint32_t>& preceding) {
  const std::vector<uint32_t> single = simt::block_starts(function);
  std::map<uint32_t, unsigned> followers;  // of each block, still to come
  for (uint32_t block : preceding)
    if (block != kNoBlock && block != kBegins) ++followers[block];
  std::map<uint32_t, Players> after;  // blocks that have followers
  Chains chains;
  for (uint32_t first = 0, end; first < starts.size(); first = end) {
    end = end_of(starts, first);
    if (preceding[first] == kNoBlock) continue;
    Players player;
    if (const auto before = after.find(preceding[first]); before != after.end()) {
      if (--followers[preceding[first]] > 0) {
        player = before->second;
      } else {
        player = std::move(before->second);
        after.erase(before);
      }
    }
    const std::vector<uint32_t> order = issue_order(function, classes, first, end);
    const bool joined = end_of(single, first) != end;
    if (!loops_to_itself(function, first, end)) {
      chains.blocks[first] = player.play(function, classes, order);
    } else if (joined) {
      player.play(function, classes, order);
      chains.blocks[first] = player.play(function, classes, order);
    } else {
      play_loop(player, function, classes, first, end, order, chains);
    }
    if (followers.contains(first)) after.emplace(first, std::move(player));
  }
  return chains;
}

}  // namespace warpwise::perf
