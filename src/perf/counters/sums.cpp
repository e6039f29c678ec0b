#include "perf/counters/sums.h"

#include <algorithm>
#include <cmath>

#include "perf/counters/loop_turns.h"

namespace warpwise::perf {

using simt::CountedAccess;
using simt::CountedKind;
using simt::CountedSpace;

namespace {

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
    at(Counter::MoreBranches) += cls.reconvergence.per_warp * warps;
    if (i.branches) at(Counter::MoreBranches) += cls.reconvergence.per_divergence * word(cell, simt::kCellDivergent);
    if (cls.slow_way) add_slow_way(*cls.slow_way, word(cell, simt::kCellOnWarps), to);
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

  static void add_slow_way(const SassForm& form, double warps, ExactCounts& to) {
    const std::pair<Counter, unsigned> more[] = {{Counter::MoreFma, form.fma},
                                                 {Counter::MoreAlu, form.alu},
                                                 {Counter::MoreXu, form.xu},
                                                 {Counter::MoreFp64, form.fp64},
                                                 {Counter::MoreBranches, form.branches}};
    for (const auto& [counter, count] : more) to[size_t(counter)] += warps * count;
  }

  // Returns how often lanes diverged at an indexed branch.
  double read_access(const InstructionFacts& i, ExactCounts& to) const {
    const auto& counted = sums_.accesses[i.access_index];
    std::array<AccessSums<double>, kReached> sums;
    for (unsigned r = 0; r < kReached; ++r) sums[r].add(counted[r]);
    if (i.branches) return sums[0].extra;
    add_global(i.access, sums[size_t(Reached::Global)], to);
    if (i.access.space == CountedSpace::Const && i.by_register)
      to[size_t(Counter::ConstantPasses)] += sums[size_t(Reached::Global)].cost;
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

std::vector<ExactCounts> grouped(const KernelFacts& facts, const CellSums<double>& sums, size_t groups,
                                 uint32_t InstructionFacts::* group) {
  std::vector<ExactCounts> counts(groups);
  Reader<double> reader(facts, sums);
  for (uint32_t cell = 0; cell < facts.cells().size(); ++cell) reader.read(cell, counts[facts.cells()[cell].*group]);
  return counts;
}

}  // namespace

ExactCounts totals_of(const KernelFacts& facts, const CellSums<uint64_t>& sums) { return total(facts, sums); }
ExactCounts totals_of(const KernelFacts& facts, const CellSums<double>& sums) { return total(facts, sums); }

std::vector<ExactCounts> lines_of(const KernelFacts& facts, const CellSums<double>& sums) {
  return grouped(facts, sums, facts.lines().size(), &InstructionFacts::line);
}

std::vector<ExactCounts> by_phase(const KernelFacts& facts, const CellSums<double>& sums) {
  return grouped(facts, sums, facts.phases().size() + 1, &InstructionFacts::phase);
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
