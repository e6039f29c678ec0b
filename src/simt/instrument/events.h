// Shadow memory, and the events of instrumented code.
//
// Shadow memory says what is known of each byte of device memory: one byte for each, at a fixed distance from the
// engine's view. Instrumented code (CompileOptions::watch) reads and writes it beside every access, and reports what is
// wrong as an event, through Services::notice. src/check maintains it for everything that compiled code does not do:
// allocations, copies, the start of a block.
//
//     0x2000'0000'0000  the program's view
//     0x5000'0000'0000  shadow
//     0x6000'0000'0000  the engine's view
//
// Only the first kShadowReach bytes of the window have a shadow. Above them lies what the system maps
// (position-independent programs begin at 0x5555'5555'4000).
#pragma once

#include <cstdint>

namespace warpwise::simt {

constexpr uint64_t kShadowDistance = uint64_t{1} << 44;  // the engine's view minus this
constexpr uint64_t kShadowReach = uint64_t{4} << 40;

// The state of a byte. Fresh pages are zero: a byte whose state was never set is no memory. An access is correct if its
// shadow, read as one number, has all bits set.
constexpr uint8_t kNoMemory = 0x00;
constexpr uint8_t kUninitialised = 0x01;
constexpr uint8_t kReadOnly = 0xfe;  // written, and no kernel may write it again
constexpr uint8_t kInitialised = 0xff;

// What compiled code checks: bits of CompileOptions::watch.
enum Watch : uint32_t {
  kWatchAddresses = 1,       // accesses outside memory
  kWatchInitialisation = 2,  // reads of bytes that were never written
  kWatchOrder = 4,           // accesses that may race, and what orders them
  kWatchBarriers =
      8,  // arrivals at barriers, warp collectives, and the reconvergence points behind them (insert_sync_events.h)
  kWatchNumbers = 16,  // arithmetic without a result (instrument/lower_checks.h)
  kWatchEvery = 32,    // with kWatchOrder: every access, and every warp at a barrier, for counts
};

// Where addresses are checked, a variable is followed by bytes that belong to nothing (ptx/layout.h).
constexpr uint32_t variable_margin(uint32_t watch) { return watch & kWatchAddresses ? 128 : 0; }

// What is known, when a launch begins, of the memory that one of its parameters points to
// (analysis/pointer_provenance.h). An access that lies within it is correct without a look at its shadow. Filled by
// observers (exec/observer.h, block_memory).
struct PointedTo {
  uint64_t first = 0;     // where it begins, in the engine's view
  uint64_t readable = 0;  // this many bytes from there were written, and kernels may write them again
  uint64_t quiet = 0;     // this many are written by no thread of this launch, and by nothing else while it runs
};
constexpr unsigned kPointers = 64;  // parameters, by their offset / 8; nothing is known of later ones

enum class EventKind : uint8_t {  // at most 32
  Shadow,                         // an access that its shadow does not allow
  Access,  // any access; the value is what a store or exchange of up to 8 bytes writes, or a compare-and-swap expects
  Unchecked,      // an access whose shadow has not been checked
  Uninitialised,  // bytes that were never written are about to be copied to memory
  Rows,           // ldmatrix, stmatrix: 16 bytes at each address
  // What orders accesses:
  Barrier,        // about to wait at a barrier; address: its number; bytes: a BarrierOf
  BarrierArrive,  // about to arrive there without waiting
  WarpSync,       // about to synchronise the lanes of a mask; value: the mask
  Fence,
  Arrive,  // at an mbarrier, which lets others go on; address: the mbarrier
  Await,   // behind a wait at one
  // For kWatchBarriers:
  Collective,  // at a warp collective; address: the mask | number of its joins << 32 (0: none). A shuffle has its mode
               // + 1 as
               // bytes and b | c << 32 (PTX, shfl.sync) as value; strong: every lane uses what it gets
  Reconvergence,  // at a reconvergence point (join); address: its number; bytes: a ReconvergenceOf
  // For kWatchOrder, reported by lowering (instrument/lower_checks.h):
  AsyncCommit,  // the thread's cp.async so far are a group; block_scope here and below: its bulk copies instead
  AsyncWait,    // about to wait for all groups but the last; value: how many; strong: and for what is in no group
  Number,       // for kWatchNumbers; bytes: what has no result; of a signed overflow the operands are address and value
  Parameter,    // for kWatchAddresses: an access of `bytes` beyond its parameter, or misaligned; address: in the
                // parameters, value: its index
  FrameEnds,    // for kWatchInitialisation: a function returns; address: where its local memory begins in the thread's,
                // value: how many bytes
  // For the engine itself, in every build (scalar/defer_stores.h):
  DeferStore,     // about to store: other warps do not see it before the next synchronisation
  CommitStores,   // about to order its accesses by itself: what it has stored is visible from now on
  HideStores,     // SIMT mode: the warp has run its region
  PublishStores,  // SIMT mode: all warps have
};
constexpr uint8_t kDivisionByZero = 1, kConversionOverflow = 2, kNanProduced = 3, kSignedOverflow = 4;
// Joins of barriers and of collectives are numbered separately, from 1. All joins of one collective share a number,
// with `which of them << 32`. End: a join of barriers behind which nothing is left to do. Where all warps of a block
// wait at one barrier, the block reports that to the race checker (Block), and warps report it to others (WarpOfBlock).
enum class BarrierOf : uint8_t { Warp, Block, WarpOfBlock };
enum class ReconvergenceOf : uint8_t { Barriers, Collectives, End };
enum class AccessKind : uint8_t { Load, Store, Atomic };

// What Services::notice reports.
struct Event {
  EventKind kind = EventKind::Shadow;
  AccessKind access = AccessKind::Load;
  uint8_t bytes = 0;         // of one lane, 1 to 16
  bool strong = false;       // volatile, relaxed or stronger: not a plain access
  bool block_scope = false;  // atomics: of .cta scope
  bool shared = false;       // certainly shared memory
  bool copied = false;       // a load whose value is only stored, reported because none of its bytes was ever written
  uint8_t align = 0;         // the address must be a multiple of two to this power
  bool reads =
      false;  // Look: what is there must have been written; Access, an atomic: the thread gets to know what was there

