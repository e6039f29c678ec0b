// The interfaces of a device's observers: checkers, counters, the profiler.
//
// An observer is an ObserverClient and in addition implements the interfaces that it needs; observer.h finds out which.
//
//     class AssertChecker : public ObserverClient, public FaultObserver { void faulted(...) override; };
//
//     interface          what it receives                                              how many per device
//     MemoryObserver     allocations, lifetimes, annotations                           any
//     TransferObserver   reads and writes that no compiled code does                   any
//     StreamObserver     order: commands as they begin, host accesses beside them      any
//     LaunchObserver     launches and blocks                                           any
//     EventObserver      instrumentation events, asynchronous copies                   any
//     FaultObserver      faults of kernels, misuse of tensor memory                    any
//     CountObserver      what counting code counts                                     one
//     TimeObserver       commands as they run; it says how long they take              one
//     ProgramObserver    calls and named ranges of the program                         one
//
// Each call comes from the thread that does the thing. Calls about blocks come from several host threads at once,
// unless a client needs order. The others come one at a time, except those about allocations: any thread of the program
// makes allocations.
#pragma once

#include <memory>
#include <optional>

#include "exec/observer_events.h"
#include "exec/queue/stream_order.h"
#include "exec/queue/virtual_clock.h"
#include "numerics/formats.h"
#include "ptx/layout.h"
#include "simt/instrument/modelled_clocks.h"

namespace warpwise::exec {

struct KernelFault;
struct KernelImage;
struct KernelLaunch;
class LoadedKernel;
struct Region;
class Arena;

class ObserverClient {
 public:
  virtual ~ObserverClient() = default;

  // The instrumentation that it needs: bits of simt::Watch for the compiler, part of the key of compiled code.
  virtual uint32_t watch() const { return 0; }
  // The order of commands is reported, and blocks run one after the other on one host thread, but for those launches
  // of which the client says otherwise.
  virtual bool wants_order() const { return false; }
  // Whether the blocks of this launch, which is about to run, must do so.
  virtual bool wants_blocks_in_order(const KernelLaunch& launch, const LoadedKernel& kernel) const {
    (void)launch, (void)kernel;
    return wants_order();
  }
  // Before anything is allocated.
  virtual void begin(Arena& arena) { (void)arena; }
  // The program ends by itself; nothing more will happen on the device.
  virtual void program_ends() {}
};

// Which memory there is.
class MemoryObserver {
 public:
  virtual void allocated(const Region& region) { (void)region; }
  virtual void freed(const Region& region) { (void)region; }
  // malloc() and free() of a kernel.
  virtual void heap_allocated(device::Address base, size_t bytes) { (void)base, (void)bytes; }
  // Follows heap_allocated() where a kernel's code asked: by which block and instruction.
  virtual void heap_allocated_by(BlockRun& run, device::Address base, uint64_t pc) { (void)run, (void)base, (void)pc; }
  virtual void heap_freed(device::Address base, size_t bytes) { (void)base, (void)bytes; }
  // A module's variables have their places: `layout.offset` from `base` on, in a region of Owner::Module.
  virtual void variables_placed(const ptx::Module& module, const ptx::GlobalsLayout& layout, device::Address base) {
    (void)module, (void)layout, (void)base;
  }
  // Memory of a pool becomes the program's, or is given back (`ends`): in the order of a stream, or by an act of the
  // host at `host`.
  virtual void lifetime(device::Address base, size_t bytes, bool ends, const HostPlace& host) {
    (void)base, (void)bytes, (void)ends, (void)host;
  }
  // The program describes its own memory (NVTX), at `host`; after all that it submitted before.
  virtual void annotated(const device::MemoryAnnotation& annotation, const HostPlace& host) {
    (void)annotation, (void)host;
  }

 protected:
  ~MemoryObserver() = default;
};

// Reads and writes that no compiled code does, when they happen: fills, copies row by row, asynchronous copies,
// surfaces.
class TransferObserver {
 public:
  virtual void written(device::Address to, size_t bytes) = 0;
  virtual void host_reads(device::Address from, size_t bytes) = 0;
  virtual void copies(device::Address to, device::Address from, size_t bytes) = 0;
  // An asynchronous copy reads or writes host memory that the device can use, too.
  virtual void host_side(device::Address at, size_t bytes, bool writes) { (void)at, (void)bytes, (void)writes; }

 protected:
  ~TransferObserver() = default;
};

// The order of things, for clients that need it.
class StreamObserver {
 public:
  // Before a command of a stream runs: what it is certain to come after.
  virtual void command_begins(const std::shared_ptr<const StreamOrder::Command>& command) = 0;
  // The host reads or writes memory that it shares with the device, while commands run that it has not waited for. It
  // is reported after those have run.
  virtual void host_touched(device::Address at, bool writes, const HostPlace& place) {
    (void)at, (void)writes, (void)place;
  }

