// Warps of blocks whose threads run one by one (independent-thread mode): the marks of threads become executions of
// warps.
//
// Lanes that execute an instruction for the n-th time, each counted from its own start, are taken to execute it
// together, as a converged warp does. Where lanes run a loop different numbers of times and enter it again, a real warp
// would reconverge and pair them differently: there this is an estimate.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "exec/observer.h"
#include "perf/counters/pricing.h"

namespace warpwise::perf {

// Of a block.
constexpr unsigned kMostWarps = 32;

class WarpAssembly {
 public:
  void begin(uint32_t threads);
  void mark(const exec::CountedThread& mark, const KernelFacts& facts, CellSums<uint64_t>& sums, BlockTrace& trace);
  // The block has ended: what is still incomplete is as complete as it gets.
  void finish(exec::BlockRun& run, const KernelFacts& facts, CellSums<uint64_t>& sums, BlockTrace& trace);
  // Whether lanes ran so far apart that some executions were counted in pieces.
  bool in_pieces() const { return in_pieces_; }
  // What each warp has run so far (simt::WarpWork).
  const std::array<uint64_t, kMostWarps>& warps() const { return warps_; }

 private:
  struct Execution {
    uint32_t arrived = 0, on = 0;
    simt::CountedAccess what;
    std::array<uint64_t, 32> addresses;
  };
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;  // warp, cell, mark, how many times before

  void count(exec::BlockRun& run, const Key& key, const Execution& execution, const KernelFacts& facts,
             CellSums<uint64_t>& sums, BlockTrace& trace);

  // Executions that wait for lanes; more than this are counted as they are.
  static constexpr size_t kMostPending = size_t{1} << 17;

  uint32_t threads_ = 0;
  std::array<uint64_t, kMostWarps> warps_{};
  std::vector<std::unordered_map<uint64_t, uint32_t>> times_;  // by thread: how often it came to a mark
  std::map<Key, Execution> pending_;
  bool in_pieces_ = false;
};

}  // namespace warpwise::perf
