// Independent-thread mode: every thread of a block is a fiber, so that any of them can wait for any other.
// Independent-warp mode: every warp is one. What is said of threads below holds for warps, but for collectives: the
// lanes of a warp are vectors, and its code computes them.
//
//     ready ──resume──► running ──► at a barrier     (bar.sync, bar.red: by barrier number)
//       ▲                  │   ──► at a collective  (shfl.sync, vote.sync, ...: by warp, class and mask)
//       │                  │   ──► at an mbarrier   (test_wait, try_wait: by address; or until it has slept long)
//       │                  │   ──► at the cluster's barrier
//       │                  │   ──► at columns of tensor memory (tcgen05.alloc)
//       │                  │   ──► at its place in the order of the warp (lane_order: simt/scalar/defer_stores.h)
//       │                  │   ──► ready again, last (yield, nanosleep)
//       └─ all are there ──┘   ──► exited
//
// Everything is deterministic. Ready threads run first in, first out. Those that are released together become ready in
// thread order, or in a random one under a shuffled schedule.
//
// Collectives. Since Volta, threads of a warp converge when they have arrived with the same mask and the same class of
// instruction, even in different places (the two sides of an if). Threads that have exited leave the required masks.
// `activemask` has no mask to wait for: it is answered when every other live thread of the warp waits, has exited or
// has yielded. Those that wait at the same instruction see each other. As on a GPU, lanes that a mask leaves out take
// part with those that execute the instruction at the same time, so a mask that does not name all is answered then,
// too.
//
// Blocks. A host thread runs one block at a time as long as its threads make progress. When all that a whole turn
// brought is yields, the block may be waiting for another one. A further block is then admitted, up to what the device
// would hold (occupancy). Cooperative launches admit all.
//
// A block is one of a cluster (cluster.h). A cluster whose threads all wait is in a deadlock, which is reported at
// once. The watchdog ends a cluster whose threads all spin.
//
// FiberBlock schedules the threads and knows which of them have arrived where. What a collective computes is in
// collective_answers.h, the report of a deadlock in waiting_threads.h.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "exec/fibers/fiber.h"
#include "exec/fibers/fiber_thread.h"
#include "exec/fibers/waiting_threads.h"
#include "exec/launch/block_run.h"
#include "simt/abi.h"

namespace warpwise::exec {

class FiberCluster;

// What a block needs to be under way; kept by the host thread from launch to launch.
struct FiberSlot {
  explicit FiberSlot(Arena& arena) : memory(arena) {}
  BlockMemory memory;
  StackPool stacks;
};

// One block under way.
class FiberBlock {
 public:
  FiberBlock(LaunchRun& launch, KernelGuard& guard, FiberSlot& slot, FiberCluster& cluster)
      : run_(launch, guard), slot_(slot), cluster_(cluster) {
    run_.cluster = &cluster;
  }

  // Starts the block at `place` with fresh fibers.
  Result<void> start(uint64_t place);
  // Resumes each thread that is ready now once.
  void turn();
  bool finished() const { return live_ == 0; }
  bool has_ready() const { return !ready_.empty(); }
  uint32_t live() const { return live_; }  // threads
  // Whether the last turn brought anything but yields.
  bool progressed() const { return progressed_; }
  BlockRun& run() { return run_; }
  // After a jump out of the kernel, which may have left a fiber.
  void left();
  // A line for each place at which threads wait, for the report of a deadlock.
  std::string describe_waiting(const std::string& prefix) const;
  const FiberThread* first_waiting() const;  // null: all have exited

  // --- called by the cluster ---
  void phase_ended(uint64_t mbarrier);
  // Wakes all threads that sleep at mbarriers, though nothing has happened; whether there were any.
  bool give_up_waiting();
  void cluster_arrived();
  // Wakes the threads that wait for columns of tensor memory.
  void columns_changed();

  // --- called by the services, on the fiber of `thread` ---
  void wait_at_barrier(FiberThread& thread, uint32_t id, uint32_t threads);
  void arrive_at_barrier(FiberThread& thread, uint32_t id, uint32_t threads);
  void converge(FiberThread& thread);
  void yield(FiberThread& thread);
  // Before an access that another lane of the warp may conflict with: waits until the other lanes have come as far.
  void wait_for_lanes(FiberThread& thread);
  void sleep_at_mbarrier(FiberThread& thread, uint64_t mbarrier);
  void wait_for_cluster(FiberThread& thread);
  void wait_for_columns(FiberThread& thread);
  void note_progress() { progressed_ = true; }

 private:
  static constexpr unsigned kBarriers = 16;  // PTX ISA 9.7.13.1

  struct Barrier {
    BarrierArrivals arrivals;
    std::vector<uint32_t> waiting;  // by index in threads_
    uint32_t waiting_threads = 0;   // that they stand for
  };
  struct Warp {
    uint32_t live = 0;     // lanes that have not exited
    uint32_t waiting = 0;  // lanes at a collective
    uint32_t of_some = 0;  // of those, the lanes whose mask does not name all live ones
    uint32_t pending_activemask = 0;
  };

  void resume(FiberThread& thread);
  void run_together(uint32_t warp, std::span<const uint32_t> ready);
  std::vector<uint32_t> next_in_order(uint32_t warp) const;
  bool may_still_come(const FiberThread& thread) const;
  static void thread_main(void* thread);
  void exited(FiberThread& thread);
  void make_ready(std::vector<uint32_t>& threads);
  uint32_t weight(const FiberThread& thread) const;
  Barrier& barrier_of(FiberThread& thread, uint32_t id, uint32_t threads);
  void complete_if_all_arrived(Barrier& barrier);
  void resolve_collectives(uint32_t warp);
  bool resolve_collective(const FiberThread& one);
  void resolve_when_all_wait(uint32_t warp);
  bool resolve_masks_of_some(uint32_t warp);
  void resolve_activemask(uint32_t warp);
  void answer(uint32_t warp, uint32_t lanes);
  template <class Predicate>
  uint32_t lanes_that(uint32_t warp, uint32_t among, const Predicate& predicate) const;
  void leave_tensor_memory();
  void wake(FiberThread::State state, uint64_t mbarrier);
  uint32_t index_of(const FiberThread& thread) const { return uint32_t(&thread - threads_.data()); }
  bool runs_warps() const { return run_.launch.kernel.about().mode == simt::Mode::Warps; }
  FiberThread& at(uint32_t warp, uint32_t lane) { return threads_[warp * simt::kLanes + lane]; }
  // By lane; of a partial last warp those that exist.
  std::span<FiberThread> threads_of(uint32_t warp);

  BlockRun run_;
  FiberSlot& slot_;
  FiberCluster& cluster_;
  std::vector<FiberThread> threads_;
  std::deque<uint32_t> ready_;
  Barrier barriers_[kBarriers];
  std::vector<Warp> warps_;
  uint32_t live_ = 0;
  bool progressed_ = false;
  uint32_t yields_until_check_ = 0;
  std::mt19937_64 random_;
};

}  // namespace warpwise::exec
