// Arithmetic with a directed rounding (exec/services/rounding.h).
#include "exec/services/rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpwise::exec {
namespace {

constexpr uint32_t kZero = 0, kDown = 1, kUp = 2;

TEST(Rounding, is_directed) {
  double tiny = std::numeric_limits<double>::denorm_min(), one = 1.0;
  double above = std::nextafter(1.0, 2.0), below = std::nextafter(1.0, 0.0);
  EXPECT_EQ(warpwise_add_f64(one, tiny, kUp), above);
  EXPECT_EQ(warpwise_add_f64(one, tiny, kDown), one);
  EXPECT_EQ(warpwise_add_f64(one, -tiny, kZero), below);
  EXPECT_EQ(warpwise_add_f64(-one, tiny, kZero), -below);
  EXPECT_EQ(warpwise_mul_f64(above, above, kUp), std::nextafter(above * above, 2.0));
  EXPECT_LT(warpwise_div_f64(1, 3, kDown), warpwise_div_f64(1, 3, kUp));
  EXPECT_EQ(warpwise_div_f64(-1, 3, kZero), warpwise_div_f64(-1, 3, kUp));
  EXPECT_LT(warpwise_sqrt_f64(2, kDown), warpwise_sqrt_f64(2, kUp));
  EXPECT_EQ(warpwise_sqrt_f64(4, kUp), 2.0);
  EXPECT_LT(warpwise_fma_f64(0.1, 0.1, 1, kDown), warpwise_fma_f64(0.1, 0.1, 1, kUp));
}

}  // namespace
}  // namespace warpwise::exec
