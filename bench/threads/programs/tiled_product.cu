// A product of matrices of 1024 x 1024 through tiles in shared memory. Prints an element.
#include <cstdio>

constexpr int kTile = 16, kSize = 1024;

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float of_a[kTile][kTile], of_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < kSize; tile += kTile) {
    of_a[threadIdx.y][threadIdx.x] = a[row * kSize + tile + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * kSize + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * kSize + column] = sum;
}

__global__ void fill(float* matrix, int period) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  matrix[i] = float(i % period);
}

int main() {
  constexpr int kCount = kSize * kSize;
  float *a, *b, *c, found;
  for (float** matrix : {&a, &b, &c}) cudaMalloc(matrix, kCount * sizeof(float));
  fill<<<kCount / 256, 256>>>(a, 7);
  fill<<<kCount / 256, 256>>>(b, 5);
  for (int turn = 0; turn < 4; ++turn) product<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(a, b, c);
  cudaMemcpy(&found, &c[5 * kSize + 5], sizeof found, cudaMemcpyDeviceToHost);
  printf("%g\n", found);
}
