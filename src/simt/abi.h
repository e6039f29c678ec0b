// The contract between machine code that src/simt makes and src/exec, which runs it.
//
// Everything compiled code knows of the outside it reaches through one BlockContext: no relocation of
// an object file ever names a symbol of ours, so objects can be kept in a cache on disk and loaded
// without LLVM.
//
// Two shapes of code exist (ARCHITECTURE.md, "Two modes"):
//
//   converged   one function runs a whole block: KernelEntry. Warps are 32-lane vectors under masks;
//               barriers cut the kernel into regions that loop over the block's warps.
//   split       one function runs one thread: ThreadEntry. Threads are fibers; they park in Services
//               calls (barriers, shuffles, votes, yields at the back-edges of spinning loops).
//
// Both structs are read by generated code at fixed offsets: append, never reorder, and bump
// kAbiVersion, which is part of every cache key.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwise::simt {

constexpr uint32_t kAbiVersion = 15;

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
constexpr uint32_t kBulkPairs =
    1 << 18;  // tensors, with kBulkMulticast: of each pair of blocks one is told (.cta_group::2)
constexpr uint32_t kBulkFourRows = 1 << 19;  // tensors: gather4, scatter4; the coordinates are a column and four rows
constexpr uint32_t kBulkMasked =
    1 << 20;                          // of each 16 bytes those of a mask, which stands where a mask of blocks would
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
//   accumulate,
//              zero-column mask, four words of 64 lanes that are not written
//   Copy       numerics::TensorCopyForm packed, blocks, address, matrix descriptor
//   Shift      blocks, address
//   Commit     the mbarrier's generic address, the ranks of a multicast (0: none)
enum class TensorOp : uint32_t { Multiply, Copy, Shift, Commit };
constexpr unsigned kMostTensorWords = 14;

// What generated code may call. All are plain C functions; a failing one does not return (it unwinds
// the block with siglongjmp). `site` is the index of the PTX instruction in its function; vector
// arguments are arrays of 32; only lanes whose bit in `mask` is set are read or written.
struct Services {
  // --- both modes ---
  void (*trap)(BlockContext*, uint32_t warp, uint32_t mask, uint32_t site);
  void (*brkpt)(BlockContext*, uint32_t warp, uint32_t mask, uint32_t site);
  // assert(): addresses of message, file and function as generic addresses.
  void (*assert_fail)(BlockContext*, uint32_t warp, uint32_t lane, const uint64_t message_file_function[3],
                      uint32_t line, uint32_t site);
  // printf of one thread; both are generic device addresses. Returns what printf returns on the device.
  int32_t (*vprintf)(BlockContext*, uint32_t warp, uint32_t lane, uint64_t format, uint64_t arguments);
  uint64_t (*device_malloc)(BlockContext*, uint64_t size);
  void (*device_free)(BlockContext*, uint64_t address);
  uint64_t (*clock)(BlockContext*);        // %clock64
  uint64_t (*globaltimer)(BlockContext*);  // nanoseconds
  void (*stack_overflow)(BlockContext*, uint32_t warp, uint32_t lane, uint32_t site);
  // Double-precision arithmetic with a directed rounding (rounding: 0 rz, 1 rm, 2 rp), one value each:
  double (*add_f64)(double a, double b, uint32_t rounding);
  double (*mul_f64)(double a, double b, uint32_t rounding);
  double (*fma_f64)(double a, double b, double c, uint32_t rounding);
  double (*div_f64)(double a, double b, uint32_t rounding);
  double (*sqrt_f64)(double a, uint32_t rounding);
  // The block waits for others (nanosleep, the back-edge of a loop that waits for another block): may run them. Also
  // the watchdog's and ^C's way in.
  void (*poll)(BlockContext*, uint32_t warp, uint32_t site);

