// The analyses that LLVM's passes ask for, as one object. A set for each use is cheap at the sizes of kernels.
//
//     LlvmAnalyses analyses;
//     FunctionPassManager passes;
//     passes.run(function, analyses.functions);
#pragma once

#include <llvm/Passes/PassBuilder.h>

namespace warpwise::simt {

struct LlvmAnalyses {
  LlvmAnalyses() {
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
};

}  // namespace warpwise::simt
