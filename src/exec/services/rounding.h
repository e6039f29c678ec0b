// Double-precision arithmetic with a directed rounding (`add.rz.f64` and relatives), one value at a time.
// The host's vector code always rounds to nearest; these set the rounding in MXCSR around one operation.
// `rounding`: 0 towards zero, 1 down, 2 up (as Services says).
#pragma once

#include <cstdint>

namespace warpwise::exec {

extern "C" {
double warpwise_add_f64(double a, double b, uint32_t rounding);
double warpwise_mul_f64(double a, double b, uint32_t rounding);
double warpwise_fma_f64(double a, double b, double c, uint32_t rounding);
double warpwise_div_f64(double a, double b, uint32_t rounding);
double warpwise_sqrt_f64(double a, uint32_t rounding);
}

}  // namespace warpwise::exec
