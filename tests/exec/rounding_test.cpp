// Arithmetic with a directed rounding (exec/services/rounding.cpp).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "exec/services/services.h"

namespace warpwise::exec {
namespace {

constexpr uint32_t kZero = 0, kDown = 1, kUp = 2;

TEST(Rounding, is_directed) {
  double tiny = std::numeric_limits<double>::denorm_min(), one = 1.0;
  double above = std::nextafter(1.0, 2.0), below = std::nextafter(1.0, 0.0);
  EXPECT_EQ(service::add_f64(one, tiny, kUp), above);
  EXPECT_EQ(service::add_f64(one, tiny, kDown), one);
  EXPECT_EQ(service::add_f64(one, -tiny, kZero), below);
  EXPECT_EQ(service::add_f64(-one, tiny, kZero), -below);
  EXPECT_EQ(service::mul_f64(above, above, kUp), std::nextafter(above * above, 2.0));
  EXPECT_LT(service::div_f64(1, 3, kDown), service::div_f64(1, 3, kUp));
  EXPECT_EQ(service::div_f64(-1, 3, kZero), service::div_f64(-1, 3, kUp));
  EXPECT_LT(service::sqrt_f64(2, kDown), service::sqrt_f64(2, kUp));
  EXPECT_EQ(service::sqrt_f64(4, kUp), 2.0);
  EXPECT_LT(service::fma_f64(0.1, 0.1, 1, kDown), service::fma_f64(0.1, 0.1, 1, kUp));
}

}  // namespace
}  // namespace warpwise::exec
