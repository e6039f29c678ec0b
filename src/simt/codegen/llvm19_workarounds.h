// Rewrites what LLVM 19's instruction selection for x86 does badly, right before it runs: after the last pass that
// could turn it back (instcombine narrows a comparison of widened halves to one of halves again).
//
//   masks in memory     Masks kept in memory are 32 bits. Selection for AVX-512 never ends on some expressions of two
//   masks
//                       that were loaded as numbers (zext(a ^ b) beside a ? 0 : b ? 0 : 1); loaded as vectors they are
//                       harmless, and as good. Without mask registers such a load would be taken apart, so there the
//                       numbers stay.
//   choosing masks      `the block's last warp ? its 13 lanes : all` is a choice between two constant masks; selection
//   never ends
//                       if three shuffles take parts of it (a vote of eight lanes beside stores of two neighbours
//                       each), nor on the `or` of two such choices that have one condition. It becomes a test of one
//                       bit in each lane's byte, the bit of the side that is chosen, which costs as much. Choices
//                       between masks by a mask become logic.
//   lanes of a constant A mask whose upper lanes are false is zero-extended in a mask register (kmovw k, k), which LLVM
//   19
//                       calls a move: where the register allocator spills it, it stores the register before the
//                       extension, and the upper lanes come back (isMoveReg of KMOVWkk and KMOVBkk). Such shuffles
//                       become logic with constants.
//   choosing bits       m ? (x & C) | (y & ~C) : x, which is what `@m copysign` comes to, becomes one masked VPTERNLOG,
//   and where its
//                       operands are turned round for a constant or a load from memory LLVM 19 turns its table the
//                       other way: wrong bits. The choice is moved inside, (x & C) | ((m ? y : x) & ~C), and no
//                       VPTERNLOG is masked.
//   upper halves        (u64)x << 32 of the bits of floats, of which only four lanes are needed, cannot be selected at
//   all, which
//                       ends the process (zero_extend_vector_inreg from 256 bits). As a shuffle with zeros it can, and
//                       costs as much.
//   widened masks       Nor does it end on sext(a) | zext(a | b) of comparisons of u64 & 1 as a double (cvt.bf16.u64):
//   a freeze
//                       before the extension keeps the two apart.
//   comparing halves    Without AVX512-FP16, a comparison of vectors of halves is taken apart into lanes: 400
//   instructions,
//                       and 3 ms of compile time, each; a third of the time that random programs took to compile was
//                       that. "Is it a NaN", which every canonical result asks, is a comparison of integers; the others
//                       compare the halves widened to floats, which loses nothing.
//   choosing halves     Without AVX512-FP16, a choice between halves and a change of their sign are widened, too, and a
//                       signalling NaN comes out quiet. PTX moves bits: these are done to integers.
#pragma once

#include <llvm/IR/Function.h>

namespace llvm {
class TargetMachine;
}

namespace warpwise::simt {

void llvm19_workarounds(llvm::Function& f, const llvm::TargetMachine& machine);

}  // namespace warpwise::simt