  // --- independent-thread mode only: each may switch to another fiber ---
  void (*barrier_sync)(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);  // threads 0: all
  void (*barrier_arrive)(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);
  // op: 0 popc, 1 and, 2 or
  uint32_t (*barrier_red)(ThreadContext*, uint32_t id, uint32_t threads, uint32_t op, uint32_t predicate,
                          uint32_t site);
  void (*warp_sync)(ThreadContext*, uint32_t mask, uint32_t site);
  // mode: 0 up, 1 down, 2 bfly, 3 idx. Returns the value; *in_range gets the predicate.
  uint32_t (*shfl)(ThreadContext*, uint32_t mode, uint32_t value, uint32_t b, uint32_t c, uint32_t mask,
                   uint32_t* in_range, uint32_t site);
  // The ballot of `predicate` over the threads of mask; all, any and uni are computed from it.
  uint32_t (*ballot)(ThreadContext*, uint32_t predicate, uint32_t mask, uint32_t site);
  // Lanes of mask with the same value; *all_same tells whether all of mask agree.
  uint32_t (*match)(ThreadContext*, uint64_t value, uint32_t mask, uint32_t* all_same, uint32_t site);
  // op: 0 add, 1 min.u32, 2 max.u32, 3 min.s32, 4 max.s32, 5 and, 6 or, 7 xor
  uint32_t (*redux)(ThreadContext*, uint32_t op, uint32_t value, uint32_t mask, uint32_t site);
  uint32_t (*activemask)(ThreadContext*, uint32_t site);
  uint32_t (*elect)(ThreadContext*, uint32_t mask, uint32_t* is_leader, uint32_t site);
  void (*nanosleep)(ThreadContext*, uint32_t nanoseconds, uint32_t site);
  void (*yield)(ThreadContext*, uint32_t site);  // at back-edges of loops that wait for another thread
  void (*lane_order)(ThreadContext*,
                     uint32_t site);  // before an access that waits for its turn (scalar/defer_stores.h)

  // --- mbarriers, both modes; addresses are generic ---
  // op: MbarrierOp. Returns the state before it.
  uint64_t (*mbarrier)(BlockContext*, uint32_t warp, uint32_t lane, uint32_t op, uint64_t address, uint32_t count,
                       uint32_t site);
  // Whether a phase has ended; it is named by a state, or by its parity (is_parity).
  uint32_t (*mbarrier_test)(BlockContext*, uint32_t warp, uint32_t lane, uint64_t address, uint64_t phase,
                            uint32_t is_parity, uint32_t site);
  // The same in independent-thread mode; lets others run before it says no. `may_wait`: try_wait, which sleeps until
  // the phase has ended, or long.
  uint32_t (*mbarrier_wait)(ThreadContext*, uint64_t address, uint64_t phase, uint32_t is_parity, uint32_t may_wait,
                            uint32_t site);

  // --- bulk copies, both modes; addresses are generic, an mbarrier of 0 is none ---
  void (*bulk_copy)(BlockContext*, uint32_t warp, uint32_t lane, uint32_t what, uint64_t to, uint64_t from,
                    uint32_t bytes, uint64_t mbarrier, uint32_t blocks, uint32_t site);
  // `offsets`: those of im2col, 16 bits each; of its wide modes the halo and an offset.
  void (*tensor_copy)(BlockContext*, uint32_t warp, uint32_t lane, uint32_t what, uint64_t map, uint64_t shared,
                      uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t c4, uint64_t offsets,
                      uint64_t mbarrier, uint32_t blocks, uint32_t site);
  void (*tensor_replace)(BlockContext*, uint32_t warp, uint32_t lane, uint32_t field, uint64_t map, uint32_t index,
                         uint64_t value, uint32_t site);

  // --- wgmma, one warp's share ---
  // `form`: numerics::WgmmaForm packed; descriptors; word w of lane l at [w * 32 + l], d in and out.
  void (*wgmma)(BlockContext*, uint32_t warp, uint64_t form, uint64_t a, uint64_t b, uint32_t accumulate,
                const uint32_t* a_words, uint32_t* d, uint32_t site);
  // Independent-thread mode: this thread's words only.
  void (*wgmma_sync)(ThreadContext*, uint64_t form, uint64_t a, uint64_t b, uint32_t accumulate,
                     const uint32_t* a_words, uint32_t* d, uint32_t site);

  // --- clusters ---
  // A .shared::cluster address as a generic one and back. Both modes.
  uint64_t (*cluster_to_generic)(BlockContext*, uint64_t address, uint32_t site);
  uint64_t (*generic_to_cluster)(BlockContext*, uint64_t address, uint32_t site);
  // The rank of the block whose shared memory a generic address is in; ~0: of none.
  uint32_t (*rank_of_address)(BlockContext*, uint64_t address);
  // Independent-thread mode only. What stands from kClusterRankBit up in addresses of the block with that rank.
  uint32_t (*cluster_rank_bits)(ThreadContext*, uint32_t rank, uint32_t site);
  void (*cluster_arrive)(ThreadContext*, uint32_t site);
  void (*cluster_wait)(ThreadContext*, uint32_t site);
  // Asks for a cluster that has not started. The answer goes to `to` and is told to `mbarrier`, generic addresses both;
  // `everywhere`: in each block of the own cluster.
  void (*cluster_try_cancel)(ThreadContext*, uint64_t to, uint64_t mbarrier, uint32_t everywhere, uint32_t site);