  constexpr uint32_t pack() const {
    return uint32_t(kind) | uint32_t(access) << 5 | uint32_t(bytes) << 8 | uint32_t(strong) << 16 |
           uint32_t(block_scope) << 17 | uint32_t(shared) << 18 | uint32_t(copied) << 19 | uint32_t(align) << 20 |
           uint32_t(reads) << 24;
  }
  static constexpr Event unpack(uint32_t code) {
    return {EventKind(code & 31),  AccessKind(code >> 5 & 7), uint8_t(code >> 8),
            (code >> 16 & 1) != 0, (code >> 17 & 1) != 0,     (code >> 18 & 1) != 0,
            (code >> 19 & 1) != 0, uint8_t(code >> 20 & 15),  (code >> 24 & 1) != 0};
  }
};

// A shadow check of an access (Dialect::ShadowCheck), or an access that may race (Dialect::Race), in one number.
struct ShadowCheck {
  Event event;
  uint8_t space = 0;             // simt::Addrspace
  uint8_t pointer = kNoPointer;  // index of the PointedTo that it may lie in
  bool reads = false;            // what it reads must have been written
  bool marks = false;            // what it accesses is written from now on
  bool regional =
      false;  // to shared memory that the kernel reaches by no other name (instrument/redundant_race_checks.h)
  bool simple = false;  // orders nothing, and takes no lock: it matters for what it does to its own word alone
  static constexpr uint8_t kNoPointer = 0xff;

  constexpr uint64_t pack() const {
    return uint64_t{event.pack()} | uint64_t{space} << 32 | uint64_t{pointer} << 40 | uint64_t(reads) << 48 |
           uint64_t(marks) << 49 | uint64_t(regional) << 50 | uint64_t(simple) << 51;
  }
  static constexpr ShadowCheck unpack(uint64_t code) {
    return {Event::unpack(uint32_t(code)), uint8_t(code >> 32),   uint8_t(code >> 40),  (code >> 48 & 1) != 0,
            (code >> 49 & 1) != 0,         (code >> 50 & 1) != 0, (code >> 51 & 1) != 0};
  }
};

}  // namespace warpwise::simt
