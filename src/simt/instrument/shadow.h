// Shadow memory: what is known of each byte of device memory, in one byte at a fixed distance from the engine's view.
// Instrumented code reads and writes it beside each access, and reports what is wrong (instrument/events.h). src/check
// maintains it for everything that compiled code does not do: allocations, copies, the start of a block.
//
//     0x2000'0000'0000  the program's view
//     0x5000'0000'0000  shadow
//     0x6000'0000'0000  the engine's view
//
// Only the first kShadowReach bytes of the window have a shadow. Above them lies what the system maps
// (position-independent programs begin at 0x5555'5555'4000).
#pragma once

#include <cstdint>

#include "simt/instrument/events.h"

namespace warpwise::simt {

constexpr uint64_t kShadowDistance = uint64_t{1} << 44;  // the engine's view minus this
constexpr uint64_t kShadowReach = uint64_t{4} << 40;

// The state of a byte. Fresh pages are zero: a byte whose state was never set is no memory. An access is correct if its
// shadow, read as one number, has all bits set.
constexpr uint8_t kNoMemory = 0x00;
constexpr uint8_t kUninitialised = 0x01;
constexpr uint8_t kReadOnly = 0xfe;  // written, and no kernel may write it again
constexpr uint8_t kInitialised = 0xff;

// Where addresses are checked, a variable is followed by bytes that belong to nothing (ptx/layout.h).
constexpr uint32_t variable_margin(uint32_t watch) { return watch & kWatchAddresses ? 128 : 0; }

// What is known, when a launch begins, of the memory that one of its parameters points to
// (analysis/pointer_provenance.h). An access that lies within it is correct whatever its shadow says. Observers
// fill it (exec/observer.h, block_memory).
struct PointedTo {
  uint64_t first = 0;      // where it begins, in the engine's view
  uint64_t readable = 0;   // this many bytes from there were written, and kernels may write them again
  uint64_t unwritten = 0;  // this many are written by no thread of this launch, and by nothing else while it runs
  uint64_t apart = 0;      // of this many, no two threads of this launch access one, nor does anything else meanwhile
  uint64_t atomic = 0;     // with this many, threads of this launch do atomics alone, and nothing else does anything
};
// Where a variable lies in the static shared memory of a block.
struct SharedBytes {
  uint64_t offset = 0, size = 0;
};

constexpr unsigned kPointers = 64;  // parameters, by their offset / 8; nothing is known of later ones

}  // namespace warpwise::simt
