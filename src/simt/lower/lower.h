// Lowering: PTX -> the dialect (simt/dialect.h), the scalar LLVM IR of one thread.
//
// The only stage that knows what PTX instructions mean. It makes no decision about width, mode or host: every later
// stage works on plain IR. One file per chapter of the PTX manual holds one function per row of the instruction table;
// dispatch.cpp binds rows to functions, so that a row without a function does not link.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "ptx/layout.h"
#include "ptx/module.h"
#include "simt/instrument/counts.h"
#include "simt/instrument/modelled_clocks.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace warpwise::simt {

// Lowers the kernel and all functions it can reach into one module, which passes llvm::verifyModule.
// `block` becomes the constant %ntid. Functions keep their PTX names; kernel is an index into
// Module::functions. `count`: the places to count are marked (counts.h). `watch`: bits of Watch (events.h), for
// checks that need to know the PTX instruction. `clocks`: modelled_clocks.h. `values`: what is reported beside
// the marks (counts.h). Errors: P0900 (a Recognised instruction or
// feature, with its line), X0001.
Result<std::unique_ptr<llvm::Module>> lower(llvm::LLVMContext& context, const ptx::Module& module, uint32_t kernel,
                                            const ptx::KernelLayout& layout, const std::array<uint32_t, 3>& block,
                                            Counting count = Counting::None, uint32_t watch = 0,
                                            const ModelledClocks& clocks = {}, const ReportedValues& values = {});

}  // namespace warpwise::simt
