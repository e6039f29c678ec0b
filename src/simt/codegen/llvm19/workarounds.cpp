#include "simt/codegen/llvm19/workarounds.h"

#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Target/TargetMachine.h>

namespace warpwise::simt {

using namespace llvm;
using namespace llvm19;

namespace {

// In the order of passes.inc. freeze_extended_logic follows those that make logic of masks.
constexpr Workaround kWorkarounds[] = {
    {"interleave_upper_halves", interleave_upper_halves, Needs::Always},
    {"test_lanes_of_chosen_mask", test_lanes_of_chosen_mask, Needs::WithMaskRegisters},
    {"load_mask_as_vector", load_mask_as_vector, Needs::WithMaskRegisters},
    {"choose_masks_by_logic", choose_masks_by_logic, Needs::WithMaskRegisters},
    {"choose_before_taking_bits", choose_before_taking_bits, Needs::WithMaskRegisters},
    {"take_constant_lanes_by_logic", take_constant_lanes_by_logic, Needs::WithMaskRegisters},
    {"freeze_extended_logic", freeze_extended_logic, Needs::WithMaskRegisters},
    {"compare_halves_as_floats", compare_halves_as_floats, Needs::WithoutHalfArithmetic},
    {"choose_halves_as_bits", choose_halves_as_bits, Needs::WithoutHalfArithmetic},
    {"change_signs_as_bits", change_signs_as_bits, Needs::WithoutHalfArithmetic},
};

bool is_needed(Needs needs, const Function& f, const TargetMachine& machine) {
  const MCSubtargetInfo& host = *machine.getSubtargetImpl(f);
  switch (needs) {
    case Needs::WithMaskRegisters:
      return host.checkFeatures("+avx512bw");
    case Needs::WithoutHalfArithmetic:
      return !host.checkFeatures("+avx512fp16");
    case Needs::Always:
      break;
  }
  return true;
}

}  // namespace

ArrayRef<Workaround> llvm19::all_workarounds() { return kWorkarounds; }

bool llvm19::is_mask(const Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1) && vector->getNumElements() <= 128;
}

Result<void> run_llvm19_workarounds(Module& module, const TargetMachine& machine, PassRunner& passes) {
  for (const Workaround& workaround : all_workarounds())
    TRY(passes.run(workaround.pass, module, [&] {
      bool changed = false;
      for (Function& f : module) {
        if (f.isDeclaration() || !is_needed(workaround.needs, f, machine)) continue;
        for (Instruction& i : make_early_inc_range(instructions(f))) changed |= workaround.apply(i);
      }
      return changed;
    }));
  return {};
}

}  // namespace warpwise::simt
