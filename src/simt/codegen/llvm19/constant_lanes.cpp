// LLVM 19 loses the upper lanes' zeros of a mask that it spills.
//
// A mask whose upper lanes are false is zero-extended in a mask register (`kmovw k, k`). LLVM 19 calls that a move
// (isMoveReg of KMOVWkk and KMOVBkk). Where the register allocator spills the result of a move, it may store the source
// instead: the register before the extension, so that the upper lanes are set again.
//
// Upstream: no issue found.
// Reproducer: no reduced one; it takes a kernel with more live masks than there are mask registers. The fault was found
// by a random program. tests/simt/codegen/llvm19/constant_lanes_test.cpp checks that no such shuffle is left.
//
// A shuffle that takes lanes from a constant becomes an `and` and an `or` with that constant's bits.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

bool llvm19::take_constant_lanes_by_logic(Instruction& i) {
  auto* shuffle = dyn_cast<ShuffleVectorInst>(&i);
  if (!shuffle || !is_mask(shuffle->getType())) return false;
  const unsigned from = isa<Constant>(shuffle->getOperand(0)) ? 0 : 1;
  auto* constant = dyn_cast<Constant>(shuffle->getOperand(from));
  Value* other = shuffle->getOperand(1 - from);
  if (!constant || isa<UndefValue>(constant) || isa<Constant>(other)) return false;
  const int width = cast<FixedVectorType>(other->getType())->getNumElements();
  IRBuilder<> b(shuffle);
  std::vector<Constant*> kept, ones;
  std::vector<int> lanes;
  for (int lane = 0; lane < int(shuffle->getShuffleMask().size()); ++lane) {
    const int source = shuffle->getMaskValue(lane);
    const bool of_constant = source >= 0 && source / width == int(from);
    Constant* bit = of_constant ? constant->getAggregateElement(source % width) : b.getFalse();
    if (!isa_and_nonnull<ConstantInt>(bit) && !isa_and_nonnull<UndefValue>(bit)) return false;
    kept.push_back(b.getInt1(!of_constant));
    ones.push_back(b.getInt1(of_constant && isa<ConstantInt>(bit) && cast<ConstantInt>(bit)->isOne()));
    lanes.push_back(of_constant || source < 0 ? lane % width : source % width);
  }
  // Lanes of `other` that the shuffle leaves out may be poison.
  Value* moved = b.CreateFreeze(b.CreateShuffleVector(other, lanes));
  shuffle->replaceAllUsesWith(b.CreateOr(b.CreateAnd(moved, ConstantVector::get(kept)), ConstantVector::get(ones)));
  shuffle->eraseFromParent();
  return true;
}

}  // namespace warpwise::simt