  // --- both modes ---
  // A texture or surface access of the lanes in `mask`: `code` is a packed ptx::ImageAccess, word k of lane l stands at
  // words[k * kLanes + l], results likewise. A thread alone is lane 0 of a mask of 1.
  void (*image)(BlockContext*, uint32_t warp, uint32_t mask, uint64_t code, const uint64_t* handles,
                const uint32_t* words, uint32_t* results, uint32_t site);

  // --- matrix products ---
  // numerics::Product, packed; word w of lane l at [w * 32 + l].
  void (*multiply)(BlockContext*, uint64_t product, const uint32_t* inputs, uint32_t* outputs);
  // Independent-thread mode. The same with this thread's words only; and the words of all lanes to everyone: word w of
  // lane l at out[w * 32 + l].
  void (*multiply_sync)(ThreadContext*, uint64_t product, const uint32_t* inputs, uint32_t* outputs, uint32_t site);
  void (*gather)(ThreadContext*, const uint32_t* words, uint32_t count, uint32_t* out, uint32_t site);

  // --- privatised sums (simt/scalar/privatise_sums.h), SIMT mode only ---
  // An addition of `bytes` bytes at a host address outside the window: time to open one?
  void (*open_sums)(BlockContext*, uint64_t address, uint32_t bytes);
  void (*flush_sums)(BlockContext*);

  // --- both modes: code that is watched (events.h) ---
  // `what`: a packed Notice; generic addresses and values by lane. A thread alone is lane 0 of a mask of 1. `site`: of
  // an Access, its index in CompiledKernel::watched_sites.
  void (*event)(BlockContext*, uint32_t warp, uint32_t mask, uint32_t what, const uint64_t* addresses,
                const uint64_t* values, uint32_t site);

  // --- code that counts (counts.h) ---
  // `what`: a packed CountedAccess; addresses in its space, by lane.
  void (*count_access)(BlockContext*, uint32_t warp, uint32_t mask, uint32_t cell, uint32_t what,
                       const uint64_t* addresses);
  // Independent-thread mode. A mark that a thread has come to: kMarkBlock; kMarkGuard, whose value is whether it is let
  // through; or kMarkAccess, whose value is the address.
  void (*count_thread)(ThreadContext*, uint32_t mark, uint32_t cell, uint32_t what, uint64_t value);

  // --- tensor memory (tcgen05), independent-thread mode only ---
  // `what`: TensorColumns. Of the whole warp; the address of an allocation goes to `destination`, a generic address.
  void (*tensor_columns)(ThreadContext*, uint32_t what, uint32_t blocks, uint64_t destination, uint32_t address,
                         uint32_t columns, uint32_t site);
  // tcgen05.ld and .st: numerics::TensorMove, packed, and this thread's registers. No registers: the warp meets
  // (tcgen05.wait).
  void (*tensor_move)(ThreadContext*, uint64_t move, uint32_t address, uint32_t second, uint32_t* words, uint32_t site);
  void (*tensor_op)(ThreadContext*, uint32_t what, const uint64_t* words, uint32_t site);

  // --- multimem, both modes ---
  // Where copy number `index` is of the bytes at an address of a multicast object, as a generic address; 0 when there
  // are fewer copies. `what`: the bytes of the access, and kMultimemWrites.
  uint64_t (*multimem)(BlockContext*, uint32_t warp, uint32_t lane, uint64_t address, uint32_t what, uint32_t index,
                       uint32_t site);
};
constexpr uint32_t kMultimemWrites = 1 << 8;
constexpr uint32_t kMarkBlock = 0, kMarkGuard = 1, kMarkAccess = 2;

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
  uint32_t poll_countdown;  // decremented at back-edges; <= 0 calls Services::poll
  void* engine;             // exec's own
  // The window of privatised sums, as host addresses; sums_bytes is 0 when there is none.
  uint64_t sums_first, sums_bytes;
  uint64_t sums;                // the counters that stand for it, of the size of its elements
  uint64_t sums_pending;        // whether some may be other than 0
  uint64_t counters;            // host address of the cells (counts.h) of code that counts
  uint64_t pointer_provenance;  // host address of kPointers PointedTo (events.h), where code is watched
  uint32_t warp_order[32];      // of a shuffled schedule: which warp comes when
  uint64_t race;                // host address of the RaceEpochs (race_cells.h) of code that looks for races
};

// Independent-thread mode: one thread.
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
