// Compares the driver's binary interface with NVIDIA's own header: every row of driver_api.inc must have the header's
// types, and every structure the header's layout (this project's: driver_abi_ours.cpp).
//
// Compiled only where a CUDA 13 toolkit is installed.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaProfiler.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "driver_abi_figures.h"

namespace {

#define DRIVER(symbol, name, since, group, state, parameters) \
  static_assert(std::is_same_v<decltype(&::symbol), CUresult(*) parameters>, "the types of " #symbol);
#include "../../include/cuda/warpwise/driver_api.inc"

#define DRIVER_ERROR(name, value) static_assert(name == value);
#include "../../include/cuda/warpwise/driver_errors.inc"

TEST(DriverAbi, LayoutsAreNvidias) {
  std::vector<AbiFigure> ours = driver_abi_figures_of_ours(), figures;
#include "driver_abi_figures.inc"
  ASSERT_EQ(ours.size(), figures.size());
  for (size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(ours[i].value, figures[i].value) << ours[i].name;
}

}  // namespace
