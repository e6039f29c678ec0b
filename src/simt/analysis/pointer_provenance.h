// Which parameter of a kernel an address comes from.
//
// Most accesses are to `p[i]`, where p is a parameter. What is known of the allocation that p points to when a launch
// begins (instrument/shadow.h, PointedTo) then answers what would have to be looked up for each byte. The answer here
// is a guess: code that uses it asks at run time whether the address does lie in that allocation. Where an access may
// lead to is another question, whose answer is no guess: what no address of a write leads to is only read while the
// kernel runs.
#pragma once

#include <llvm/IR/Value.h>

#include <optional>

namespace warpwise::simt {

// The index of the parameter (its offset / 8) that the i64 `address` was made of, by additions, choices and loops.
std::optional<unsigned> pointer_parameter(llvm::Value* address);

// Where an address may come from, for certain: what is not named here it does not lead to.
struct Sources {
  uint64_t pointers = 0;  // parameters, as bits; all of them where it may be any address, such as one that was loaded
  bool shared = false;    // shared memory
};
Sources sources_of(llvm::Value* address);

}  // namespace warpwise::simt
