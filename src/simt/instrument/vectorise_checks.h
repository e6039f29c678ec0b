// Checks of accesses in the code of a warp (access_checks.h), each in a file of its own.
#pragma once

#include "simt/instrument/checked_addresses.h"
#include "simt/instrument/vectorise_events.h"
#include "simt/vectorise/memory.h"

namespace warpwise::simt {

// What the checks emit with.
struct CheckEmitters {
  MemoryEmitter& memory;
  CheckedAddresses& addresses;
  EventEmitter& events;
  // In compact code with very many shadow checks: the engine looks at the shadow of what was not in order when the
  // launch began. That is slower than to read it here, and a third of the code.
  bool shadow_by_call = false;
};

void emit_shadow_check(WarpBuilder& w, CheckEmitters& emitters, llvm::CallInst& call);  // Dialect::ShadowCheck
void emit_shadow_load(WarpBuilder& w, CheckEmitters& emitters, llvm::CallInst& call);   // Dialect::ShadowLoad32, …64
void emit_shadow_store(WarpBuilder& w, CheckEmitters& emitters, llvm::CallInst& call);  // Dialect::ShadowStore
void emit_race_check(WarpBuilder& w, CheckEmitters& emitters, llvm::CallInst& call);    // Dialect::Race

}  // namespace warpwise::simt
