// LLVM 19 cannot select `(u64)x << 32` of floats' bits of which only four lanes are used: "Cannot select", for a
// zero_extend_vector_inreg from 256 bits, which would end the process.
//
// Upstream: no issue found.
// Reproducer: tests/simt/codegen/llvm19/upper_halves_test.cpp, on Zen 4 and Zen 5 (llc -mcpu=znver4 ends with the
// error; -mcpu=sapphirerapids selects the code).
//
// The shift becomes a shuffle with zeros, which is selected and costs as much.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <vector>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

// Zeros and the 32-bit elements alternate; the result is read as 64-bit elements.
bool llvm19::interleave_upper_halves(Instruction& i) {
  using namespace PatternMatch;
  Value* x = nullptr;
  auto* type = dyn_cast<FixedVectorType>(i.getType());
  if (!type || !match(&i, m_Shl(m_ZExt(m_Value(x)), m_SpecificInt(32))) || !x->getType()->isIntOrIntVectorTy(32))
    return false;
  const int lanes = int(type->getNumElements());
  std::vector<int> alternating;
  for (int lane = 0; lane < lanes; ++lane) alternating.insert(alternating.end(), {lanes + lane, lane});
  IRBuilder<> b(&i);
  i.replaceAllUsesWith(
      b.CreateBitCast(b.CreateShuffleVector(x, Constant::getNullValue(x->getType()), alternating), type));
  i.eraseFromParent();
  return true;
}

}  // namespace warpwise::simt
