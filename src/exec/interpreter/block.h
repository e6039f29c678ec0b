// One block: its memory, its threads, and what they wait for.
//
// A warp's .sync operations (collectives.cpp) and a block's barriers (barrier.cpp) both work the same way: a
// thread that arrives states what it brings and stops at its instruction; when the last one that is needed
// has arrived, each thread gets an Outcome and runs the instruction again, which now finds its answer.
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "exec/fault/fault_report.h"
#include "exec/fibers/cluster_slots.h"
#include "exec/interpreter/program.h"
#include "exec/interpreter/step_log.h"
#include "exec/interpreter/thread.h"
#include "exec/interpreter/undo_log.h"
#include "exec/launch/deferred_stores.h"
#include "exec/services/output.h"
#include "exec/services/tensor_unit.h"

namespace warpwise::exec::interpreter {

// Of a block that may be left before its end (single_blocks.h).
struct Trial {
  const std::function<bool()>& must_leave;
  UndoLog undo{};
  bool left = false;  // it said so
};

// What all blocks of a launch share.
struct Run {
  const Machine& machine;
  const KernelLaunch& launch;
  const Program& program;
  LaunchOutput& output;
  ClusterSlots slots;              // which cluster starts, and which one gives way to another
  std::vector<uint64_t> order{};   // of a shuffled schedule, which cluster comes when; empty: as they come
  device::Address parameters = 0;  // where the parameter buffer lies
  uint64_t executed = 0;           // instructions, of all threads
  std::mt19937_64 random{};        // of a shuffled schedule
  // Lanes of a warp step together and warps see no other warp's plain stores before the next synchronisation
  // (docs/internals/unordered_accesses.md): not under a shuffled schedule, not with asynchronous barriers.
  bool in_lockstep = true;
  StepLog* log = nullptr;  // null: there is none
  Trial* trial = nullptr;  // null: each block runs to its end

  // When an asynchronous copy is issued: at once, as compiled code does it, or as late as may be.
  bool now_rather_than_late() { return trial || (machine.options.schedule.shuffle && (random() & 1) != 0); }
};

// A named barrier of a block (PTX ISA 9.7.13.1).
struct Barrier {
  static constexpr uint32_t kCount = 16;
  std::bitset<1024> present;  // threads that have arrived in this phase
  uint32_t arrivals = 0;      // by how many threads
  uint32_t expected = 0;      // 0: all threads of the block
  uint32_t population = 0;    // how many of the waiting threads brought a true predicate,
  bool all = true;            // and whether all of them did
};

class Cluster;

class Block {
 public:
  // Error R0101 when there is no room for its memory.
  static Result<std::unique_ptr<Block>> start(Run& run, uint64_t index, Cluster& cluster);
  ~Block();

  // Gives each warp a slice, in order; under a shuffled schedule each thread. Returns whether anything could run.
  bool round();
  bool done() const { return alive_ == 0; }
  uint64_t executed() const { return executed_; }

  // --- for instructions ---
  // The thread stops here until its warp is there; true once `thread.outcome` is there.
  bool converge(Thread& thread, const Collective& collective);
  // The same for a barrier; `waits` is false for an arrival only. expected 0: all.
  bool arrive(Thread& thread, uint32_t id, uint32_t expected, bool waits, bool predicate);
  void exit(Thread& thread);
  void fail(KernelFault fault);

  // A plain store: other warps do not see it before the next synchronisation. Nothing is deferred under a shuffled
  // schedule.
  void store(Thread& thread, std::byte* to, const void* value, uint32_t bytes);
  // The thread orders its accesses by itself: what its warp has stored is visible from now on.
  void commit_stores(Thread& thread) { deferred_.commit(thread.warp()); }

  // Why no thread can go on, for the report of a deadlock.
  std::string waiting() const;
  // A thread to point at: one that waits, else one that runs; null when all have ended.
  const Thread* first_alive() const;

  Run& run;
  Cluster& cluster;
  const uint64_t index;
  const device::Dim3 ctaid;
  device::Address shared = 0, local = 0;  // where the windows lie
  uint32_t shared_bytes = 0;
  std::vector<Thread> threads;
  std::unique_ptr<TensorUnit> tensor;  // null until tcgen05 is used
  std::optional<KernelFault> fault;

 private:
  Block(Run& run, uint64_t index, Cluster& cluster);
  bool run_thread(Thread& thread);
  bool run_warp(uint32_t warp);
  void run_lanes(uint32_t warp);
  void run_lanes_on_trial(uint32_t warp);
  // Threads of one warp that stand at the same place, in the order in which they execute it.
  struct EarliestLanes {
    std::array<Thread*, 32> threads;
    uint32_t count = 0;
    bool store = false;  // what they execute
    Thread* const* begin() const { return threads.data(); }
    Thread* const* end() const { return threads.data() + count; }
    bool empty() const { return count == 0; }
  };
  EarliestLanes earliest_lanes(uint32_t warp);
  void order_for_store(EarliestLanes& lanes) const;
  bool step(Thread& thread);
  bool step_of(const EarliestLanes& lanes, Thread& thread);
  bool step_with_log(Thread& thread, const Frame& frame, const ptx::Function& function);
  void multiply(const std::array<Thread*, 32>& lanes, uint32_t warp);
  void settle_warp(uint32_t warp);
  // What settle_warp() left for lanes that were about to come.
  void settle_postponed(uint32_t warp);
  void settle_activemask(uint32_t warp, bool patient);
  void settle_barrier(uint32_t id);
  uint32_t alive_lanes(uint32_t warp) const;
  bool complete(const Barrier& barrier) const;

  DeferredStores deferred_;
  uint32_t alive_ = 0;
  uint64_t executed_ = 0;
  uint32_t postponed_ = 0;  // warps, by bit
  std::array<Barrier, Barrier::kCount> barriers_{};
};

}  // namespace warpwise::exec::interpreter
