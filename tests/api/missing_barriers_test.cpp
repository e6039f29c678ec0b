// Races that hardware hardly ever loses: one barrier where two are needed. All warps read right behind the barrier, and
// the thread that overwrites the word has work to do before. Compiled code wins them, too
// (docs/internals/unordered_accesses.md); `warpwise check` reports them.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "warpwise/warpwise.h"

namespace warpwise {
namespace {

constexpr const char* kSource = R"(
// Sums of rows: the warps' sums of one row are overwritten by those of the next.
template <bool Some> __device__ void sums(float* out, const float* in, int n, int rows) {
  __shared__ float of_warps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[r * n + i];
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    if (lane == 0) of_warps[warp] = sum;
    __syncthreads();
    sum = !Some || lane < blockDim.x / 32 ? of_warps[lane] : 0;
    if (!Some && lane >= blockDim.x / 32) sum = 0;
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[r * n + i] = sum;
  }
}
extern "C" __global__ void sums_of_all(float* out, const float* in, int n, int rows) { sums<false>(out, in, n, rows); }
extern "C" __global__ void sums_of_some(float* out, const float* in, int n, int rows) { sums<true>(out, in, n, rows); }

// A queue: thread 0 fetches the next task while others may still work at the last one, which they look up again after each store.
// Apart: a barrier of one warp makes the kernel run thread by thread.
template <bool Apart> __device__ void work(float* out, const int* queue, int* taken, int count) {
  __shared__ int next, task;
  if (Apart && threadIdx.x < 32) asm volatile("bar.sync 1, 32;");
  if (threadIdx.x == 0) next = atomicAdd(taken, 1), task = queue[next];
  __syncthreads();
  while (next < count) {
    for (int k = 0; k < 3; ++k) out[task * blockDim.x + threadIdx.x] += task + 1;
    if (threadIdx.x == 0) next = atomicAdd(taken, 1), task = queue[next];
    __syncthreads();
  }
}
extern "C" __global__ void tasks(float* out, const int* queue, int* taken, int count) { work<false>(out, queue, taken, count); }
extern "C" __global__ void tasks_apart(float* out, const int* queue, int* taken, int count) { work<true>(out, queue, taken, count); }

// All write one word, read another, and then write that.
extern "C" __global__ void looks_apart(int* out) {
  __shared__ int round, seen;
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 32;");
  if (threadIdx.x == 0) seen = 0;
  __syncthreads();
  round = 1;
  out[threadIdx.x] = seen;
  seen = round;
}

// Blocks of several rows, all of which do the first row's work.
extern "C" __global__ void adds_in_rows(float* x, const float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < n; ++j) x[i] += a[j * n + i];
}
extern "C" __global__ void adds_two_ways_in_rows(float* x, const float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) {
    x[i] = x[i] + a[i];
    x[i + n] = x[i + n] - a[i];
  } else if (i < n) {
    x[i] = x[i] * a[i];
  }
}

// As many turns as a word says that is read atomically: all lanes of a warp get one answer, so they meet at one barrier.
extern "C" __global__ void tasks_of_a_length(float* out, const int* queue, int* taken, int* length) {
  __shared__ int next;
  const int count = atomicAdd(length, 0);
  if (threadIdx.x == 0) next = atomicAdd(taken, 1);
  __syncthreads();
  while (next < count) {
    const int task = queue[next];
    for (int k = 0; k < 3; ++k) out[task * blockDim.x + threadIdx.x] += task + 1;
    if (threadIdx.x == 0) next = atomicAdd(taken, 1);
    __syncthreads();
  }
  __syncthreads();
}
)";

class MissingBarriers : public testing::Test {
 protected:
  MissingBarriers() {
    device.emplace(Device::open({}).value());
    CompileOptions how;
    how.compiler = Compiler::Clang;
    auto compiled = device->compile(kSource, how);
    EXPECT_TRUE(compiled) << compiled.error().message;
    if (compiled) module.emplace(std::move(*compiled));
  }
  std::optional<Device> device;
  std::optional<Module> module;
};

