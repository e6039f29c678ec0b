// verdict: uninitialised
// why: compares labels with what was there before the first round
#include <cuda_runtime.h>

__global__ void assign(const float* x, const float* y, int* labels, const float* cx, const float* cy, float* sums, int* changed,
                       int n, int k, bool first) {
  extern __shared__ float mine[];
  for (int j = threadIdx.x; j < 3 * k; j += blockDim.x) mine[j] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float best = INFINITY;
    int nearest = 0;
    for (int j = 0; j < k; ++j) {
      float dx = x[i] - cx[j], dy = y[i] - cy[j], d = dx * dx + dy * dy;
      if (d < best) {
        best = d;
        nearest = j;
      }
    }
    if (first || labels[i] != nearest) atomicExch(changed, 1);
    labels[i] = nearest;
    atomicAdd(&mine[nearest], x[i]);
    atomicAdd(&mine[k + nearest], y[i]);
    atomicAdd(&mine[2 * k + nearest], 1.0f);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < 3 * k; j += blockDim.x)
    if (mine[2 * k + j % k] != 0) atomicAdd(&sums[j], mine[j]);
}

__global__ void move(float* cx, float* cy, const float* sums, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= k || sums[2 * k + j] == 0) return;
  cx[j] = sums[j] / sums[2 * k + j];
  cy[j] = sums[k + j] / sums[2 * k + j];
}

extern "C" void solve(const float* data_x, const float* data_y, int* labels, float* initial_centroid_x, float* initial_centroid_y,
                      float* final_centroid_x, float* final_centroid_y, int sample_size, int k, int max_iterations) {
  int blocks = (sample_size + 255) / 256 < 64 ? (sample_size + 255) / 256 : 64;
  float* sums;
  int* changed;
  cudaMalloc(&sums, 3 * k * sizeof(float));
  cudaMalloc(&changed, sizeof(int));
  cudaMemcpy(final_centroid_x, initial_centroid_x, k * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(final_centroid_y, initial_centroid_y, k * sizeof(float), cudaMemcpyDeviceToDevice);
  int more = 1;
  for (int i = 0; i < max_iterations && more; ++i) {
    cudaMemset(sums, 0, 3 * k * sizeof(float));
    cudaMemset(changed, 0, sizeof(int));
    assign<<<blocks, 256, 3 * k * sizeof(float)>>>(data_x, data_y, labels, final_centroid_x, final_centroid_y, sums, changed,
                                                   sample_size, k, i != 0);
    move<<<(k + 63) / 64, 64>>>(final_centroid_x, final_centroid_y, sums, k);
    cudaMemcpy(&more, changed, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaFree(sums);
  cudaFree(changed);
}
