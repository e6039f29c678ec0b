#include "perf/counters/latency.h"

#include <algorithm>
#include <cmath>

#include "perf/counters/loop_turns.h"

namespace warpwise::perf {

namespace {

// The share of atomics that a block executes after its last load and a barrier. Apart from loops, a block executes
// instructions in the order of the text, so the code after the last load in the text follows all loads.
double late_atomics(const KernelFacts& facts, const CellSums<double>& sums) {
  double all = 0, late = 0;
  bool after_barrier = false;
  for (uint32_t cell = 0; cell < facts.cells().size(); ++cell) {
    const InstructionFacts& i = facts.cells()[cell];
    if (i.waits_at_barrier && sums.words[size_t{i.start} * simt::kCellWords + simt::kCellWarps] > 0)
      after_barrier = true;
    if (i.access_index == kNoAccess) continue;
    const double requests = sums.accesses[i.access_index][size_t(Reached::Global)].requests;
    if (requests == 0) continue;
    if (i.access.kind == simt::CountedKind::Load || i.access.kind == simt::CountedKind::AsyncCopy)
      after_barrier = false, late = 0;
    if (i.access.kind != simt::CountedKind::Atomic && i.access.kind != simt::CountedKind::Reduction) continue;
    all += requests;
    if (after_barrier) late += requests;
  }
  return all > 0 ? late / all : 0;
}

// Of loads that were under way together: a wait ends with the slowest. Loads that miss tend to miss together, so that
// half of those under way count as independent.
std::optional<WaitedLoads> found_by(const LoadWait& wait, const KernelFacts& facts,
                                    const std::vector<std::optional<WaitedLoads>>& sites) {
  double in_l1 = 1, beyond = 0, missed = 0, first = 0;
  for (uint32_t load : wait.loads) {
    const uint32_t site = facts.cells()[load].access_index;
    if (site >= sites.size() || !sites[site]) return std::nullopt;
    const double out = 1 - sites[site]->in_l1;
    in_l1 = std::min(in_l1, sites[site]->in_l1), beyond = std::max(beyond, out);
    missed = std::max(missed, out * sites[site]->missed), first = std::max(first, out * sites[site]->first);
  }
  if (wait.loads.empty()) return std::nullopt;
  const double together = std::max(1.0, (1 + wait.in_flight) / 2);
  return WaitedLoads{std::pow(in_l1, together), beyond > 0 ? missed / beyond : 0, beyond > 0 ? first / beyond : 0};
}

// The average of all waits of known loads.
std::optional<WaitedLoads> found_by_all(const std::vector<LoadWait>& waits, const KernelFacts& facts,
                                        const std::vector<std::optional<WaitedLoads>>& sites) {
  double steps = 0, beyond = 0;
  WaitedLoads sum;
  for (const LoadWait& wait : waits) {
    const std::optional<WaitedLoads> found = found_by(wait, facts, sites);
    if (!found) continue;
    const double out = wait.steps * (1 - found->in_l1);
    steps += wait.steps, beyond += out;
    sum.in_l1 += wait.steps * found->in_l1, sum.missed += out * found->missed, sum.first += out * found->first;
  }
  if (steps <= 0) return std::nullopt;
  return WaitedLoads{sum.in_l1 / steps, beyond > 0 ? sum.missed / beyond : 0, beyond > 0 ? sum.first / beyond : 0};
}

// The waits of a block that runs `times[cell]` times. A load that runs less often than what waits for it, as one before
// a loop of several blocks does, is waited for only as often as it runs.
BlockChain as_often_as_loaded(BlockChain chain, uint32_t cell, const KernelFacts& facts,
                              const std::vector<double>& times) {
  std::vector<LoadWait> waits;
  double before = 0, after = 0;
  for (LoadWait& wait : chain.load_waits) {
    const auto share = [&](uint32_t load) { return std::min(1.0, times[facts.cells()[load].start] / times[cell]); };
    before += wait.steps;
    std::sort(wait.loads.begin(), wait.loads.end(), [&](uint32_t a, uint32_t b) { return share(a) > share(b); });
    if (wait.loads.empty() || share(wait.loads.back()) == 1) {
      after += wait.steps;
      waits.push_back(std::move(wait));
      continue;
    }
    after += wait.steps * share(wait.loads.front());
    const double others = wait.in_flight - double(wait.loads.size());
    for (size_t n = wait.loads.size(); n > 0; --n) {
      const double next = n < wait.loads.size() ? share(wait.loads[n]) : 0, so_often = share(wait.loads[n - 1]) - next;
      if (so_often > 0)
        waits.push_back({{wait.loads.begin(), wait.loads.begin() + ptrdiff_t(n)},
                         wait.steps * so_often,
                         std::max(1.0, others + double(n))});
    }
  }
  chain.load_waits = std::move(waits);
  if (after < before)
    for (double* sum : {&chain.steps.global, &chain.in_l1, &chain.from_memory, &chain.waits, &chain.in_flight})
      *sum *= after / before;
  return chain;
}

// Of loops that are longer than what the caches of code nearest to a multiprocessor hold, the instructions that come
// anew in each turn but the first. Measured on an H200, with loops of independent multiply-adds: one of 2048 comes no
// slower than short ones, of 4096 more than half have to be waited for, and of 8192 all.
double code_again(const KernelFacts& facts, const Chains& chains, const std::vector<double>& times) {
  constexpr double kHeld = 2048, kNotHeld = 6144;
  double again = 0;
  for (const Phase& loop : facts.phases()) {
    if (loop.back.empty()) continue;
    double length = 0, turns = 0;
    for (auto block = chains.blocks.lower_bound(loop.first); block != chains.blocks.end() && block->first < loop.end;
         ++block) {
      length += block->second.issued;
      turns = turns == 0 ? times[block->first] : std::min(turns, times[block->first]);
    }
    const double out = std::clamp((length - kHeld) / (kNotHeld - kHeld), 0.0, 1.0);
    again += out * length * std::max(0.0, turns - 1);
  }
  return again;
}

// How often a block waits for others. A warp of it waits for all, or each of them does.
double block_waits(const KernelFacts& facts, const CellSums<double>& sums, double warps, double blocks) {
  double waits = 0;
  for (const WaitLoop& loop : facts.wait_loops()) {
    double times = 0;
    for (uint32_t load : loop.loads)
      times = std::max(times, sums.accesses[facts.cells()[load].access_index][size_t(Reached::Global)].requests);
    // What has to wait here, too, looks again.
    if (loop.first > 0) {
      const uint32_t above = facts.cells()[loop.first - 1].start;
      const double entries = sums.words[size_t{above} * simt::kCellWords + simt::kCellWarps];
      if (entries > 0) times = std::min(times, entries);
    }
    waits += times >= warps ? times / warps : times / blocks;
  }
  return waits;
}

}  // namespace

LatencyProfile latency_of(const KernelFacts& facts, const CellSums<double>& sums, uint64_t warps, uint64_t blocks,
                          const std::vector<std::optional<WaitedLoads>>& sites) {
  LatencyProfile profile;
  BlockChain total;
  const double of_one = 1 / double(std::max<uint64_t>(warps, 1));
  std::vector<double> times(facts.cells().size(), 0);
  for (uint32_t cell = 0; cell < times.size(); ++cell)
    if (facts.cells()[cell].start == cell)
      times[cell] = sums.words[size_t{cell} * simt::kCellWords + simt::kCellWarps] * of_one;
  const std::shared_ptr<const Chains> chains = facts.chains(times);
  for (const auto& [cell, chain] : chains->blocks) {
    profile.code_blocks += 1, profile.code_instructions += chain.issued;
    const auto loop = facts.loops().find(cell);
    if (loop == facts.loops().end()) {
      if (times[cell] > 0) add(total, as_often_as_loaded(chain, cell, facts, times), times[cell]);
      continue;
    }
    const LoopChains& of_loop = chains->loops.at(cell);
    const double unrolled = share_unrolled(facts, sums, cell);
    add(total, chain, unrolled * times[cell]);
    if (unrolled < 1) add(total, of_loop.single_turn, (1 - unrolled) * times[cell]);
    add(total, unrolled > 0 ? of_loop.at_entry : of_loop.at_entry_of_single_turn,
        entries_of(loop->second, sums, cell) * of_one);
  }
  profile.code_again = code_again(facts, *chains, times);
  // What a slow way takes beyond the clocks in which its instructions are issued.
  for (uint32_t cell = 0; cell < facts.cells().size(); ++cell)
    if (const SassForm* slow = facts.cells()[cell].cls.slow_way)
      total.steps.gap += sums.words[size_t{cell} * simt::kCellWords + simt::kCellOnWarps] * of_one *
                         (double(slow->clocks) - slow->instructions());
  profile.chain = total.steps;
  if (total.steps.global > 0)
    profile.in_l1 = total.in_l1 / total.steps.global, profile.from_memory = total.from_memory / total.steps.global;
  profile.loads_in_flight = total.waits > 0 ? total.in_flight / total.waits : 0;
  profile.block_waits =
      block_waits(facts, sums, double(std::max<uint64_t>(warps, 1)), double(std::max<uint64_t>(blocks, 1)));
  profile.late_atomics = late_atomics(facts, sums);
  profile.waited = found_by_all(total.load_waits, facts, sites);
  return profile;
}

}  // namespace warpwise::perf
