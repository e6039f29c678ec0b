// The records that the engine hands to the clients of an observer (observer_clients.h). Addresses are the program's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "device/device.h"
#include "simt/instrument/counts.h"

namespace warpwise::exec {

struct BlockRun;

// An instrumentation event of compiled code: some lanes of a warp, at one instruction.
struct ObservedEvent {
  BlockRun& run;
  uint32_t warp;
  uint32_t mask;              // of lanes; in independent-thread mode lane 0 alone, and `run` knows the thread
  uint32_t what;              // for simt::visit_event()
  const uint64_t* addresses;  // by lane; null where the event is about the whole block (event::Barrier)
  const uint64_t* values;     // by lane
  uint64_t pc;                // in the kernel's code
  uint32_t site;              // of an event::Access: index into CompiledKernel::race_sites
};

// An access that counting code reports (simt/instrument/counts.h).
struct CountedLanes {
  BlockRun& run;
  uint32_t warp;
  uint32_t mask;
  uint32_t cell;
  simt::CountedAccess what;
  const uint64_t* addresses;  // by lane, in the access's space
  bool one_address = false;   // it is known that all lanes have the same, those outside of the mask, too
};
// One whose lanes all have the same address, as most loads of a loop over data that a warp shares.
struct CountedAddress {
  BlockRun& run;
  uint32_t warp;
  uint32_t mask;
  uint32_t cell;
  simt::CountedAccess what;
  uint64_t address;
};
// A mark that a thread has reached in independent-thread mode (simt/services.inc, count_thread).
struct CountedThread {
  BlockRun& run;
  uint32_t thread;
  uint32_t mark;
  uint32_t cell;
  simt::CountedAccess what;
  uint64_t value;
};

// A call of the CUDA libraries by a thread of the program, or a range that the program has named. A mark has no length.
struct HostSpan {
  std::string_view name;
  unsigned thread;
  uint64_t begin, end;
  uint64_t waited;       // of that time
  uint64_t first, last;  // numbers of the commands that were submitted; first > last: none
};

// The shared-memory side of a bulk or tensor copy: the thread and the instruction that start it, and the place. A copy
// into shared memory completes on an mbarrier. A copy out of it has no mbarrier: it belongs to the thread's bulk group,
// which the thread can wait for.
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

// A misuse of tensor memory. Compiled code does not check tensor memory; the engine does (numerics/tensor_memory.h).
struct TensorMemoryMistake {
  enum class Kind : uint8_t {
    Unwritten,  // an instruction reads `lane`, `column` before any instruction has written there
    Left,       // the block ends and has not freed `columns` that it allocated
  } kind;
  BlockRun& run;
  int64_t thread;
  uint64_t pc;
  uint32_t lane = 0, column = 0, columns = 0;
};

}  // namespace warpwise::exec
