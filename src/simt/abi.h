// The contract between machine code that src/simt makes and src/exec, which runs it.
//
// Everything compiled code knows of the outside it reaches through one BlockContext: no relocation of
// an object file ever names a symbol of ours, so objects can be kept in a cache on disk and loaded
// without LLVM.
//
// Three shapes of code exist (docs/internals/simt_modes.md):
//
//   SIMT mode                 one function runs a whole block: KernelEntry. Warps are 32-lane vectors under
//                             masks; barriers cut the kernel into regions that loop over the block's warps.
//   independent-thread mode   one function runs one thread: ThreadEntry. Threads are fibers that wait in
//                             services (barriers, shuffles, votes, yields at the back-edges of spinning loops).
//   independent-warp mode     one function runs one warp, as a vector under masks, and is a ThreadEntry whose thread
//                             is the first of the warp. Warps are fibers that wait in services.
//
// Generated code reads the structures below at fixed offsets. After a change of one of them, increase kAbiVersion,
// which is part of every cache key.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwise::simt {

constexpr uint32_t kAbiVersion = 21;

// Where the engine sees device memory: the address a program holds, plus this (design: D6). A program's
// own pointer (heap, stack, code: below 2^47) plus 2^46 is non-canonical or never mapped, so following
// a host pointer on the device faults.
constexpr uint64_t kAliasOffset = uint64_t{1} << 46;

constexpr unsigned kLanes = 32;

// A .shared::cluster address is an offset into the shared memory of a block of the cluster: of the own one, as
// every .shared address, or of the block whose rank + 1 stands from this bit up (mapa makes those). Modules that work
// for pairs of blocks (ptx/shapes/tcgen05.h) see the rank itself there, in the addresses of their own block, too.
constexpr unsigned kClusterRankBit = 24;
constexpr uint64_t kClusterOffsetMask = (uint64_t{1} << kClusterRankBit) - 1;

// Behind the largest possible parameters, at this offset of BlockContext::parameters, lies the address of the grid's
// workspace {bytes, barrier}, which %envreg1 and %envreg2 show (the driver's contract with cooperative_groups.h: high
// and low half); 0 for a launch that is not cooperative.
constexpr uint32_t kGridWorkspaceParameter = 32 << 10;

struct BlockContext;
struct ThreadContext;

// What is done to an mbarrier (PTX ISA 9.7.13.15). The count is one of arrivals, or of bytes where the name says Tx.
enum class MbarrierOp : uint32_t {
  Init,
  Inval,
  ExpectTx,
  CompleteTx,
  Arrive,
  ArriveExpectTx,
  ArriveNoComplete,
  ArriveDrop,
  ArriveDropExpectTx,
  ArriveDropNoComplete,
};
constexpr uint32_t kMbarrierPendingMask = (1u << 20) - 1;  // of a state: the arrivals that were missing

// What a bulk copy does to what lies at its target.
enum class BulkOp : uint32_t { Copy, Add, Min, Max, Inc, Dec, And, Or, Xor };
enum class BulkType : uint32_t { U32, S32, U64, S64, F16, BF16, F32, F64 };
// The fields of a tensor map that tensormap.replace names.
enum class TensorField : uint32_t {
  Address,
  Rank,
  Box,
  Size,
  Stride,
  ElementStride,
  Type,
  Interleave,
  Swizzle,
  Atomicity,
  Fill,
};
// How a tensor copy walks: device::TensorMode has the same numbers.
enum class BoxMode : uint32_t { Tiled, Im2col, Im2colW, Im2colW128 };
// A bulk copy in one word: BulkOp in bits 0 to 7, BulkType in 8 to 15 (tensors have their own), and
constexpr uint32_t kBulkMulticast = 1 << 16;  // to all blocks of a mask
constexpr uint32_t kBulkStore = 1 << 17;      // tensors: from shared memory
// Tensors, with kBulkMulticast: the copy completes in one block of each pair (.cta_group::2).
constexpr uint32_t kBulkPairs = 1 << 18;
constexpr uint32_t kBulkFourRows = 1 << 19;  // tensors: gather4, scatter4; the coordinates are a column and four rows
// Of each 16 bytes those of a mask, which stands where a mask of blocks would.
constexpr uint32_t kBulkMasked = 1 << 20;
constexpr unsigned kBulkModeAt = 21;  // tensors: BoxMode
constexpr uint32_t kBulkModeMask = 3;
constexpr unsigned kBulkRankAt = 24;  // tensors: how many coordinates
constexpr unsigned kMaxCoordinates = 5;
constexpr unsigned kTensorMapBytes = 128;  // of a CUtensorMap

