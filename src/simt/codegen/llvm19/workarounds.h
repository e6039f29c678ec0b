// Faults of LLVM 19 that kernels run into, and what is done about each: one file a fault.
//
// The workarounds rewrite IR right before instruction selection. Each is a pass of its own. They must run after the
// last pass of LLVM that could undo them: InstCombine, for example, narrows a comparison of extended halves to one of
// halves again.
//
// The header comment of each file names the fault, a reproducer, the upstream issue where one was found, and the LLVM
// versions. The search for issues was done in November 2026. Each file refuses to compile with another major version of
// LLVM. To try a workaround with a new version: remove its row from workarounds.cpp and run `ctest -R codegen`. Where
// the tests pass, delete the workaround and its row of passes.inc; otherwise raise the version in its static_assert.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include "base/result.h"
#include "simt/pass_runner.h"

namespace llvm {
class TargetMachine;
}

namespace warpwise::simt {

// Applies every workaround that `machine` needs to the functions of `module`. Error X0001: one left broken code.
Result<void> run_llvm19_workarounds(llvm::Module& module, const llvm::TargetMachine& machine, PassRunner& passes);

// avx512_fp16.cpp: switches off the processor features that LLVM 19 miscompiles. For features that were detected on the
// host, before a target machine is made of them.
void llvm19_disable_features(llvm::SubtargetFeatures& features);

// --- The workarounds. Each is applied to every instruction, and returns true when it has changed the code; `i` may
// then be deleted.
namespace llvm19 {

// For every processor:
bool interleave_upper_halves(llvm::Instruction& i);  // upper_halves.cpp
// For processors with mask registers (AVX512BW):
bool load_mask_as_vector(llvm::Instruction& i);           // masks_in_memory.cpp
bool test_lanes_of_chosen_mask(llvm::Instruction& i);     // chosen_masks.cpp
bool choose_masks_by_logic(llvm::Instruction& i);         // chosen_masks.cpp
bool choose_before_taking_bits(llvm::Instruction& i);     // chosen_bits.cpp
bool freeze_extended_logic(llvm::Instruction& i);         // extended_masks.cpp
bool take_constant_lanes_by_logic(llvm::Instruction& i);  // constant_lanes.cpp
// For processors without arithmetic on halves (AVX512-FP16):
bool compare_halves_as_floats(llvm::Instruction& i);  // half_comparisons.cpp
bool choose_halves_as_bits(llvm::Instruction& i);     // half_moves.cpp
bool change_signs_as_bits(llvm::Instruction& i);      // half_moves.cpp

enum class Needs : uint8_t {
  Always,
  WithMaskRegisters,      // AVX512BW
  WithoutHalfArithmetic,  // no AVX512-FP16
};

struct Workaround {
  Pass pass;
  bool (*apply)(llvm::Instruction&);
  Needs needs;
};

// In the order in which they run.
llvm::ArrayRef<Workaround> all_workarounds();

// A vector of at most 128 bits, each of them a lane's.
bool is_mask(const llvm::Type* type);

}  // namespace llvm19
}  // namespace warpwise::simt
