// C = A * B + C with mma.sync, the way kernels for tensor cores do it: blocks of 64 by 64, four warps of 32 by 32 each,
// operands through shared memory and ldmatrix. A is n by n by row, B by column (so that both have k contiguous), C by row; n is a multiple of 64.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

constexpr int kTile = 64, kPad = 16;  // bytes behind each row keep ldmatrix free of bank conflicts

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void load_matrices(unsigned r[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
}
__device__ void multiply(float d[4], const unsigned a[4], const unsigned b[2], __nv_bfloat16*) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ void multiply(float d[4], const unsigned a[4], const unsigned b[2], float*) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Rows of 64 bytes: 32 bf16 or 16 tf32, two steps of an mma's 32 bytes.
constexpr int kRowBytes = 64, kPitch = kRowBytes + kPad;

template <class T>
__device__ void product(const T* a, const T* b, float* c, int n) {
  __shared__ __attribute__((aligned(16))) char tiles[2][kTile * kPitch];
  constexpr int kStep = kRowBytes / sizeof(T);
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
  float sums[2][4][4] = {};
  for (int k = 0; k < n; k += kStep) {
    __syncthreads();
    for (int piece = thread; piece < kTile * kRowBytes / 16; piece += 128) {
      const int row = piece / (kRowBytes / 16), at = piece % (kRowBytes / 16);
      *reinterpret_cast<uint4*>(tiles[0] + row * kPitch + at * 16) = reinterpret_cast<const uint4*>(a + static_cast<size_t>(row0 + row) * n + k)[at];
      *reinterpret_cast<uint4*>(tiles[1] + row * kPitch + at * 16) = reinterpret_cast<const uint4*>(b + static_cast<size_t>(column0 + row) * n + k)[at];
    }
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      unsigned fa[2][4], fb[2][4];
      for (int i = 0; i < 2; ++i) {
        const int row = warp / 2 * 32 + i * 16 + lane % 16;
        load_matrices(fa[i], shared_address(tiles[0] + row * kPitch + half * 32 + lane / 16 * 16));
      }
      for (int j = 0; j < 2; ++j) {  // two times 8 columns each
        const int column = warp % 2 * 32 + j * 16 + lane / 16 * 8 + lane % 8;
        load_matrices(fb[j], shared_address(tiles[1] + column * kPitch + half * 32 + lane / 8 % 2 * 16));
      }
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) multiply(sums[i][j], fa[i], fb[j / 2] + j % 2 * 2, static_cast<T*>(nullptr));
    }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      const int row = row0 + warp / 2 * 32 + i * 16 + lane / 4, column = column0 + warp % 2 * 32 + j * 8 + lane % 4 * 2;
      for (int r = 0; r < 4; ++r) c[static_cast<size_t>(row + r / 2 * 8) * n + column + r % 2] += sums[i][j][r];
    }
}

}  // namespace

__global__ void __launch_bounds__(128) product_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) { product(a, b, c, n); }
__global__ void __launch_bounds__(128) product_tf32(const float* a, const float* b, float* c, int n) { product(a, b, c, n); }

extern "C" const void* bench_product_bf16() { return reinterpret_cast<const void*>(product_bf16); }
extern "C" const void* bench_product_tf32() { return reinterpret_cast<const void*>(product_tf32); }
