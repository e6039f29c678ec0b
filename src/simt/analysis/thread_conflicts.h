// May two accesses of different warps of one block touch the same byte?
//
//     s[threadIdx.x] += s[threadIdx.x + 128];     // in blocks of 256 threads, for threadIdx.x < 128: no
//     x[threadIdx.x % 32] += 1;                   // yes: every warp's lane 3 has the same word
//     for (i = first; i < n; i += stride) y[i] += x[i];   // no, if the stride is a multiple of the block
//
// An address is known by its affine form (analysis/affine_values.h). Two accesses conflict unless they are made of
// different pointer parameters (where the launch has made sure that those lead to different allocations), or the sets
// of bytes that different warps touch are disjoint modulo the common modulus:
//
//     c[row * n + threadIdx.x] += x;       // row = blockIdx.y * 8 + threadIdx.y, blocks of 32 x 8: no, if n >= 32
//
// Accesses of a loop with a barrier in each turn are compared turn by turn where its counter is known
// (barrier_loops.h).
//
// Such a bound on one parameter is an assumption that the launch checks (launch_assumptions.h). The answer "no" is a
// proof, "yes" a guess.
//
// Related: the may-happen-in-parallel and disjointness questions of GPUVerify (Betts et al., OOPSLA 2012), which asks a
// solver for all blocks at once; here one block shape is known, so that enumeration does.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

#include "simt/analysis/affine_values.h"
#include "simt/analysis/barrier_loops.h"
#include "simt/analysis/lane_shapes.h"
#include "simt/launch_assumptions.h"

namespace warpwise::simt {

class ThreadConflicts {
 public:
  ThreadConflicts(llvm::Function& function, const BlockShape& block, const MayAssume& may_assume);

  // Of which two threads the question is asked.
  enum class Among {
    Warps,    // threads of different warps
    Lanes,    // different threads of one warp
    Threads,  // any two different threads
    All,      // any two, and a thread and itself
  };
  // Two accesses to memory that threads share, made between the same two barriers: loads, stores, atomics.
  bool may_conflict(llvm::Instruction& a, llvm::Instruction& b, Among among = Among::Warps);
  // Offsets in the block's shared memory, [first, end), that hold every byte that an access of shared memory touches.
  struct Range {
    uint64_t first, end;
  };
  std::optional<Range> shared_range(llvm::Instruction& access);
  BarrierLoops& loops() { return loops_; }
  // What the answers so far rest on.
  const LaunchAssumptions& assumed() const { return assumed_; }

  static llvm::Value* pointer_of(llvm::Instruction& access);
  static uint64_t bytes_of(llvm::Instruction& access);

 private:
  // An access as a set of bytes for each thread.
  struct Access {
    const AffineForm& form;
    const std::vector<bool>& threads;  // that execute it
    uint64_t bytes;
  };
  // What two addresses have not in common.
  struct Difference {
    uint64_t modulus = 0;           // they differ by the constants of the threads, and any multiple of this,
    llvm::Value* stride = nullptr;  // and by multiples of this value, with coefficients of each thread
    PerThread times_a = 0, times_b = 0;
  };

  bool may_conflict_in(AffineValues& values, llvm::Instruction& a, llvm::Instruction& b, Among among);
  static std::optional<Difference> difference_of(const AffineForm& a, const AffineForm& b);
  bool assume_distinct(const AffineForm& a, const AffineForm& b);
  bool are_disjoint(const Access& a, const Access& b, Among among);
  static std::optional<LaunchRange> separating_stride(const Access& a, const Access& b, const Difference& difference);
  bool overlap(const Access& a, const Access& b, const Difference& difference, Among among) const;

  const unsigned threads_;
  const MayAssume may_assume_;
  LaunchAssumptions assumed_;
  AffineValues values_;
  BarrierLoops loops_;
};

}  // namespace warpwise::simt
