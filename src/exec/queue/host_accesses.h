// What host code does to managed and pinned memory while the device may be using it: found by closing pages
// (memory/host_pages.h), and reported to the observer in the place that the host's access has among the commands.
//
//     kernel<<<...>>>(managed)      submitted: the pages of `managed` are closed
//     sum += managed[0]             faults: the page opens, an entry goes into the queue
//     cudaDeviceSynchronize()       the kernel runs, then the access is reported; all pages are open
//
// A launch closes the allocations that its arguments point into, and those that pointers in there lead to: what looks
// like a pointer when the launch is submitted, in the first kMostScanned bytes. Closing too much costs a fault and
// nothing else: the shadow cells of the word say whether accesses conflict. Managed variables are closed for every
// kernel.
#pragma once

#include <functional>
#include <vector>

#include "device/device.h"
#include "exec/memory/host_pages.h"
#include "exec/queue/work_queue.h"

namespace warpwise::exec {

class Arena;
class Observer;
struct Region;

class HostAccesses {
 public:
  HostAccesses(Arena& arena, WorkQueue& queue, Observer& observer);
  ~HostAccesses();
  HostAccesses(const HostAccesses&) = delete;
  HostAccesses& operator=(const HostAccesses&) = delete;

  // What the queue reports (WorkQueue::OrderListener).
  bool concern(const device::Command& command) const;
  void submitted(const device::Command& command, const std::shared_ptr<const StreamOrder::Command>& order);
  void waited(const StreamOrder& order);

 private:
  using Use = std::function<void(device::Address base, size_t bytes, HostPages::Closed what)>;
  // Each piece of shared memory that a command is given, and what of it the host must leave alone.
  void for_each_use(const device::Command& command, const Use& use) const;
  // Regions of the program that a launch may reach, with all else that memory leads to.
  std::vector<Region> reachable(const device::Launch& launch) const;
  void touched(device::Address address, bool writes, uint64_t pc);

  Arena& arena_;
  WorkQueue& queue_;
  Observer& observer_;
  HostPages pages_;
};

// A host pointer in the engine's view where there is one: that is never closed.
std::byte* open_view(const void* pointer);

}  // namespace warpwise::exec
