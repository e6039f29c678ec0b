// Masked accesses that the host has no instruction for become a loop over the lanes that are active: scatters of bytes
// and of halves everywhere, gathers and scatters without AVX-512, masked loads and stores without AVX.
//
//   bits = mask                          the lanes still to come
//   while (bits != 0)
//     lane = lowest bit                  its address, and what it stores, from copies of the vectors on the stack
//     access; bits &= bits - 1
//
// An access at its lane's own address says which lane it is for: the address on the stack is less by the lane, which
// is added as the index register of the access, where a fault finds it (kRegistersTell, LaneTag, compiler.h). Of a
// gather of words around small numbers it also says where in the word the number lies.
//
// LLVM's own pass for this (scalarize-masked-mem-intrin) makes a branch for each lane, and scans the function from its
// start again after each access: 800 scattered bytes took 43 s.
//
// Of gathers and scatters whose mask is known each lane is an access of its own, with its lane in its debug place.
// Contiguous accesses with a known mask are left to LLVM.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace warpwise::simt {

void scalarise_masked_memory(llvm::Function& f, const llvm::TargetTransformInfo& host);

}  // namespace warpwise::simt
