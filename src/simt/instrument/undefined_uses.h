// Where a value that was never set matters (undefined_values.h): it decides a branch, it is an address, an atomic works
// with it, or it is stored. An event tells the memory checker there (event::Undefined). Copying, choosing and computing
// are no such uses: programs carry values along that they do not need, and objects with parts that were never set.
//
//     st.global [%out], %v            event: `v` was never set, and is stored; what is written has no value
//     st.local  [%a], %v              what is written has no value
//
// Of a store, an event comes where every byte has an undefined bit, in every part of a vector. In shared and local
// memory a load tells it.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "simt/instrument/absent_lanes.h"

namespace warpwise::simt {

// By store: the state of its bytes (shadow.h), an integer as wide as what is stored. Stores that are not here write
// what is defined.
using WrittenStates = llvm::DenseMap<const llvm::Instruction*, llvm::Value*>;

// What `shuffles` take from lanes that do not take part was never set either. Behind it, no call of ww.undefined is
// left.
WrittenStates report_undefined_uses(llvm::Function& function, const Shuffles& shuffles);

}  // namespace warpwise::simt
