// Where the manual leaves something open: what we do, once, for the interpreter. The compiler
// (src/simt/lower) does the same; random programs compare the two.
//
//   x / 0, x % 0        all ones; the lowest number by -1 wraps, its remainder is 0
//   NaN results         f32 0x7fffffff; tf32 0x7fffe000; f16, bf16 0x7fff, those of neg and abs too; f64 what the
//                       host makes (a quiet NaN). So does an H200.
//   NaN that passes     moves and selects never change its bits, copysign only its sign, neg.f64 and abs.f64 make
//                       it quiet; cvt.f32.f32, cvt.f64.f64 and cvt.f32.bf16, without more, are moves (cvt.f16.f16 and
//                       cvt.bf16.bf16 make 0x7fff of any NaN, as an H200 does); cvt from f64 keeps the sign and what
//                       fits of the payload, cvt.rna.tf32.f32 all but its last 13 bits
//   .ftz                flushes results below the smallest normal number, as an H200 does: were the exponent
//                       unbounded. Compiled code flushes what has been rounded to f32 where not all arithmetic of
//                       the kernel is .ftz (simt/analysis/flushing_arithmetic.h), and so does cvt; the two differ
//                       for results that round up to 2^-126 from less than a quarter of an ulp below it
//   -0 and +0           -0 is the smaller one for min and max
//   .approx             the formulas of simt/lower/support/approximations.h
//   fns                 the base counts modulo 32
//   brx.idx             an index past the list takes the last target
//   shfl                a source lane that does not take part (it has left the kernel, takes another path, or the
//                       reader's mask, where masks differ, does not name it) gives 0. The manual calls it
//                       unpredictable. An H200 gives 0 where the lane has left or takes another path, and reductions
//                       that add what absent lanes give need it; of a lane at the same instruction that the reader's
//                       mask does not name it gives the value
//   .sync operations    a thread that its member mask does not name takes part with those that execute the operation
//                       beside it with the same mask, as on an H200; it waits for none of them
//   activemask          the threads of the warp that stand at the same instruction once no other of the warp
//                       can go on without an answer
//   atom.add.f32        subnormals are flushed where the instruction says .global, kept elsewhere
//   bar with a count    of at least the block's threads means all that have not exited
//   conversions         of NaN to integers: 0, or the lowest s64 (as u64: 2^63) where either side is 64 bits
//                       wide (9.7.9.21)
//   %clock              instructions that this launch has executed so far
#pragma once

#include <cmath>
#include <limits>

#include "exec/interpreter/value.h"

namespace warpwise::exec::interpreter {

constexpr uint32_t kNanF32 = 0x7fffffff;
constexpr uint32_t kNanTf32 = 0x7fffe000;
constexpr uint16_t kNanF16 = 0x7fff;
constexpr uint16_t kNanBf16 = 0x7fff;
constexpr uint32_t kAbsentLane = 0;

// The device's NaN for any NaN that arithmetic made.
inline float canonical(float value) { return std::isnan(value) ? std::bit_cast<float>(kNanF32) : value; }
inline double canonical(double value) { return value; }

// So often may lanes of a warp poll (atomics, volatile loads, tests of an mbarrier) ahead of those that stand later in
// the program.
constexpr uint32_t kPollsAhead = 64;
// A thread, or a warp in lockstep, runs this many instructions before the next one gets its turn ...
constexpr uint32_t kSlice = 2000;
// Between two questions whether a block shall be left (single_blocks.h) a warp takes so many steps: some 100 µs.
constexpr uint32_t kStepsOnTrial = 64;
// ... and a block this many before further resident blocks are started beside it: enough for any
// ordinary block to end, so that blocks run in order unless one waits for another.
constexpr uint64_t kBlockPatience = 1'000'000;
// Rounds that an activemask waits for the rest of its warp.
constexpr uint32_t kActivemaskPatience = 4;
// Rounds that a vote or shuffle without .sync waits: such code relies on the lanes of a branch having reconverged.
constexpr uint32_t kReconvergencePatience = 1000;
// What a call takes of a thread's stack at least, so that recursion ends that has no frames.
constexpr uint32_t kLeastCallBytes = 4;

}  // namespace warpwise::exec::interpreter
