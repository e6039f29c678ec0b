// A thread of a block in independent-thread mode: its fiber, and what it waits for. In independent-warp mode it is a
// warp, whose lanes run and wait together.
//
// The services (services/thread_services.cpp) fill in what the thread brings before it waits. What releases the thread
// fills in the results. Which fields count depends on the state and, at a collective, on its class.
#pragma once

#include <cstdint>

#include "exec/fibers/fiber.h"
#include "simt/abi.h"

namespace warpwise::exec {

class FiberBlock;

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
  uint32_t lanes = 1;  // the threads that it stands for, the first of which is context.thread
  State state = State::Ready;
  bool yielded = false;  // since it last made progress

  // Where it waits, for reports: the PTX instruction in the kernel, and the address that called.
  uint32_t site = 0;
  uint64_t pc = 0;

  // AtOrder: stored_at_once() of the store that it waits before (simt/lane_order.h), or 0
  uint32_t at_once = 0;

  // AtBarrier
  uint32_t barrier = 0;
  uint32_t predicates = 0;  // how many of its threads bring a predicate that is true,
  uint32_t voters = 1;      // of so many
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

}  // namespace warpwise::exec
