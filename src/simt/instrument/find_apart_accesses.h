// Finds the parameters through which a kernel accesses memory so that threads may be apart (simt/apart_accesses.h).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "simt/analysis/affine_values.h"
#include "simt/apart_accesses.h"

namespace warpwise::simt {

// `accesses`: all those of the kernel that may lead to what the parameter points to. Nothing where the addresses are
// not of that form.
std::optional<ApartAccesses> find_apart_accesses(AffineValues& values, const BlockShape& block, unsigned pointer,
                                                 llvm::ArrayRef<llvm::Instruction*> accesses);

}  // namespace warpwise::simt
