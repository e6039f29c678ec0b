#include "perf/counters/sums.h"

#include <algorithm>
#include <cmath>

namespace warpwise::perf {

using simt::CountedAccess;
using simt::CountedKind;
using simt::CountedSpace;

namespace {

// How often warps come to a loop of one block; 0: not known. The blocks before and behind the loop are executed each
// time that it is entered, and by warps that pass it by.
template <class Number>
double entries_of(const Loop& loop, const CellSums<Number>& sums, uint32_t start) {
  auto times = [&](uint32_t cell) { return double(sums.words[size_t{cell} * simt::kCellWords + simt::kCellWarps]); };
  if (!loop.before && !loop.after) return 0;
  double entries = times(start);
  if (loop.before) entries = std::min(entries, times(*loop.before));
  if (loop.after) entries = std::min(entries, times(*loop.after));
  return entries;
}

// Of the turns of a block, the share that are unrolled: a loop of seven turns is one of four turns and three as they
// stand. All entries are taken to make equally many turns.
template <class Number>
double share_unrolled(const KernelFacts& facts, const CellSums<Number>& sums, uint32_t start) {
  const auto found = facts.loops().find(start);
  if (found == facts.loops().end() || found->second.turns == 1) return 1;
  const Loop& loop = found->second;
  const double entries = entries_of(loop, sums, start);
  if (entries == 0) return 1;
  const double turns = double(sums.words[size_t{start} * simt::kCellWords + simt::kCellWarps]) / entries;
  return std::floor(turns / loop.turns) * loop.turns / turns;
}

template <class Number>
class Reader {
 public:
  Reader(const KernelFacts& facts, const CellSums<Number>& sums) : facts_(facts), sums_(sums) {}

  // What the instruction in `cell` has counted, added to `to`.
  void read(uint32_t cell, ExactCounts& to) const {
    const InstructionFacts& i = facts_.cells()[cell];
    auto at = [&](Counter c) -> double& { return to[size_t(c)]; };
    const double warps = word(i.start, simt::kCellWarps);
    if (i.started_with != i.start && i.cls.counted && i.cls.times > 0)
      at(Counter::PredicatedOff) += std::max(0.0, word(i.started_with, simt::kCellWarps) - warps);
    if (warps == 0) return;
    const double lanes = word(i.start, simt::kCellLanes);
    const double on_warps = i.guarded ? word(cell, simt::kCellOnWarps) : warps;
    const double on_lanes = i.guarded ? word(cell, simt::kCellOnLanes) : lanes;
    InstructionClass cls = i.cls;
    if (cls.times < 1 && cls.times > 0) cls.times = 1 - float(share_unrolled(facts_, sums_, i.start)) * (1 - cls.times);
    add_sass(cls, warps, to);
    if (i.cls.counted) {
      at(Counter::Instructions) += warps;
      at(Counter::ThreadInstructions) += lanes;
      at(Counter::ThreadInstructionsOn) += on_lanes;
      if (i.cls.pipe) at(*i.cls.pipe) += warps;
      if (i.cls.lane_op) at(*i.cls.lane_op) += on_lanes * i.cls.ops_per_lane;
      if (i.cls.tensor_op) at(*i.cls.tensor_op) += on_warps * double(i.cls.ops_per_warp);
      if (i.cls.of_warpgroup) at(Counter::TensorWgmmaOps) += on_warps * double(i.cls.ops_per_warp);
    }
    if (i.waits_at_barrier) at(Counter::Barriers) += on_warps;
    double divergent = 0;
    if (i.access_index != kNoAccess) divergent = read_access(i, to);
    if (i.branches) {
      divergent += word(cell, simt::kCellDivergent);
      at(Counter::Branches) += warps;
      at(Counter::DivergentBranches) += divergent;
      at(Counter::UniformBranches) += warps - divergent;
    }
  }

 private:
  double word(uint32_t cell, simt::CellWord which) const {
    return double(sums_.words[size_t{cell} * simt::kCellWords + which]);
  }

  // What an instruction is beyond itself, and what part of it is another one's.
  static void add_sass(const InstructionClass& cls, double warps, ExactCounts& to) {
    auto at = [&](Counter c) -> double& { return to[size_t(c)]; };
    if (cls.form) {
      auto more = [&](Counter counter, Counter pipe, unsigned count) {
        at(counter) += warps * (cls.pipe == pipe && count > 0 ? count - 1 : count);
      };
      more(Counter::MoreFma, Counter::PipeFma, cls.form->fma), more(Counter::MoreAlu, Counter::PipeAlu, cls.form->alu);
      more(Counter::MoreXu, Counter::PipeXu, cls.form->xu), more(Counter::MoreFp64, Counter::PipeFp64, cls.form->fp64);
      more(Counter::MoreBranches, Counter::PipeCbu, cls.form->branches);
      more(Counter::MoreUniform, Counter::PipeUniform, cls.form->uniform);
    } else if (cls.times < 1) {
      at(cls.pipe == Counter::PipeCbu ? Counter::FusedBranches : Counter::FusedAlu) += warps * (1 - cls.times);
    } else if (cls.times > 1) {
      at(Counter::MoreAlu) += warps * (cls.times - 1);
    }
    at(Counter::MoreUniform) += warps * cls.constants;
  }

