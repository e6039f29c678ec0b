#include "simt/analysis/memory_spaces.h"

#include <llvm/IR/MDBuilder.h>

#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

// The list of one scope, the same node wherever it is asked for.
static MDNode* shared_scope(LLVMContext& context) {
  MDBuilder builder(context);
  return MDNode::get(context, {builder.createAliasScope("shared", builder.createAliasScopeDomain("state spaces"))});
}

void keep_space(Instruction& access, unsigned space) {
  if (space == kGeneric) return;
  access.setMetadata(space == kShared ? LLVMContext::MD_alias_scope : LLVMContext::MD_noalias,
                     shared_scope(access.getContext()));
}

bool is_never_shared(const Instruction& access) {
  return access.getMetadata(LLVMContext::MD_noalias) == shared_scope(access.getContext());
}

}  // namespace warpwise::simt
