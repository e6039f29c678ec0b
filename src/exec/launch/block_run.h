// A launch and a block of it while they run: what the services behind compiled code work with.
//
//     LaunchRun   one per launch, shared by the host threads that run its blocks
//     BlockRun    one per block that is under way; BlockContext::engine points to it
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "exec/engine.h"
#include "exec/fault/fault_report.h"
#include "exec/fault/guard.h"
#include "exec/fibers/cluster_slots.h"
#include "exec/launch/deferred_stores.h"
#include "exec/launch/logged_sums.h"
#include "exec/loading/loaded_kernel.h"
#include "exec/memory/arena.h"
#include "exec/memory/known_copies.h"
#include "exec/queue/interrupt.h"
#include "exec/services/output.h"
#include "exec/services/tensor_unit.h"
#include "simt/abi.h"
#include "simt/instrument/events.h"

namespace warpwise::exec {

using Clock = std::chrono::steady_clock;

// Where a launch begins: behind the blocks that another tier has run (tiers/tiered_engine.h), and when.
struct LaunchStart {
  uint64_t place = 0;
  Clock::time_point time = Clock::now();
};

struct LaunchRun {
  // `counting`: null where all blocks count, or none; else the version of the kernel that counts (observer.h), which
  // may be `kernel` itself.
  LaunchRun(const Machine& machine, const KernelLaunch& launch, const LoadedKernel& kernel,
            const LoadedKernel* counting, uint64_t parameters, bool in_order, const LaunchStart& start = {});

  const Machine& machine;
  const KernelLaunch& launch;
  const LoadedKernel& kernel;
  const LoadedKernel* const counting;
  bool pilot_alone = false;            // the first block runs, and no other one
  const uint64_t parameters;           // host address
  const bool in_order;                 // on one host thread, one block after the other
  const uint64_t first_place, blocks;  // [first_place, blocks) in the order of the schedule
  ClusterSlots slots;  // where threads or warps are fibers: which clusters start, and which ones they take over
  SumOrder sum_order;  // of sums that blocks log
  LaunchOutput output;
  InterruptWatch interrupts;
  const Clock::time_point started;
  std::optional<Clock::time_point> deadline;

  // The next blocks to run: [first, last) in the order of the schedule; empty when there are none.
  struct Range {
    uint64_t first = 0, last = 0;
  };
  Range take(uint64_t chunk);
  // Ends the order of the schedule there for the time being.
  void stop_at(uint64_t place) { end_ = place; }
  // Asked now and then while the launch runs, by another thread: true ends it behind the blocks that have begun. May be
  // empty.
  std::function<bool()> leaves;
  // When no block runs: the first one that has not been run.
  uint64_t next() const { return std::min(next_.load(), blocks); }
  // How many blocks did not count. With times_uncounted also how long they took, by the processor's time: on a busy
  // machine a thread waits for longer than a block takes.
  std::atomic<uint64_t> uncounted_blocks{0}, uncounted_nanoseconds{0};
  bool times_uncounted = false;
  // The PTX instruction that the machine code at `pc` belongs to, in either version.
  const simt::Site* site_at(uint64_t pc) const;
  // The code around `pc`; null: none of the kernel's.
  const LoadedCode* code_at(uint64_t pc) const;
  // The block that is run at a place in the schedule's order. The blocks of a cluster are neighbours there, by rank.
  uint64_t block_at(uint64_t place) const;

  // Of several failing blocks the lowest in order counts. Blocks are handed out in order, so every block
  // below a failing one has been started and will end: which one is reported does not depend on timing.
  void record(uint64_t place, const KernelFault& fault);
  bool is_pointless(uint64_t place) const { return place > failed_place_.load(std::memory_order_relaxed); }
  std::optional<KernelFault> fault() const { return fault_; }

  // Why running blocks must stop now, or nothing: time is up, or the user pressed ^C.
  std::optional<std::string> reason_to_stop();
  // Some block has failed: blocks behind it need not end.
  bool has_failed() const {
    return failed_place_.load(std::memory_order_relaxed) != std::numeric_limits<uint64_t>::max();
  }

