// Blackwell through libcu++'s PTX functions: a product in tensor memory, and blocks that take over the work of blocks
// that have not started.
#include <cuda/ptx>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace ptx = cuda::ptx;

constexpr int kRows = 128, kColumns = 64, kDepth = 64;
constexpr uint32_t kCore = 128;  // bytes of 8 rows by 16 bytes, which lie together

// Row-major matrices of `rows` x kDepth, core matrix after core matrix along k, then along the rows.
__device__ void fill(__half* shared, const __half* from, int rows) {
  for (int i = threadIdx.x; i < rows * kDepth; i += blockDim.x) {
    const int row = i / kDepth, k = i % kDepth;
    shared[(row / 8 * (kDepth / 8) + k / 8) * (kCore / 2) + row % 8 * 8 + k % 8] = from[i];
  }
}

__device__ uint64_t descriptor(const void* shared) {
  const uint64_t start = __cvta_generic_to_shared(shared), along_k = kCore, along_rows = kCore * kDepth / 8;
  return start >> 4 | (along_k >> 4) << 16 | (along_rows >> 4) << 32 | uint64_t{1} << 46;
}

// d = a * transposed b
__global__ void product(const __half* a, const __half* b, float* d) {
  __shared__ alignas(128) __half rows[kRows * kDepth], columns[kColumns * kDepth];
  __shared__ uint32_t place;
  __shared__ uint64_t done;
  if (threadIdx.x < 32) {
    ptx::tcgen05_alloc(ptx::cta_group_1, &place, uint32_t{kColumns});
    ptx::tcgen05_relinquish_alloc_permit(ptx::cta_group_1);
  }
  if (threadIdx.x == 0) ptx::mbarrier_init(&done, 1);
  fill(rows, a, kRows), fill(columns, b, kColumns);
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  const uint32_t sums = place;
  if (threadIdx.x == 0) {
    const uint32_t shape = 1 << 4 | kColumns / 8 << 17 | kRows / 16 << 24;  // sums of f32 of products of f16
    for (int k = 0; k < kDepth; k += 16)
      ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, sums, descriptor(rows) + k / 8 * kCore / 16, descriptor(columns) + k / 8 * kCore / 16, shape, k != 0);
    ptx::tcgen05_commit(ptx::cta_group_1, &done);
  }
  while (!ptx::mbarrier_try_wait_parity(&done, 0)) {
  }
  ptx::tcgen05_fence_after_thread_sync();
  const uint32_t lanes = threadIdx.x / 32 << 21;
  for (int column = 0; column < kColumns; column += 32) {
    uint32_t words[32];
    ptx::tcgen05_ld_32x32b(words, sums + lanes + column);
    ptx::tcgen05_wait_ld();
    for (int i = 0; i < 32; ++i) d[threadIdx.x * kColumns + column + i] = __uint_as_float(words[i]);
  }
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  if (threadIdx.x < 32) ptx::tcgen05_dealloc(ptx::cta_group_1, sums, uint32_t{kColumns});
}

// Each block adds one to its tile, and to those of the blocks whose work it takes over.
__global__ void tiles(int* done, int width) {
  __shared__ alignas(16) uint4 answer;
  __shared__ uint64_t told;
  if (threadIdx.x == 0) ptx::mbarrier_init(&told, 1);
  __syncthreads();
  int x = blockIdx.x, y = blockIdx.y;
  for (uint32_t phase = 0;; phase ^= 1) {
    if (threadIdx.x == 0) {
      ptx::fence_proxy_async(ptx::space_shared);
      ptx::clusterlaunchcontrol_try_cancel(&answer, &told);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &told, sizeof answer);
    }
    atomicAdd(&done[y * width + x], 1);
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &told, phase)) {
    }
    const __int128 response = *reinterpret_cast<__int128*>(&answer);
    if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(response)) return;
    x = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(response);
    y = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_y<int>(response);
    __syncthreads();
  }
}

int main() {
  __half *a, *b;
  float* d;
  int* done;
  constexpr int kWide = 7, kHigh = 5, kThreads = 64;
  cudaMallocManaged(&a, sizeof(__half) * kRows * kDepth);
  cudaMallocManaged(&b, sizeof(__half) * kColumns * kDepth);
  cudaMallocManaged(&d, sizeof(float) * kRows * kColumns);
  cudaMallocManaged(&done, sizeof(int) * kWide * kHigh);
  for (int i = 0; i < kRows * kDepth; ++i) a[i] = __half(float(i * 7 % 13 - 6));
  for (int i = 0; i < kColumns * kDepth; ++i) b[i] = __half(float(i * 5 % 11 - 5));

  product<<<1, 128>>>(a, b, d);
  printf("product: %s", cudaGetErrorName(cudaDeviceSynchronize()));
  int right = 0;
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      float sum = 0;
      for (int k = 0; k < kDepth; ++k) sum += float(a[row * kDepth + k]) * float(b[column * kDepth + k]);
      right += sum == d[row * kColumns + column];
    }
  printf(", %d of %d sums are right\n", right, kRows * kColumns);

  tiles<<<dim3(kWide, kHigh), kThreads>>>(done, kWide);
  printf("tiles: %s", cudaGetErrorName(cudaDeviceSynchronize()));
  right = 0;
  for (int i = 0; i < kWide * kHigh; ++i) right += done[i] == kThreads;
  printf(", %d of %d were done once\n", right, kWide * kHigh);
}