 protected:
  ~StreamObserver() = default;
};

// What a client keeps of a block that runs (BlockRun::observed). One client of a device can have such a record: the
// race checker or the profiler. It sets the pointer in block_memory(), and the derived type is known to it alone.
struct ObservedBlock {
 protected:
  ~ObservedBlock() = default;
};

class LaunchObserver {
 public:
  virtual void launch_begins(const KernelLaunch& launch) = 0;
  virtual void launch_ends(const KernelLaunch& launch) = 0;
  // A host thread has memory for the blocks of a launch: shared memory with a margin around, local memory of all
  // threads.
  virtual void block_memory(BlockRun& run) { (void)run; }
  virtual void block_begins(BlockRun& run) { (void)run; }

 protected:
  ~LaunchObserver() = default;
};

class EventObserver {
 public:
  // Which events there are depends on watch().
  virtual void on_event(const ObservedEvent& event) = 0;
  // A thread has started a copy to or from shared memory.
  virtual void bulk_copy_begins(const BulkAtShared& copy) { (void)copy; }

 protected:
  ~EventObserver() = default;
};

class FaultObserver {
 public:
  // A kernel is about to be ended for what it did.
  virtual void faulted(const KernelLaunch& launch, const KernelFault& fault) = 0;
  virtual void tensor_memory_mistaken(const TensorMemoryMistake& mistake) { (void)mistake; }

 protected:
  ~FaultObserver() = default;
};

class CountObserver {
 public:
  // What code counts. In SIMT mode there is a second version of it that counts nothing: count_block() says, when a
  // block begins, which of the two runs it. In independent-thread mode all blocks count. Where the second version is
  // not worth compiling, code that counts runs the other blocks, too: it has a place for their counts, which are
  // dropped.
  virtual simt::Counting counting() const = 0;
  // The same for one launch that is about to run: a recorder of one launch leaves the others alone.
  virtual simt::Counting counting_of(const KernelLaunch& launch) const {
    (void)launch;
    return counting();
  }
  // With Counting::Steps: the instructions whose values are reported.
  virtual simt::ReportedValues values_of(const KernelImage& image) const {
    (void)image;
    return {};
  }
  // Few blocks will count, and a person waits: the version that counts is compiled in the quick tier.
  virtual bool counts_in_quick_tier() const { return false; }
  virtual bool count_block(BlockRun& run) = 0;
  // A launch of which only some blocks will count runs one before all others, to see what a block costs.
  virtual void pilot_ended(const KernelLaunch& launch) = 0;
  virtual void block_ends(BlockRun& run) = 0;  // of those that count
  virtual void counted(const CountedLanes& access) = 0;
  // By lane, unless the client makes less of it.
  virtual void counted_one(const CountedAddress& access);
  virtual void counted(const CountedThread& mark) = 0;
  virtual void bulk_copied(BlockRun& run, const BulkTraffic& traffic) = 0;
  // Tensor cores have multiplied for a single thread (tcgen05.mma, whose shape its instruction does not give):
  // `operations` additions and products.
  virtual void multiplied(BlockRun& run, numerics::Element element, uint64_t operations) = 0;

 protected:
  ~CountObserver() = default;
};

// A model of the device's time. What it says is what events and clocks report.
class TimeObserver {
 public:
  // A command is about to run, and begins then in the device's time.
  virtual void begins_at(uint64_t nanoseconds) = 0;
  // A command has run: when, and for how long on the host, in nanoseconds of its monotonic clock. Commands inside
  // graphs and commands launched by kernels are part of what contains them.
  virtual void ran(const device::Command& command, uint64_t begin, uint64_t end) = 0;
  // How long the command that has just run takes on the device.
  virtual uint64_t nanoseconds_of(const device::Command& command) = 0;
  // Then, for commands of streams: where that is in the device's time.
  virtual void placed(const device::Command& command, const CommandPlace& place) = 0;
  virtual HostCosts host_costs() const = 0;
  // What kernels read as %clock and %globaltimer: the clocks that pass in their code, and when the launch that runs
  // began. Nothing: they read the host's clock.
  virtual simt::ModelledClocks clocks_of(const KernelImage& image) = 0;
  virtual std::optional<uint64_t> modelled_begin(const KernelLaunch& launch) const = 0;

 protected:
  ~TimeObserver() = default;
};

// What the program does itself; called from any of its threads.
class ProgramObserver {
 public:
  virtual void called(const HostSpan& call) = 0;
  virtual void named(const HostSpan& range) = 0;

 protected:
  ~ProgramObserver() = default;
};

}  // namespace warpwise::exec