 private:
  std::atomic<uint64_t> next_;
  std::atomic<uint64_t> end_;
  std::atomic<uint64_t> failed_place_{std::numeric_limits<uint64_t>::max()};
  std::mutex mutex_;
  std::optional<KernelFault> fault_;
  uint64_t clusters_ = 0;
  uint64_t stride_ = 1, offset_ = 0;  // the permutation of clusters in a shuffled schedule
};

// What regions of shared and local memory are called (Region::what).
constexpr std::string_view kSharedMemoryName = "the shared memory of a block";
constexpr std::string_view kLocalMemoryName = "the local memory of a block's threads";

// Memory that a block needs while it runs; reused for the next block.
class BlockMemory {
 public:
  explicit BlockMemory(Arena& arena) : arena_(arena) {}
  ~BlockMemory();
  BlockMemory(const BlockMemory&) = delete;
  BlockMemory& operator=(const BlockMemory&) = delete;

  Result<void> reserve(size_t shared, size_t local, size_t frames);
  uint64_t shared() const { return shared_.view + kMargin; }
  uint64_t local() const { return local_.view; }
  uint64_t frames() const { return frames_.view; }

 private:
  static constexpr size_t kMargin = 4096;
  struct Piece {
    uint64_t view = 0;  // host address
    size_t bytes = 0;
  };
  Result<void> grow(Piece& piece, size_t bytes, std::string_view what, const Placement& placement = {});
  void drop(Piece& piece);

  Arena& arena_;
  Piece shared_, local_, frames_;
};

// BlockContext::warp before compiled code has said which warp runs.
constexpr uint32_t kNoWarp = ~0u;

struct ObservedBlock;
class PrivatisedSums;
class FiberCluster;
struct FiberThread;

struct BlockRun {
  LaunchRun& launch;
  KernelGuard& guard;
  uint64_t place = 0;                  // in the schedule's order
  uint64_t block = ~uint64_t{0} - 1;   // linear index
  int64_t running_thread = -1;         // independent-thread mode
  FiberThread* running = nullptr;      // the same, and independent-warp mode: the warp
  std::optional<KernelFault> fault;    // why the guard was left
  FiberCluster* cluster = nullptr;     // in both these modes: the blocks that run together with this one
  std::unique_ptr<TensorUnit> tensor;  // null until tcgen05 is used
  simt::BlockContext context{};
  // What a block does that waits for others (simt_blocks.h); null: nothing.
  void (*wait)(BlockRun&, void* argument) = nullptr;
  void* wait_argument = nullptr;
  uint32_t waits_until_check = 0;
  DeferredStores deferred;                 // what other warps do not see yet
  std::array<Region, 4> deferred_regions;  // the last ones that deferred stores went to
  uint32_t next_deferred_region = 0;       // the one to replace
  PrivatisedSums* sums = nullptr;          // the host thread's; null: this launch has no privatised sums
  SumLog* sum_log = nullptr;               // the host thread's, where the launch logs sums
  KnownCopies known_copies;                // of multicast objects
  ObservedBlock* observed = nullptr;       // what a client of the observer keeps of this block
  std::unique_ptr<std::array<simt::PointedTo, simt::kPointers>> pointer_provenance;  // where there is an observer
  bool counts = false;  // the version of the kernel that counts runs this block

  BlockRun(LaunchRun& launch, KernelGuard& guard) : launch(launch), guard(guard) {}
  // Fills in what is the same for all blocks of the launch. Errors: no memory.
  Result<void> begin(BlockMemory& memory);
  // ... and what is the block's at `place`: this is all that a block costs besides its code.
  void enter(uint64_t place);
  // Ends the block: fills in what is known of the place and leaves the guard. `pc`: an address in kernel
  // code (a service's return address), or 0.
  [[noreturn]] void fail(KernelFault fault, uint64_t pc = 0);
  // Ends the block without a word: another one has already failed.
  [[noreturn]] void abandon();
  // The watchdog, ^C, and other blocks' failures; called now and then.
  void check_progress(int64_t warp, uint64_t pc);
  // The same where this block has ended. The watch ends code of the kernel alone, and a launch of short blocks may
  // spend nearly all its time elsewhere: between them, and in what observers do there.
  void end_launch_if_asked() {
    if (guard.asked_to_leave()) end_launch();
  }
  // The warp that runs, as far as compiled code has said; -1 when it has not.
  int64_t running_warp() const { return context.warp == kNoWarp ? -1 : int64_t{context.warp}; }
  // After the guard was left: what happened, if this block is to blame.
  std::optional<KernelFault> cause() const;

 private:
  void end_launch();
  void shuffle_warps();
};

// How many iterations pass between two calls of Services::poll.
constexpr uint32_t kPollInterval = 8192;

}  // namespace warpwise::exec