  // Returns how often lanes diverged at an indexed branch.
  double read_access(const InstructionFacts& i, ExactCounts& to) const {
    const auto& counted = sums_.accesses[i.access_index];
    std::array<AccessSums<double>, kReached> sums;
    for (unsigned r = 0; r < kReached; ++r) sums[r].add(counted[r]);
    if (i.branches) return sums[0].extra;
    add_global(i.access, sums[size_t(Reached::Global)], to);
    add_shared(i.access, sums[size_t(Reached::Shared)], to);
    if (i.words == 0) to[size_t(Counter::SharedLoadsFused)] += sums[size_t(Reached::Shared)].requests;
    add_local(i.access, sums[size_t(Reached::Local)], to);
    return 0;
  }

  static void add_global(const CountedAccess& access, const AccessSums<double>& s, ExactCounts& to) {
    auto at = [&](Counter c) -> double& { return to[size_t(c)]; };
    if (s.requests == 0) return;
    const double bytes = s.lanes * access.bytes;
    if (access.space == CountedSpace::Const) {
      at(Counter::ConstantLoads) += s.requests;
      at(Counter::ConstantAddresses) += s.cost;
      return;
    }
    switch (access.kind) {
      case CountedKind::Load:
        at(Counter::GlobalLoadRequests) += s.requests, at(Counter::GlobalLoadSectors) += s.cost;
        at(Counter::GlobalLoadIdealSectors) += s.ideal, at(Counter::GlobalLoadBytes) += s.bytes;
        at(Counter::GlobalLoadRegisterBytes) += bytes;
        at(Counter::GlobalLoadLines) += s.extra;
        return;
      case CountedKind::Store:
        at(Counter::GlobalStoreRequests) += s.requests, at(Counter::GlobalStoreSectors) += s.cost;
        at(Counter::GlobalStoreIdealSectors) += s.ideal, at(Counter::GlobalStoreBytes) += s.bytes;
        at(Counter::GlobalStoreLines) += s.extra;
        return;
      case CountedKind::Atomic:
      case CountedKind::Reduction: {
        const bool wanted = access.kind == CountedKind::Atomic;
        at(wanted ? Counter::GlobalAtomicRequests : Counter::GlobalReductionRequests) += s.requests;
        at(wanted ? Counter::GlobalAtomicSectors : Counter::GlobalReductionSectors) += s.cost;
        at(Counter::GlobalAtomicLanes) += s.lanes, at(Counter::GlobalAtomicCollisions) += s.extra;
        return;
      }
      case CountedKind::AsyncCopy:
        at(Counter::AsyncCopyRequests) += s.requests, at(Counter::AsyncCopySectors) += s.cost,
            at(Counter::AsyncCopyBytes) += bytes;
        return;
      default:
        return;
    }
  }

  static void add_shared(const CountedAccess& access, const AccessSums<double>& s, ExactCounts& to) {
    auto at = [&](Counter c) -> double& { return to[size_t(c)]; };
    if (s.requests == 0) return;
    if (access.kind == CountedKind::Atomic || access.kind == CountedKind::Reduction) {
      at(Counter::SharedAtomics) += s.requests, at(Counter::SharedAtomicWavefronts) += s.cost;
      // A loop tests and jumps.
      at(Counter::MoreAlu) += s.extra / 2, at(Counter::MoreBranches) += s.extra / 2;
      return;
    }
    const bool store = access.kind == CountedKind::Store || access.kind == CountedKind::StoreRows;
    const double conflicts = s.cost - s.ideal, bytes = s.lanes * access.bytes;
    at(store ? Counter::SharedStores : Counter::SharedLoads) += s.requests;
    at(store ? Counter::SharedStoreWavefronts : Counter::SharedLoadWavefronts) += s.cost;
    at(store ? Counter::SharedStoreIdealWavefronts : Counter::SharedLoadIdealWavefronts) += s.ideal;
    at(store ? Counter::SharedStoreConflicts : Counter::SharedLoadConflicts) += conflicts;
    at(store ? Counter::SharedStoreBytes : Counter::SharedLoadBytes) += s.bytes;
    if (!store) at(Counter::SharedLoadRegisterBytes) += bytes;
    at(access.bytes <= 4   ? Counter::SharedConflicts32
       : access.bytes <= 8 ? Counter::SharedConflicts64
                           : Counter::SharedConflicts128) += conflicts;
  }

