// Which parameter of a kernel an address comes from.
//
// Most accesses are to `p[i]`, where p is a parameter. What is known of the allocation that p points to when a launch begins
// (shadow.h, PointedTo) then answers what would have to be looked up for each byte. The answer here is a guess: code that uses
// it asks at run time whether the address does lie in that allocation.
#pragma once

#include <llvm/IR/Value.h>

#include <optional>

namespace warpwise::simt {

// The index of the parameter (its offset / 8) that the i64 `address` was made of, by additions, choices and loops.
std::optional<unsigned> pointer_parameter(llvm::Value* address);

}  // namespace warpwise::simt
