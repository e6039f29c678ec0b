// What the text of a kernel says about its barriers.
#include "lab/judge/barrier_text.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/sanitized.h"

namespace warpwise::lab {
namespace {

// A kernel with `body` from line 2 on.
std::string kernel(const std::string& body) {
  return "__global__ void f(float* out, int n) { __shared__ float tile[128];\n" + body + "\n}\n";
}

TEST(LoadBeforeBarrier, is_the_first_that_no_barrier_separates_from_its_store) {
  const auto found = load_before_barrier(kernel("tile[t] = a[i];\nfloat x = tile[t];\n__syncthreads();\nout[i] = x;"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->array, "tile");
  EXPECT_EQ(found->store, 2u);
  EXPECT_EQ(found->load, 3u);
  EXPECT_EQ(found->barrier, 4u);
  const auto without = load_before_barrier(kernel("tile[t] = a[i];\nout[i] = tile[t];"));
  ASSERT_TRUE(without);
  EXPECT_EQ(without->barrier, 0u);
  const auto other = load_before_barrier(
      "__global__ void f() {\n__shared__ float a[8], b[8];\nb[t] = 1;\n__syncthreads();\na[t] = 2;\ny = a[t];\n}");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->array, "a");
  EXPECT_EQ(other->load, 6u);
}

TEST(LoadBeforeBarrier, is_none_behind_a_barrier_or_without_a_load) {
  EXPECT_FALSE(load_before_barrier(kernel("tile[t] = a[i];\n__syncthreads();\nout[i] = tile[t];")));
  EXPECT_FALSE(load_before_barrier(kernel("tile[t] = a[i];\nblock.sync();\nout[i] = tile[t];")));
  EXPECT_FALSE(load_before_barrier(kernel("tile[t] = x;\n__syncthreads();\nout[i] = x;")));
  // The loads of a statement come before its store.
  EXPECT_FALSE(load_before_barrier(kernel("tile[t] = tile[t] + tile[t + 1];\n__syncthreads();\nout[i] = tile[0];")));
  EXPECT_FALSE(load_before_barrier(kernel("tile[t] = a[i];\n// out[i] = tile[t];")));
  EXPECT_FALSE(load_before_barrier(kernel("other[t] = a[i];\nout[i] = other[t];")));
  EXPECT_FALSE(load_before_barrier(kernel("tile[t")));
}

TEST(FirstBarrier, comes_with_the_return_in_front_of_it) {
  const auto found = first_barrier("__device__ float g(float x) { return x; }\nextern \"C\" {\n" +
                                   kernel("if (i >= n) return;\n__syncthreads();"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->leaves, 4u);
  EXPECT_EQ(found->barrier, 5u);
  const auto alone = first_barrier(kernel("__syncthreads();\nreturn;"));
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->leaves, 0u);
  EXPECT_FALSE(first_barrier(kernel("if (i >= n) return;")));
}

// What a submission may have in a macro, or as functions that nothing calls: 1 MiB of each.
TEST(BarrierText, is_read_in_a_moment_whatever_it_holds) {
  for (const std::string part : {"a[", "tile[0]=", "f(){}", " ", "[", "{", "__shared__ x[", "){"}) {
    std::string text = "__global__ void f() { __shared__ int tile[8];\n";
    while (text.size() < (1 << 20)) text += part;
    const auto start = std::chrono::steady_clock::now();
    (void)load_before_barrier(text);
    (void)first_barrier(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5 * kSlowdown)) << part;
  }
}

}  // namespace
}  // namespace warpwise::lab
