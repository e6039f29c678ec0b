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

constexpr uint32_t kAbiVersion = 2;

// Where the engine sees device memory: the address a program holds, plus this (design: D6). A program's
// own pointer (heap, stack, code: below 2^47) plus 2^46 is non-canonical or never mapped, so following
// a host pointer on the device faults.
constexpr uint64_t kAliasOffset = uint64_t{1} << 46;

constexpr unsigned kLanes = 32;

struct BlockContext;
struct ThreadContext;

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
  // Called at the back-edge of a loop every few thousand iterations: the watchdog's and ^C's way in.
  void (*poll)(BlockContext*, uint32_t warp, uint32_t site);

  // --- split mode only: each may switch to another fiber ---
  void (*barrier_sync)(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);   // threads 0: all
  void (*barrier_arrive)(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);
  // op: 0 popc, 1 and, 2 or
  uint32_t (*barrier_red)(ThreadContext*, uint32_t id, uint32_t threads, uint32_t op, uint32_t predicate, uint32_t site);
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
  void (*yield)(ThreadContext*, uint32_t site);  // at back-edges of loops that wait for somebody
};

// One block on one host thread. exec fills it before each block; generated code reads it.
struct BlockContext {
  uint64_t parameters;       // host address of the parameter buffer (in the arena: generic = this - kAliasOffset)
  uint64_t shared;           // host address of the block's shared memory; generic = shared - kAliasOffset
  uint64_t local;            // host address of thread 0's local memory
  uint64_t globals;          // host address of the module's variables; VariablePlacement gives offsets
  uint64_t frames;           // host memory for values that live across barriers: warp w at frames + w * frame_bytes
  const Services* services;
  uint32_t ctaid[3];
  uint32_t nctaid[3];
  uint32_t ntid[3];          // also a constant in specialised code
  uint32_t dynamic_shared_bytes;
  uint32_t total_shared_bytes;  // static + dynamic
  uint32_t local_stride;     // bytes of local memory of one thread; thread t at local + t * local_stride
  uint32_t smid, nsmid, nwarpid;
  uint32_t warp;             // converged mode: the warp that is running, for faults and messages
  uint32_t block_done;
  uint64_t gridid;
  uint64_t barrier_result;   // converged mode: accumulates bar.red
  uint32_t clusterid[3], nclusterid[3], cluster_ctaid[3], cluster_nctaid[3];
  uint32_t poll_countdown;   // decremented at back-edges; <= 0 calls Services::poll
  void* engine;              // exec's own
};

// Split mode: one thread.
struct ThreadContext {
  BlockContext* block;
  uint32_t tid[3];
  uint32_t thread;       // linear index in the block; warp = thread / 32, lane = thread % 32
  uint64_t local;        // host address of this thread's local memory
  void* fiber;           // exec's own
};

using KernelEntry = void (*)(BlockContext*);
using ThreadEntry = void (*)(ThreadContext*);

}  // namespace warpwise::simt
