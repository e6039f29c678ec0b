// Recognising the events of a thread's program: calls of ww.event.
#pragma once

#include <llvm/IR/Constants.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {

inline bool is_event(const llvm::Instruction& i, EventKind kind) {
  const auto d = dialect_of(&i);
  if (!d || *d != Dialect::Event) return false;
  auto* code = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(i).getArgOperand(1));
  return code && kind_of(uint32_t(code->getZExtValue())) == kind;
}

}  // namespace warpwise::simt