// What clusterlaunchcontrol.try_cancel leaves in shared memory: x, y and z of the %ctaid of the first block of the
// cluster that was given away, and whether there was one.
constexpr unsigned kCancelWords = 4, kCanceledWord = 3, kCancelBytes = 4 * kCancelWords;

// What tcgen05 does to the columns of tensor memory; of one block, or of a pair.
enum class TensorColumns : uint32_t { Allocate, Release, Relinquish };
// What one thread asks of the tensor cores, and the words that say how:
//   Multiply   numerics::Tcgen05Form packed, d, instruction descriptor, a, b, metadata, scales of a and of b,
//              accumulate, zero-column mask, four words of 64 lanes that are not written
//   Copy       numerics::TensorCopyForm packed, blocks, address, matrix descriptor
//   Shift      blocks, address
//   Commit     the mbarrier's generic address, the ranks of a multicast (0: none)
enum class TensorOp : uint32_t { Multiply, Copy, Shift, Commit };
constexpr unsigned kMostTensorWords = 14;

// What generated code may call: services.inc says what each does.
struct Services {
#define SERVICE(name, result, parameters) result(*name) parameters;
#include "simt/services.inc"
#undef SERVICE
};
constexpr uint32_t kMultimemWrites = 1 << 8;
constexpr uint32_t kMarkBlock = 0, kMarkGuard = 1, kMarkAccess = 2, kMarkValue = 3;

// Of a piece of the log of sums (exec/launch/logged_sums.h): from an entry's address to its operand.
constexpr uint32_t kLogEntries = 4096;
constexpr uint32_t kLogReach = kLogEntries * 8;

// One block on one host thread. exec fills it before each block; generated code reads it.
struct BlockContext {
  uint64_t parameters;  // host address of the parameter buffer (in the arena: generic = this - kAliasOffset)
  uint64_t shared;      // host address of the block's shared memory; generic = shared - kAliasOffset
  uint64_t local;       // host address of thread 0's local memory
  uint64_t globals;     // host address of the module's variables; VariablePlacement gives offsets
  uint64_t frames;      // host memory for values that live across barriers: warp w at frames + w * frame_bytes
  const Services* services;
  uint32_t ctaid[3];
  uint32_t nctaid[3];
  uint32_t ntid[3];  // also a constant in specialised code
  uint32_t dynamic_shared_bytes;
  uint32_t total_shared_bytes;  // static + dynamic
  uint32_t local_stride;        // bytes of local memory of one thread; thread t at local + t * local_stride
  uint32_t smid, nsmid, nwarpid;
  uint32_t warp;  // SIMT mode: the warp that is running, for faults and messages
  uint32_t block_done;
  uint64_t gridid;
  uint64_t barrier_result;  // SIMT mode: accumulates bar.red
  uint32_t clusterid[3], nclusterid[3], cluster_ctaid[3], cluster_nctaid[3];
  void* engine;  // exec's own
  // The window of privatised sums, as host addresses; sums_bytes is 0 when there is none.
  uint64_t sums_first, sums_bytes;
  uint64_t sums;          // the counters that stand for it, of the size of its elements
  uint64_t sums_pending;  // whether some may be other than 0
  // The log of sums. Code writes to it where all lanes add inside the window (host addresses); log_bytes is 0 when
  // there is none. An entry is an address, and kLogReach bytes behind it the operand's bits.
  uint64_t log_first, log_bytes;
  uint64_t log_next, log_end;   // [next, end): where entries' addresses go
  uint64_t counters;            // host address of the cells (counts.h) of code that counts
  uint64_t warp_counters;       // ... and of a word for each warp of the block: what it has run (WarpWork)
  uint64_t pointer_provenance;  // host address of kPointers PointedTo (shadow.h), where code is checked
  uint32_t warp_order[32];      // which warp comes when: shuffled, or as they are numbered
  uint64_t race;                // host address of the RaceEpochs (race_cells.h) of code that checks for races
  uint64_t
      copied_unwritten;  // whether the block has copied unwritten bytes to its shared memory, in code that is checked
};

// Independent-thread mode: one thread. Independent-warp mode: the first thread of a warp.
struct ThreadContext {
  BlockContext* block;
  uint32_t tid[3];
  uint32_t thread;     // linear index in the block; warp = thread / 32, lane = thread % 32
  uint64_t local;      // host address of this thread's local memory
  void* fiber;         // exec's own
  uint64_t stack_end;  // host address: functions that are called must not take the fiber's stack below it
};

using KernelEntry = void (*)(BlockContext*);
using ThreadEntry = void (*)(ThreadContext*);

}  // namespace warpwise::simt
