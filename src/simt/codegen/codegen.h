// From LLVM IR to an object file: optimisation and instruction selection.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <vector>

#include "base/result.h"
#include "simt/compiler.h"
#include "simt/pass_runner.h"

namespace warpwise::simt {

// The machine that runs the compiled code: this one, unless options name another CPU or features.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const CompileOptions& options);

// The highest tier, up to `wanted`, in which compiling the module does not take too long. LLVM takes more than twice as
// long for twice as many blocks: all that is hoisted out of loops lives at once, and needs registers. A kernel of 800
// guarded stores, with checks, took 7 s, and takes 0.3 s in the quick tier. `machine` is set to the tier.
Tier affordable_tier(const llvm::Module& module, llvm::TargetMachine& machine, Tier wanted);

// Optimises the functions of `module` in place, as much as the tier asks for: LLVM's passes, then ours that must be the
// last ones before instruction selection. Error X0001: a pass left broken code.
Result<void> optimise(llvm::Module& module, llvm::TargetMachine& machine, Tier tier, PassRunner& passes);

struct EmittedObject {
  std::vector<std::byte> bytes;
  uint32_t frame_bytes = 0;  // what the frames of all its functions take of a stack, one of each
};

// Emits the module as a relocatable ELF object. Error X0002: LLVM gives up. The caller must then never delete the
// module, its context and the machine, since what LLVM had made of them still points there.
Result<EmittedObject> emit_object(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace warpwise::simt