TEST_F(MissingBarriers, sums_round_after_round) {
  constexpr int n = 1000, rows = 5;
  std::vector<float> in;
  for (int r = 0; r < rows; ++r) in.insert(in.end(), n, float(r + 1));
  for (const char* name : {"sums_of_all", "sums_of_some"}) {
    Memory from = device->upload(in).value(), to = device->allocate(in.size() * 4).value();
    ASSERT_TRUE(module->kernel(name)->launch({.grid = {1}, .block = {256}}, to, from, n, rows));
    const auto out = to.download<float>().value();
    for (int r = 0; r < rows; ++r)
      EXPECT_EQ(std::count(out.begin() + r * n, out.begin() + (r + 1) * n, float(n * (r + 1))), n)
          << name << ", row " << r;
  }
}

TEST_F(MissingBarriers, a_look_between_two_writes) {
  constexpr int threads = 96;
  Memory to = device->upload(std::vector<int>(threads, 9)).value();
  ASSERT_TRUE(module->kernel("looks_apart")->launch({.grid = {1}, .block = {threads}}, to));
  EXPECT_EQ(to.download<int>().value(), std::vector<int>(threads, 0));
}

TEST_F(MissingBarriers, rows_of_threads_that_do_the_same_work) {
  constexpr int n = 100;
  std::vector<float> a(n * n), x(2 * n), sums(2 * n), two_ways(2 * n);
  for (int k = 0; k < n * n; ++k) a[k] = float(k % 7 - 3);
  for (int k = 0; k < 2 * n; ++k) x[k] = sums[k] = two_ways[k] = float(k);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) sums[i] += a[j * n + i];
  for (int i = 0; i < n; ++i) {
    if (i % 2 == 0)
      two_ways[i] += a[i], two_ways[i + n] -= a[i];
    else
      two_ways[i] *= a[i];
  }
  Memory factors = device->upload(a).value();
  for (const Dim3 block : {Dim3{32, 8}, Dim3{16, 4}, Dim3{48, 1, 5}, Dim3{8, 2, 16}}) {
    Memory to = device->upload(x).value(), and_to = device->upload(x).value();
    ASSERT_TRUE(module->kernel("adds_in_rows")
                    ->launch({.grid = {(n + block.x - 1) / block.x}, .block = block}, to, factors, n));
    EXPECT_EQ(to.download<float>().value(), sums) << block.x << " x " << block.y << " x " << block.z;
    const Dim3 even{n / 4, block.y, block.z};  // no thread behind the last word
    ASSERT_TRUE(module->kernel("adds_two_ways_in_rows")->launch({.grid = {4}, .block = even}, and_to, factors, n));
    EXPECT_EQ(and_to.download<float>().value(), two_ways) << even.x << " x " << even.y << " x " << even.z;
  }
}

TEST_F(MissingBarriers, a_queue_of_tasks) {
  constexpr int tasks = 60, threads = 192, blocks = 4;
  std::vector<int> queue(tasks + blocks, 0);
  for (int t = 0; t < tasks; ++t) queue[t] = (t * 7) % tasks;
  Memory order = device->upload(queue).value(), length = device->upload(std::vector<int>{tasks}).value();
  for (const std::string name : {"tasks", "tasks_apart", "tasks_of_a_length"}) {
    Memory taken = device->upload(std::vector<int>(1)).value(),
           to = device->upload(std::vector<float>(tasks * threads)).value();
    Kernel kernel = module->kernel(name.c_str()).value();
    const LaunchShape shape{.grid = {blocks}, .block = {threads}};
    ASSERT_TRUE(name == "tasks_of_a_length" ? kernel.launch(shape, to, order, taken, length)
                                            : kernel.launch(shape, to, order, taken, tasks));
    const auto out = to.download<float>().value();
    for (int t = 0; t < tasks; ++t)
      EXPECT_EQ(std::count(out.begin() + t * threads, out.begin() + (t + 1) * threads, float(3 * (t + 1))), threads)
          << name << ", task " << t;
  }
}

}  // namespace
}  // namespace warpwise
