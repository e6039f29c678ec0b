// verdict: wrong-value
// why: only one coordinate counts
#include <cuda_runtime.h>

__global__ void assign(const float* x, const float* y, int* labels, const float* cx, const float* cy, float* sums, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = INFINITY;
  int nearest = 0;
  for (int j = 0; j < k; ++j) {
    float dx = x[i] - cx[j], dy = y[i] - cy[j], d = dx * dx + 0 * dy;
    if (d < best) {
      best = d;
      nearest = j;
    }
  }
  labels[i] = nearest;
  atomicAdd(&sums[nearest], x[i]);
  atomicAdd(&sums[k + nearest], y[i]);
  atomicAdd(&sums[2 * k + nearest], 1.0f);
}

__global__ void move(float* cx, float* cy, const float* sums, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= k || sums[2 * k + j] == 0) return;
  cx[j] = sums[j] / sums[2 * k + j];
  cy[j] = sums[k + j] / sums[2 * k + j];
}

extern "C" void solve(const float* data_x, const float* data_y, int* labels, float* initial_centroid_x, float* initial_centroid_y,
                      float* final_centroid_x, float* final_centroid_y, int sample_size, int k, int max_iterations) {
  float* sums;
  cudaMalloc(&sums, 3 * k * sizeof(float));
  cudaMemcpy(final_centroid_x, initial_centroid_x, k * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(final_centroid_y, initial_centroid_y, k * sizeof(float), cudaMemcpyDeviceToDevice);
  for (int i = 0; i < max_iterations; ++i) {
    cudaMemset(sums, 0, 3 * k * sizeof(float));
    assign<<<(sample_size + 255) / 256, 256>>>(data_x, data_y, labels, final_centroid_x, final_centroid_y, sums, sample_size, k);
    move<<<(k + 63) / 64, 64>>>(final_centroid_x, final_centroid_y, sums, k);
  }
  cudaFree(sums);
}
