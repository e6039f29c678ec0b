// solution: tiles of 16 x 64 bytes in shared memory, four products per instruction; zero points are taken off the sums
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kTile = 16, kDepth = 64;

// The sum of (a - za)(b - zb) is: the sum of ab, less zb times the sum of a, less za times the sum of b, plus K za zb.
__global__ void matmul(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale, int zero_point_A,
                       int zero_point_B, int zero_point_C) {
  __shared__ __align__(4) int8_t a[kTile][kDepth], b[kTile][kDepth + 4];
  int x = threadIdx.x, y = threadIdx.y;
  int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  int products = 0, sum_a = 0, sum_b = 0;
  for (int tile = 0; tile < K; tile += kDepth) {
    for (int j = x; j < kDepth; j += kTile) a[y][j] = first_row + y < M && tile + j < K ? A[(first_row + y) * K + tile + j] : 0;
    for (int j = y; j < kDepth; j += kTile) b[x][j] = tile + j < K && first_column + x < N ? B[(tile + j) * N + first_column + x] : 0;
    __syncthreads();
    for (int j = 0; j < kDepth; j += 4) {
      int left = *reinterpret_cast<const int*>(&a[y][j]), right = *reinterpret_cast<const int*>(&b[x][j]);
      products = __dp4a(left, right, products);
      sum_a = __dp4a(left, 0x01010101, sum_a);
      sum_b = __dp4a(right, 0x01010101, sum_b);
    }
    __syncthreads();
  }
  int row = first_row + y, column = first_column + x;
  if (row >= M || column >= N) return;
  int sum = products - zero_point_B * sum_a - zero_point_A * sum_b + K * zero_point_A * zero_point_B;
  int value = __float2int_rn(sum * scale) + zero_point_C;
  C[row * N + column] = max(-128, min(127, value));
}

extern "C" void solve(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale_A, float scale_B, float scale_C,
                      int zero_point_A, int zero_point_B, int zero_point_C) {
  dim3 threads(kTile, kTile);
  dim3 blocks((N + kTile - 1) / kTile, (M + kTile - 1) / kTile);
  matmul<<<blocks, threads>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A, zero_point_B, zero_point_C);
}
