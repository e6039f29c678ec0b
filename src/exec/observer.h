// Who wants to know what happens on a device: checkers, counters, tracers. The engine tells an observer of everything
// that compiled code does not tell by itself; what compiled code tells is chosen by `watch`.
//
// Addresses are the program's. Calls come from the thread that does the thing: those about blocks from several host
// threads at once, the others one at a time, but for allocations, which any thread of the program makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "device/device.h"
#include "exec/queue/stream_order.h"
#include "exec/queue/virtual_clock.h"
#include "numerics/formats.h"
#include "ptx/layout.h"
#include "simt/instrument/counts.h"
#include "simt/instrument/modelled_clocks.h"

namespace warpwise::exec {

struct BlockRun;
struct KernelFault;
struct KernelImage;
struct KernelLaunch;
struct Region;
class Arena;

// An access that compiled code asks about: by some lanes of a warp, of one instruction.
struct ObservedEvent {
  BlockRun& run;
  uint32_t warp;
  uint32_t mask;              // of lanes; in split mode lane 0 alone, and the run knows the thread
  uint32_t what;              // a packed simt::Notice
  const uint64_t* addresses;  // by lane; null where a whole block meets (simt::BarrierOf)
  const uint64_t* values;     // by lane
  uint64_t pc;                // in the kernel's code
  uint32_t site;              // of EventKind::Access: index into CompiledKernel::watched_sites
};

// An access that code which counts tells of (simt/instrument/counts.h).
struct CountedLanes {
  BlockRun& run;
  uint32_t warp;
  uint32_t mask;
  uint32_t cell;
  simt::CountedAccess what;
  const uint64_t* addresses;  // by lane, in the access's space
};
// A mark that a thread of split mode has come to (simt/abi.h, Services::count_thread).
struct CountedThread {
  BlockRun& run;
  uint32_t thread;
  uint32_t mark;
  uint32_t cell;
  simt::CountedAccess what;
  uint64_t value;
};

// A call of the CUDA libraries by a thread of the program, or a range that it has named; a mark has no length.
struct HostSpan {
  std::string_view name;
  unsigned thread;
  uint64_t begin, end;
  uint64_t waited;       // of that time
  uint64_t first, last;  // numbers of the commands that were submitted; first > last: none
};

// The shared memory's side of a bulk or tensor copy: by which thread and instruction, and where. One that brings
// something tells an mbarrier when it is there; one that takes something (no mbarrier) is in the thread's bulk group,
// which it can wait for.
struct BulkAtShared {
  BlockRun& run;
  uint32_t thread;
  uint64_t pc;
  device::Address shared;
  size_t bytes;
  device::Address mbarrier = 0;
};

// A bulk or tensor copy between global memory and shared memory.
struct BulkTraffic {
  enum class Kind : uint8_t { Load, Store, Reduce } kind;  // of global memory
  struct Row {
    device::Address address;
    size_t bytes;
  };
  std::span<const Row> rows;  // of global memory
  unsigned targets;           // shared memories that a load goes to: a multicast reads once
};

// What is wrong with tensor memory, of which compiled code knows nothing (numerics/tensor_memory.h).
struct TensorMemoryMistake {
  enum class Kind : uint8_t {
    Unwritten,  // an instruction takes from `lane`, `column` what nobody wrote
    Left,       // the block ends with `columns` that it got there
  } kind;
  BlockRun& run;
  int64_t thread;
  uint64_t pc;
  uint32_t lane = 0, column = 0, columns = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;

  // Bits of simt::Watch for the compiler; part of the key of compiled code.
  virtual uint32_t watch() const { return 0; }
  // Blocks must run one after the other on one host thread, and the order of commands is told.
  virtual bool wants_order() const { return false; }
  // What code is to count. Where it runs converged there is a second version that counts nothing: count_block() then
  // says, when a block begins, which of the two runs it; where not, all blocks count.
  virtual simt::Counting counting() const { return simt::Counting::None; }
  virtual bool count_block(BlockRun& run) {
    (void)run;
    return true;
  }
  // A launch of which only some blocks will count runs one before all others, to see what a block costs.
  virtual void pilot_ended(const KernelLaunch& launch) { (void)launch; }
  virtual void block_ends(BlockRun& run) { (void)run; }  // of those that count
  // A thread has begun to copy to shared memory, or from there.
  virtual void bulk_copy_begins(const BulkAtShared& load) { (void)load; }
  virtual void bulk_copied(BlockRun& run, const BulkTraffic& traffic) { (void)run, (void)traffic; }
  // Tensor cores have multiplied for a single thread (tcgen05.mma, whose shape no instruction tells): so many additions
  // and products.
  virtual void multiplied(BlockRun& run, numerics::Element element, uint64_t operations) {
    (void)run, (void)element, (void)operations;
  }
  virtual void counted(const CountedLanes& access) { (void)access; }
  virtual void counted(const CountedThread& mark) { (void)mark; }
  // Before anything is allocated.
  virtual void begin(Arena& arena) { (void)arena; }

