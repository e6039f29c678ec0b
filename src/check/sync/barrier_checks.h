// Barriers that threads of a block do not share: C0401 and C0402.
//
//   C0402   Each thread's n-th __syncthreads() must be at the line where the others' n-th is.
//   C0401   When two threads pass a reconvergence point for the p-th time, they have been at as many barriers:
//
//     if (threadIdx.x < n) __syncthreads();      thread 0: one barrier, thread n: none
//     x = y;                                     a reconvergence point
//
// At the end of a kernel a thread may have returned: there the text of the program decides, where the barrier stands
// and where it is called (source/source_text.h).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "check/sync/sync_places.h"
#include "exec/observer_events.h"
#include "simt/compiler.h"

namespace warpwise::check {

// The message of a C0401 whose threads have nothing left to do: GPUs since Volta do not wait for threads that have
// ended, so the kernel works there, against the rule.
inline constexpr const char* kPastToTheEnd =
    "a barrier that some threads of the block reach and others go past, to the end of the kernel";

// What the threads of a block that runs have done so far.
struct BlockBarriers {
  struct Pass {
    uint32_t barriers, thread;  // how many the thread had been at
  };
  std::vector<uint32_t> reached;                       // barriers, by thread
  std::vector<Arrival> first;                          // by number of the barrier: which thread came first
  std::map<uint64_t, std::vector<uint32_t>> passes;    // of each reconvergence point of barriers, by thread
  std::map<uint64_t, std::vector<Pass>> first_passes;  // of each, by number of the pass: which thread came first

  // Of a kernel with short blocks this is most of what its checks cost: what no thread has touched is left alone.
  void begin(size_t threads) {
    reached.assign(threads, 0);
    first.clear();
    if (!passes.empty()) passes.clear(), first_passes.clear();
  }
};

class BarrierChecks {
 public:
  explicit BarrierChecks(SyncReporter& reporter) : reporter_(reporter) {}

  void begin_launch();
  // Threads are about to wait at a barrier; `site`: where, null: not known.
  void arrive(const SyncBlock& block, BlockBarriers& state, const exec::ObservedEvent& event, const simt::Site* site);
  // Threads are at a reconvergence point; `at_end`: nothing is left to do behind it.
  void pass(const SyncBlock& block, BlockBarriers& state, const exec::ObservedEvent& event, bool at_end);

 private:
  bool stands_in_condition(const SyncBlock& block, const simt::Site& barrier);
  bool has_returned(const SyncBlock& block, const simt::Site& barrier, const simt::Site* point);

  SyncReporter& reporter_;
  // Barriers whose text has been searched, and with reconvergence points behind loops around them.
  std::map<const simt::Site*, bool> in_condition_;
  std::map<std::pair<const simt::Site*, const simt::Site*>, bool> returned_;
};

}  // namespace warpwise::check
