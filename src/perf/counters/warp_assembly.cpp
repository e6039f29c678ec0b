#include "perf/counters/warp_assembly.h"

#include <bit>

#include "simt/abi.h"

namespace warpwise::perf {

using simt::kLanes;

void WarpAssembly::begin(uint32_t threads) {
  threads_ = threads;
  times_.assign(threads, {});
  pending_.clear();
}

void WarpAssembly::mark(const exec::CountedThread& mark, const KernelFacts& facts, CellSums<uint64_t>& sums,
                        BlockTrace& trace) {
  const uint32_t warp = mark.thread / kLanes, lane = mark.thread % kLanes;
  const uint32_t time = times_[mark.thread][uint64_t{mark.cell} << 2 | mark.mark]++;
  const Key key{warp, mark.cell, mark.mark, time};
  auto entry = pending_.try_emplace(key).first;
  Execution& execution = entry->second;
  execution.arrived |= 1u << lane;
  execution.what = mark.what;
  if (mark.mark == simt::kMarkGuard && mark.value != 0) execution.on |= 1u << lane;
  execution.addresses[lane] = mark.value;
  const uint32_t rest = threads_ - warp * kLanes;
  const uint32_t all = rest >= kLanes ? ~0u : (1u << rest) - 1;
  if (execution.arrived == all) {
    count(mark.run, key, execution, facts, sums, trace);
    pending_.erase(entry);
  } else if (pending_.size() > kMostPending) {
    in_pieces_ = true;
    finish(mark.run, facts, sums, trace);
  }
}

void WarpAssembly::finish(exec::BlockRun& run, const KernelFacts& facts, CellSums<uint64_t>& sums, BlockTrace& trace) {
  for (const auto& [key, execution] : pending_) count(run, key, execution, facts, sums, trace);
  pending_.clear();
}

void WarpAssembly::count(exec::BlockRun& run, const Key& key, const Execution& e, const KernelFacts& facts,
                         CellSums<uint64_t>& sums, BlockTrace& trace) {
  const auto [warp, cell, mark, time] = key;
  uint64_t* words = &sums.words[size_t{cell} * simt::kCellWords];
  switch (mark) {
    case simt::kMarkBlock:
      words[simt::kCellWarps] += 1;
      warps_[warp % kMostWarps] += facts.cells()[cell].block.pack();
      words[simt::kCellLanes] += unsigned(std::popcount(e.arrived));
      return;
    case simt::kMarkGuard:
      words[simt::kCellOnWarps] += e.on != 0;
      words[simt::kCellOnLanes] += unsigned(std::popcount(e.on));
      if (facts.cells()[cell].branches) words[simt::kCellDivergent] += e.on != 0 && e.on != e.arrived;
      return;
    default: {
      const InstructionFacts& here = facts.cells()[cell];
      if (here.access_index == kNoAccess) return;
      trace.at_site(here.access_index);
      price({run, warp, e.arrived, cell, here.as_counted(e.what), e.addresses.data()}, here.atomic,
            sums.accesses[here.access_index], trace);
      return;
    }
  }
}

}  // namespace warpwise::perf
