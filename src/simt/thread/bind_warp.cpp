#include "simt/thread/bind_warp.h"

#include "simt/thread/thread_builder.h"

namespace warpwise::simt {

using namespace llvm;

Function* bind_warp(Function& warp) {
  LLVMContext& context = warp.getContext();
  auto* type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)}, false);
  Function* fiber = Function::Create(type, GlobalValue::ExternalLinkage, warp.getName() + ".fiber", warp.getParent());
  fiber->addFnAttrs(AttrBuilder(context, warp.getAttributes().getFnAttrs()));
  fiber->setSubprogram(warp.getSubprogram());
  fiber->splice(fiber->begin(), &warp);
  ThreadBuilder t(*fiber, fiber->getArg(0));
  warp.getArg(1)->replaceAllUsesWith(t.warp());
  warp.getArg(0)->replaceAllUsesWith(t.block);
  warp.eraseFromParent();
  return fiber;
}

}  // namespace warpwise::simt
