// Tells the events of deferred stores (event::DeferStore, scalar/defer_stores.h) what is stored: the log of a warp
// takes the value from the event, never from memory, where a block that runs beside it may have stored to the same
// place.
//
//     call void @ww.event(i1 %lanes, DeferStore 4, %at, 0)      call void @ww.event(i1 %lanes, DeferStore 4, %at,
//     %value)
//     ... checks of the store                                   store i32 %new, %q
//     store i32 %new, %q
//
// It is the last pass over the program of a thread, since those before it ask who uses a value.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void add_stored_values(llvm::Function& function);

}  // namespace warpwise::simt
