// The blocks of a cluster: they reach each other's shared memory and wait for each other at barrier.cluster. A launch
// without clusters is one of clusters of one block.
//
// Threads that wait at an mbarrier stop there until its phase ends. When no thread can run, what is in flight is
// delivered. Then the threads that wait get the answer "not yet" (a try_wait may give up). If that happens again and
// again, the cluster is in a deadlock.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "exec/async/mbarrier.h"
#include "exec/interpreter/block.h"

namespace warpwise::exec::interpreter {

class Cluster {
 public:
  // The cluster of that number in the schedule's order. Error R0101 when there is no room for the blocks' memory.
  static Result<std::unique_ptr<Cluster>> start(Run& run, uint64_t number);

  // Gives each thread a slice. False when no thread can go on any more.
  bool round();
  bool done() const;
  uint64_t executed() const;
  const KernelFault* fault() const;
  // Why no thread can go on, for the report of a deadlock; and a block to point at.
  std::string waiting() const;
  const Block& blamed() const;

  const uint64_t number;                       // in the schedule's order
  std::vector<std::unique_ptr<Block>> blocks;  // by rank

  // --- for instructions ---
  // The block whose shared memory holds these bytes, or null.
  Block* owner_of_shared(device::Address address, unsigned bytes) const;
  // A .shared::cluster address, as `block` sees it, as a generic one (0 when the cluster has no such block), and back.
  device::Address to_generic(const Block& block, uint64_t address) const;
  uint64_t to_shared(const Block& block, device::Address address) const;
  // Does `op` and wakes the threads that wait.
  MbarrierResult apply(simt::MbarrierOp op, device::Address mbarrier, uint32_t count);
  // The same for a copy that has landed; its thread may have gone, so a mistake is one of the block.
  void land(simt::MbarrierOp op, device::Address mbarrier, uint32_t count);
  // Something is on its way and will complete on `mbarrier`.
  void launch(InFlight copy);
  void deliver(device::Address mbarrier);
  // Takes over a cluster that has not started; the answer as the program gets it (simt/abi.h).
  std::array<uint32_t, simt::kCancelWords> take_another();
  // barrier.cluster; wait: true once all have arrived.
  void arrive(Thread& thread);
  bool wait(Thread& thread);
  void thread_exited(const Thread& thread);
  // Wakes the threads that wait for columns of tensor memory.
  void columns_changed();

  TensorQueue tensor_queue;

 private:
  Cluster(Run& run, uint64_t number) : number(number), run_(run) {}
  void phase_ended(device::Address mbarrier);
  bool any_thread_running() const;
  bool deliver_all();
  bool give_up_waiting();
  void settle();

  // So many rounds in which all threads wait and every try_wait gives up are a deadlock.
  static constexpr uint32_t kPatience = 64;

  Run& run_;
  std::vector<InFlight> in_flight_;
  uint32_t fruitless_ = 0;
  uint32_t alive_ = 0, arrived_ = 0, phase_ = 0;  // of barrier.cluster
};

}  // namespace warpwise::exec::interpreter
