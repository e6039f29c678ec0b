// The services for double-precision arithmetic with a directed rounding (`add.rz.f64` and relatives), one value at a
// time. The host's vector code always rounds to nearest; these set the rounding in MXCSR around one operation, or in
// the instruction where the machine has AVX-512. `rounding`: 0 towards zero, 1 down, 2 up.
#include <immintrin.h>

#include <cmath>

#include "exec/services/services.h"

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

// AVX-512 carries the rounding in the instruction; changing MXCSR twice costs ten times as much.
const bool kEmbedded = (__builtin_cpu_init(), __builtin_cpu_supports("avx512f"));

#define EMBEDDED(name, parameters, instruction, ...)                                    \
  __attribute__((target("avx512f"))) double name parameters {                           \
    constexpr int kQuiet = _MM_FROUND_NO_EXC;                                           \
    switch (rounding % 3) {                                                             \
      case 0:                                                                           \
        return _mm_cvtsd_f64(instruction(__VA_ARGS__, _MM_FROUND_TO_ZERO | kQuiet));    \
      case 1:                                                                           \
        return _mm_cvtsd_f64(instruction(__VA_ARGS__, _MM_FROUND_TO_NEG_INF | kQuiet)); \
      default:                                                                          \
        return _mm_cvtsd_f64(instruction(__VA_ARGS__, _MM_FROUND_TO_POS_INF | kQuiet)); \
    }                                                                                   \
  }
EMBEDDED(embedded_add, (double a, double b, uint32_t rounding), _mm_add_round_sd, _mm_set_sd(a), _mm_set_sd(b))
EMBEDDED(embedded_mul, (double a, double b, uint32_t rounding), _mm_mul_round_sd, _mm_set_sd(a), _mm_set_sd(b))
EMBEDDED(embedded_div, (double a, double b, uint32_t rounding), _mm_div_round_sd, _mm_set_sd(a), _mm_set_sd(b))
EMBEDDED(embedded_sqrt, (double a, uint32_t rounding), _mm_sqrt_round_sd, _mm_set_sd(a), _mm_set_sd(a))
EMBEDDED(embedded_fma, (double a, double b, double c, uint32_t rounding), _mm_fmadd_round_sd, _mm_set_sd(a),
         _mm_set_sd(b), _mm_set_sd(c))
#undef EMBEDDED

}  // namespace

double service::add_f64(double a, double b, uint32_t rounding) {
  if (kEmbedded) return embedded_add(a, b, rounding);
  Rounding guard(rounding);
  pin(a);
  double result = a + b;
  pin(result);
  return result;
}

double service::mul_f64(double a, double b, uint32_t rounding) {
  if (kEmbedded) return embedded_mul(a, b, rounding);
  Rounding guard(rounding);
  pin(a);
  double result = a * b;
  pin(result);
  return result;
}

double service::fma_f64(double a, double b, double c, uint32_t rounding) {
  if (kEmbedded) return embedded_fma(a, b, c, rounding);
  Rounding guard(rounding);
  pin(a);
  double result = std::fma(a, b, c);
  pin(result);
  return result;
}

double service::div_f64(double a, double b, uint32_t rounding) {
  if (kEmbedded) return embedded_div(a, b, rounding);
  Rounding guard(rounding);
  pin(a);
  double result = a / b;
  pin(result);
  return result;
}

double service::sqrt_f64(double a, uint32_t rounding) {
  if (kEmbedded) return embedded_sqrt(a, rounding);
  Rounding guard(rounding);
  pin(a);
  double result = std::sqrt(a);
  pin(result);
  return result;
}

}  // namespace warpwise::exec