  // --- memory
  virtual void allocated(const Region& region) { (void)region; }
  virtual void freed(const Region& region) { (void)region; }
  virtual void heap_allocated(device::Address base, size_t bytes) { (void)base, (void)bytes; }  // malloc() of a kernel
  virtual void heap_allocated_by(BlockRun& run, device::Address base, uint64_t pc) {
    (void)run, (void)base, (void)pc;
  }  // right behind it
  virtual void heap_freed(device::Address base, size_t bytes) { (void)base, (void)bytes; }
  // A module's variables have their places: `layout.offset` from `base` on, in a region of Owner::Module.
  virtual void variables_placed(const ptx::Module& module, const ptx::GlobalsLayout& layout, device::Address base) {
    (void)module, (void)layout, (void)base;
  }
  // --- what no compiled code does, when it happens: fills, copies row by row, asynchronous copies, surfaces
  virtual void written(device::Address to, size_t bytes) { (void)to, (void)bytes; }
  virtual void host_reads(device::Address from, size_t bytes) { (void)from, (void)bytes; }
  virtual void copies(device::Address to, device::Address from, size_t bytes) { (void)to, (void)from, (void)bytes; }

  // Memory of a pool begins or ends to be the program's, in the order of a stream, or by an act of the host's, at
  // `host`.
  virtual void lifetime(device::Address base, size_t bytes, bool ends, const HostPlace& host) {
    (void)base, (void)bytes, (void)ends, (void)host;
  }

  // The program tells of its own memory, at `host`; behind all that it submitted before.
  virtual void annotated(const device::MemoryAnnotation& annotation, const HostPlace& host) {
    (void)annotation, (void)host;
  }
  // The host reads or writes memory that it shares with the device, beside commands that it has not waited for; after
  // those have run.
  virtual void host_touched(device::Address at, bool writes, const HostPlace& place) {
    (void)at, (void)writes, (void)place;
  }
  // An asynchronous copy reads or writes memory of the host's that the device may use, too.
  virtual void host_side(device::Address at, size_t bytes, bool writes) { (void)at, (void)bytes, (void)writes; }

  // Before a command of a stream runs, for those who want order: what it is certain to come after.
  virtual void command_begins(const std::shared_ptr<const StreamOrder::Command>& command) { (void)command; }

  // --- kernels
  virtual void launch_begins(const KernelLaunch& launch) { (void)launch; }
  virtual void launch_ends(const KernelLaunch& launch) { (void)launch; }
  // A host thread has memory for the blocks of a launch: shared memory with a margin around, local memory of all
  // threads.
  virtual void block_memory(BlockRun& run) { (void)run; }
  virtual void block_begins(BlockRun& run) { (void)run; }
  virtual void on_event(const ObservedEvent& access) { (void)access; }
  virtual void tensor_memory_mistaken(const TensorMemoryMistake& mistake) { (void)mistake; }
  // A kernel is about to be ended for what it did.
  virtual void faulted(const KernelLaunch& launch, const KernelFault& fault) { (void)launch, (void)fault; }
  // --- time: an observer that models it says how long a command that has just run would take on the device, and events
  // tell that.
  virtual bool models_time() const { return false; }
  virtual uint64_t nanoseconds_of(const device::Command& command) {
    (void)command;
    return 0;
  }
  // A command has run, when and for how long on the host: nanoseconds of its monotonic clock. Those inside graphs and
  // launched by kernels are part of what contains them.
  virtual void ran(const device::Command& command, uint64_t begin, uint64_t end) {
    (void)command, (void)begin, (void)end;
  }
  // Then, for commands that streams were given, where that is in the device's time.
  virtual void placed(const device::Command& command, const CommandPlace& place) { (void)command, (void)place; }
  virtual HostCosts host_costs() const { return {}; }
  // A command is about to run, and begins then in the device's time.
  virtual void begins_at(uint64_t nanoseconds) { (void)nanoseconds; }
  // What kernels read as %clock and %globaltimer: the clocks that pass in their code, and when the launch that runs
  // began. Nothing: they ask the host.
  virtual simt::ModelledClocks clocks_of(const KernelImage& image) {
    (void)image;
    return {};
  }
  virtual std::optional<uint64_t> modelled_begin(const KernelLaunch& launch) const {
    (void)launch;
    return std::nullopt;
  }
  // What the program does itself; from any of its threads.
  virtual void called(const HostSpan& call) { (void)call; }
  virtual void named(const HostSpan& range) { (void)range; }
  // The program ends by itself; nothing more will happen on the device.
  virtual void program_ends() {}
};

}  // namespace warpwise::exec
