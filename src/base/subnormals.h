// The processor's own .ftz: results of floating-point arithmetic below the smallest normal number become zeros of their
// sign, as long as an object of this kind lives, on its thread. What is below is asked of the rounded result, were the
// exponent unbounded; an H200 does the same. Operands are taken as they are.
#pragma once

#include <immintrin.h>

namespace warpwise {

class FlushedSubnormals {
 public:
  explicit FlushedSubnormals(bool flushes = true) : before_(_mm_getcsr()) {
    if (flushes) _mm_setcsr(before_ | _MM_FLUSH_ZERO_ON);
  }
  ~FlushedSubnormals() { _mm_setcsr(before_); }
  FlushedSubnormals(const FlushedSubnormals&) = delete;
  FlushedSubnormals& operator=(const FlushedSubnormals&) = delete;

 private:
  const unsigned before_;
};

}  // namespace warpwise
