// Shuffles that may read from a lane which does not take part: it is not in the mask, has returned, or does not exist.
// What they give there has no value (PTX ISA, shfl.sync: unpredictable), and undefined_values.h follows it to where it
// is used:
//
//     if (t < 8) x += __shfl_down_sync(0xff, x, 4);    lanes 4 to 7 read from lanes 8 to 11
//     if (t == 0) *sum = x;                            and lane 0 uses nothing of that
//
// Where all lanes of a full warp come to a shuffle that names all of them, none is absent. Most shuffles are of that
// kind, and need no code.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

using Shuffles = llvm::SmallPtrSet<const llvm::CallInst*, 8>;

// `kernel`: whether threads of a block begin here, and not in a function that a kernel calls.
Shuffles shuffles_from_absent_lanes(llvm::Function& function, bool kernel, const BlockShape& block,
                                    uint32_t local_stride);

// A shuffle as the origin of what it gives: event::Undefined::shuffle(). Zero: it has no place in the PTX.
uint64_t number_of_shuffle(const llvm::CallInst& shuffle);

}  // namespace warpwise::simt
