// Compares the binary interface with NVIDIA's own header: every row of api.inc that the header declares must have the
// header's types, and every structure of the interface the header's layout.
//
// Compiled only where a CUDA 13 toolkit is installed. The list is read with NVIDIA's types here and with this project's
// in abi_ours.cpp; layouts are compared at run time.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "abi_figures.h"
#include "cuda/runtime/api_rows.h"

namespace {

#define CUDART(name, group, state, result, parameters) \
  static_assert(std::is_same_v<decltype(&::name), result (*)(CUDART_PARAMETERS(parameters))>, "the types of " #name);
#define CUDART_COMPILER(...)
#define CUDART_COMPILER_PTSZ(...)
#define CUDART_12(...)
#define CUDART_12_PTSZ(...)
#define CUDART_13_ABI(...) CUDART(__VA_ARGS__)
#include "cuda/runtime/api.inc"

TEST(Abi, LayoutsAreNvidias) {
  std::vector<AbiFigure> ours = abi_figures_of_ours(), figures;
#include "abi_figures.inc"
  ASSERT_EQ(ours.size(), figures.size());
  for (size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(ours[i].value, figures[i].value) << ours[i].name;
}

}  // namespace
