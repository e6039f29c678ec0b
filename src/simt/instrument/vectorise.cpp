#include "simt/instrument/vectorise.h"

namespace warpwise::simt {

bool InstrumentEmitter::has_many_shadow_checks(const llvm::Function& kernel) {
  constexpr unsigned kMany = 500;
  const llvm::Function* check = kernel.getParent()->getFunction(name_of(Dialect::ShadowCheck));
  return check && check->hasNUsesOrMore(kMany);
}

bool InstrumentEmitter::emit(llvm::CallInst& call, Dialect which) {
  switch (which) {
    case Dialect::Event:
      events_.emit(call);
      return true;
    case Dialect::ShadowCheck:
      emit_shadow_check(w_, checks_, call);
      return true;
    case Dialect::ShadowLoad32:
    case Dialect::ShadowLoad64:
      emit_shadow_load(w_, checks_, call);
      return true;
    case Dialect::ShadowStore:
      emit_shadow_store(w_, checks_, call);
      return true;
    case Dialect::Race:
      emit_race_check(w_, checks_, call);
      return true;
    case Dialect::CountBlock:
    case Dialect::CountGuard:
    case Dialect::CountAccess:
    case Dialect::CountValue:
      counts_.emit(call, which);
      return true;
    default:
      return false;
  }
}

}  // namespace warpwise::simt
