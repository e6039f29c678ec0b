#pragma once

// Arithmetic of the host under a rounding other than to nearest. Compilers take it that the rounding never changes, and
// move arithmetic across std::fesetround; GCC does so rarely, Clang whenever it can. Here the operation is called
// through an address that the compiler cannot know, so that none of it is done before the call or after.

#include <cfenv>

namespace warpwise::numerics {

// operation() with the host's rounding set to `mode`, one of <cfenv>'s; afterwards it is to nearest again. The
// operation reads its operands through its closure, and does nothing else.
template <class Operation>
auto with_host_rounding(int mode, const Operation& operation) {
  using Result = decltype(operation());
  Result (*call)(const Operation&) = [](const Operation& o) -> Result { return o(); };
  const Operation* closure = &operation;
  asm volatile("" : "+r"(call), "+r"(closure) : : "memory");
  std::fesetround(mode);
  const Result result = call(*closure);
  std::fesetround(FE_TONEAREST);
  return result;
}

}  // namespace warpwise::numerics