  static void add_local(const CountedAccess& access, const AccessSums<double>& s, ExactCounts& to) {
    const bool store = access.kind == CountedKind::Store;
    to[size_t(store ? Counter::LocalStoreRequests : Counter::LocalLoadRequests)] += s.requests;
    to[size_t(store ? Counter::LocalStoreSectors : Counter::LocalLoadSectors)] += s.cost;
  }

  const KernelFacts& facts_;
  const CellSums<Number>& sums_;
};

template <class Number>
ExactCounts total(const KernelFacts& facts, const CellSums<Number>& sums) {
  ExactCounts counts{};
  Reader<Number> reader(facts, sums);
  for (uint32_t cell = 0; cell < facts.cells().size(); ++cell) reader.read(cell, counts);
  return counts;
}

}  // namespace

ExactCounts totals_of(const KernelFacts& facts, const CellSums<uint64_t>& sums) { return total(facts, sums); }
ExactCounts totals_of(const KernelFacts& facts, const CellSums<double>& sums) { return total(facts, sums); }

std::vector<ExactCounts> lines_of(const KernelFacts& facts, const CellSums<double>& sums) {
  std::vector<ExactCounts> lines(facts.lines().size());
  Reader<double> reader(facts, sums);
  for (uint32_t cell = 0; cell < facts.cells().size(); ++cell) reader.read(cell, lines[facts.cells()[cell].line]);
  return lines;
}

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

}  // namespace

namespace {

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

}  // namespace

LatencyProfile latency_of(const KernelFacts& facts, const CellSums<double>& sums, uint64_t warps,
                          const std::vector<std::optional<WaitedLoads>>& sites) {
  LatencyProfile profile;
  BlockChain total;
  for (size_t cell = 0; cell < facts.chains().size(); ++cell) {
    const double times = sums.words[cell * simt::kCellWords + simt::kCellWarps] / double(std::max<uint64_t>(warps, 1));
    if (times == 0 || facts.cells()[cell].start != cell) continue;
    profile.code_blocks += 1, profile.code_instructions += facts.chains()[cell].issued;
    const double unrolled = share_unrolled(facts, sums, uint32_t(cell));
    add(total, facts.chains()[cell], unrolled * times);
    if (unrolled < 1) add(total, facts.loops().at(uint32_t(cell)).chains.single_turn, (1 - unrolled) * times);
    if (const auto loop = facts.loops().find(uint32_t(cell)); loop != facts.loops().end()) {
      const LoopChains& chains = loop->second.chains;
      add(total, unrolled > 0 ? chains.at_entry : chains.at_entry_of_single_turn,
          entries_of(loop->second, sums, uint32_t(cell)) / double(std::max<uint64_t>(warps, 1)));
    }
  }
  profile.chain = total.steps;
  if (total.steps.global > 0)
    profile.in_l1 = total.in_l1 / total.steps.global, profile.from_memory = total.from_memory / total.steps.global;
  profile.loads_in_flight = total.waits > 0 ? total.in_flight / total.waits : 0;
  profile.late_atomics = late_atomics(facts, sums);
  profile.waited = found_by_all(total.load_waits, facts, sites);
  return profile;
}

double turns_of_swaps(const KernelFacts& facts, const CellSums<double>& sums, double together) {
  double turns = 0;
  for (const LookedAt& pair : facts.swaps_after_looks()) {
    const InstructionFacts &look = facts.cells()[pair.load], &swap = facts.cells()[pair.swap];
    if (swap.access_index == kNoAccess) continue;
    const double lanes = sums.words[size_t{look.start} * simt::kCellWords + simt::kCellLanes];
    const double more = std::min(lanes, together) - sums.accesses[swap.access_index][size_t(Reached::Global)].lanes;
    // A warp begins with four turns (atomic_turns.h), and its other lanes follow.
    constexpr double kFirst = 4;
    if (more > 0)
      turns += more * swap.atomic.again +
               more / kWarpLanes * (kFirst + double(swap.atomic.more) - double(swap.atomic.again));
  }
  return turns;
}

Counts rounded(const ExactCounts& counts) {
  Counts result;
  // Fractions of instructions add up to halves, and the order in which host threads add must not decide which way those
  // are rounded.
  constexpr double kNudge = 1e-6;
  for (unsigned c = 0; c < kCounters; ++c) result.value[c] = uint64_t(std::llround(counts[c] + kNudge));
  return result;
}

}  // namespace warpwise::perf
