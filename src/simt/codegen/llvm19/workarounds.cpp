#include "simt/codegen/llvm19/workarounds.h"

#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Target/TargetMachine.h>

namespace warpwise::simt {

using namespace llvm;
using namespace llvm19;

namespace {

// Those that concern mask registers. Each handles other instructions than the rest, but for the two kinds of
// choices, whose conditions differ: at most one applies.
void ease_masks(Instruction& i) {
  (void)(test_lanes_of_chosen_mask(i) || load_mask_as_vector(i) || choose_masks_by_logic(i) ||
         choose_before_taking_bits(i) || freeze_extended_logic(i) || take_constant_lanes_by_logic(i));
}

void ease_halves(Instruction& i) {
  (void)(compare_halves_as_floats(i) || choose_halves_as_bits(i) || change_signs_as_bits(i));
}

}  // namespace

bool llvm19::is_mask(const Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1) && vector->getNumElements() <= 128;
}

void llvm19_workarounds(Function& f, const TargetMachine& machine) {
  const MCSubtargetInfo& host = *machine.getSubtargetImpl(f);
  for (Instruction& i : make_early_inc_range(instructions(f))) interleave_upper_halves(i);
  if (host.checkFeatures("+avx512bw"))
    for (Instruction& i : make_early_inc_range(instructions(f))) ease_masks(i);
  if (!host.checkFeatures("+avx512fp16"))
    for (Instruction& i : make_early_inc_range(instructions(f))) ease_halves(i);
}

}  // namespace warpwise::simt
