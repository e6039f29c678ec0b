#include "exec/rounding.h"

#include <xmmintrin.h>

#include <cmath>

namespace warpwise::exec {
namespace {

class Rounding {
 public:
  explicit Rounding(uint32_t rounding) : saved_(_mm_getcsr()) {
    constexpr unsigned kControl[3] = {_MM_ROUND_TOWARD_ZERO, _MM_ROUND_DOWN, _MM_ROUND_UP};
    _mm_setcsr((saved_ & ~unsigned{_MM_ROUND_MASK}) | kControl[rounding % 3]);
  }
  ~Rounding() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
};

// The compiler believes that arithmetic does not depend on MXCSR: it must not move an operation across
// its change, so operands and result pass through these.
inline void pin(double& value) { asm volatile("" : "+x"(value) : : "memory"); }

}  // namespace

double warpwise_add_f64(double a, double b, uint32_t rounding) {
  Rounding guard(rounding);
  pin(a);
  double result = a + b;
  pin(result);
  return result;
}

double warpwise_mul_f64(double a, double b, uint32_t rounding) {
  Rounding guard(rounding);
  pin(a);
  double result = a * b;
  pin(result);
  return result;
}

double warpwise_fma_f64(double a, double b, double c, uint32_t rounding) {
  Rounding guard(rounding);
  pin(a);
  double result = std::fma(a, b, c);
  pin(result);
  return result;
}

double warpwise_div_f64(double a, double b, uint32_t rounding) {
  Rounding guard(rounding);
  pin(a);
  double result = a / b;
  pin(result);
  return result;
}

double warpwise_sqrt_f64(double a, uint32_t rounding) {
  Rounding guard(rounding);
  pin(a);
  double result = std::sqrt(a);
  pin(result);
  return result;
}

}  // namespace warpwise::exec
