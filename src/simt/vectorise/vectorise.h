// Whole-function vectorisation (Karrenberg and Hack): from the program of one thread to the program of a warp.
//
//   void @kernel()  in the dialect   →   void @kernel.warp(ptr %block, i32 %warp)
//
// Uniform and affine values stay scalars, varying ones become <32 x T> (warp_builder.h), control flow follows the
// control plan, and what only some lanes do happens under a mask <32 x i1> (control.h).
//
//     vectorise.h      the pass
//     control          blocks, loops and edges of the warp's control flow
//     instructions     which of the following emits an instruction:
//       arithmetic       the same on scalars or vectors
//       memory           loads and stores as the cheapest access that the lanes' addresses allow
//       atomics          updates; privatised_sums, logged_sums: those whose result is not used
//       dialect          indices, windows, barriers
//       collectives      lanes exchange values; matrix: fragments of matrices
//       services         calls of the engine
//       simt/instrument/vectorise.h    what instrumentation has inserted
#pragma once

#include <llvm/IR/Function.h>

#include "base/result.h"
#include "simt/analysis/lane_shapes.h"
#include "simt/instrument/counts.h"

namespace warpwise::simt {

struct VectoriseOptions {
  uint32_t local_stride = 0;            // bytes between two threads' local memories
  uint32_t local_unit = 0;              // of interleaved local memory (local_layout.h)
  bool range_instructions = false;      // the machine has AVX-512's VRANGE (min_max.h)
  bool picks_of_two_registers = false;  // and VPERMI2D
  bool indexed_gathers = false;         // and gathers of sixteen words by indices of 32 bits
  bool masked_loads = false;            // and loads of some lanes
  bool compact = false;  // code that is short rather than fast: for the quick tier, which is to compile it fast
  Counting count = Counting::None;
  // Independent-warp mode: barriers are calls of services, in which other warps run. Else they stay as they are
  // (block/split_at_barriers.h).
  bool warps_wait = false;
};

// The warp function, in the same module. The scalar function is left as it was. An error (X0002) names an instruction
// that has no vector form; the caller then takes independent-thread mode.
Result<llvm::Function*> vectorise(llvm::Function& kernel, const BlockShape& block, const VectoriseOptions& options);

}  // namespace warpwise::simt
