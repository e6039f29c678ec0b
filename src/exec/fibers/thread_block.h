// Independent-thread mode: every thread of a block is a fiber, so that any of them can wait for any other.
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
// Everything is deterministic: ready threads run first in, first out, and those that are released
// together become ready in thread order (in a random one under a shuffled schedule).
//
// Collectives. Since Volta, threads of a warp converge when they have arrived with the same mask and the same
// class of instruction, even in different places (the two sides of an if). Threads that have exited leave
// the required masks. `activemask` has no mask to wait for: it is answered when every other live thread
// of the warp waits, has exited or has yielded; those that wait at the same instruction see each other.
//
// Blocks. A host thread runs one block at a time as long as its threads get somewhere. When a whole turn
// brought nothing but yields, the block may be waiting for another one, and a further block is admitted,
// up to what the device would hold (occupancy); cooperative launches admit all.
//
// A block is one of a cluster (cluster.h). A cluster whose threads all wait is a deadlock, reported at
// once. One whose threads all spin is ended by the watchdog.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "exec/fibers/fiber.h"
#include "exec/launch/block_run.h"
#include "simt/abi.h"

namespace warpwise::exec {

class FiberBlock;
class FiberCluster;

// The classes of warp collectives: lanes take part together in one of a class.
enum class Collective : uint8_t {
  None,
  Sync,
  Shuffle,
  Vote,
  Match,
  Reduce,
  ActiveMask,
  Elect,
  Wgmma,
  Gather,
  Multiply,
  TensorMemory
};

struct FiberThread {
  enum class State : uint8_t {
    Ready,
    Running,
    AtBarrier,
    AtCollective,
    AtMbarrier,
    AtClusterBarrier,
    AtColumns,
    AtOrder,
    Exited
  };

  simt::ThreadContext context;
  Fiber fiber;
  FiberBlock* owner = nullptr;
  State state = State::Ready;
  bool yielded = false;  // since it last got somewhere

  // Where it waits, for reports: the PTX instruction in the kernel, and the address that called.
  uint32_t site = 0;
  uint64_t pc = 0;

  // AtBarrier
  uint32_t barrier = 0;
  uint32_t predicate = 0;
  uint32_t barrier_op = 0;
  uint32_t barrier_result = 0;

  // AtCollective: what it brings and what it gets.
  Collective collective = Collective::None;
  uint32_t mask = 0;
  uint32_t op = 0;  // mode of a shuffle, operator of a reduction
  uint64_t value = 0;
  uint32_t b = 0, c = 0;     // of a shuffle
  uint32_t passed_over = 0;  // ActiveMask: times that lanes at earlier places were answered first
  uint32_t result = 0;
  uint32_t flag = 0;  // in_range, all_same, is_leader
  const uint32_t* words =
      nullptr;                // Gather, Multiply: what it brings, `op` words (of Multiply the operands of `product`)
  uint32_t* table = nullptr;  // ... and where it expects the words of all lanes, or its share of the product
  uint64_t product = 0;

  // At a wgmma: its form, descriptors (`value` is that of a), and this thread's registers.
  uint64_t form = 0, descriptor_b = 0;
  const uint32_t* a_words = nullptr;
  uint32_t* d_words = nullptr;

  // At an access to tensor memory: a packed numerics::TensorMove is in `form`, its address in `value`, what a second
  // matrix is away in `b`, and this thread's registers are `d_words`; null: nothing is moved. `flag`: it is the first
  // one of the warp. AtColumns: `b` columns.

  // AtMbarrier
  uint64_t mbarrier = 0;       // a generic address
  bool phase_is_over = false;  // what it slept for has happened, whatever the mbarrier says when it resumes

  // Between barrier.cluster.arrive and .wait.
  bool at_cluster_barrier = false;
  uint32_t cluster_phase = 0;

  uint32_t lane() const { return context.thread % simt::kLanes; }
  uint32_t warp() const { return context.thread / simt::kLanes; }
};

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
  uint32_t live() const { return live_; }
  // Whether the last turn brought anything but yields.
  bool progressed() const { return progressed_; }
  BlockRun& run() { return run_; }
  // After a jump out of the kernel, which may have left a fiber.
  void left();
  // A line for each place at which threads wait, for the report of a deadlock.
  std::string who_waits(const std::string& prefix) const;
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
    uint32_t arrived = 0;   // threads, those of a partial last warp's missing lanes included
    uint32_t expected = 0;  // 0: all live threads
    std::vector<uint32_t> waiting;
  };
  struct Warp {
    uint32_t live = 0;     // lanes that have not exited
    uint32_t waiting = 0;  // lanes at a collective
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
  bool resolve_collective(uint32_t warp, Collective collective, uint32_t mask);
  void resolve_activemask(uint32_t warp);
  void answer(Collective collective, uint32_t warp, uint32_t lanes);
  void multiply(uint32_t warp, uint32_t lanes);
  void move_tensor(uint32_t warp, uint32_t lanes);
  void leave_tensor_memory();
  std::string what_for(const FiberThread& thread) const;
  void wake(FiberThread::State state, uint64_t mbarrier);
  std::vector<uint32_t> gather(uint32_t warp, uint32_t lanes);
  FiberThread& at(uint32_t warp, uint32_t lane) { return threads_[warp * simt::kLanes + lane]; }

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
