#include <cuda_runtime.h>

__global__ void assign(const float* data_x, const float* data_y, int* labels, const float* centroid_x, const float* centroid_y,
                       int sample_size, int k) {
  // Your code.
}

// All pointers are device pointers.
extern "C" void solve(const float* data_x, const float* data_y, int* labels, float* initial_centroid_x, float* initial_centroid_y,
                      float* final_centroid_x, float* final_centroid_y, int sample_size, int k, int max_iterations) {
  int threads = 256;
  int blocks = (sample_size + threads - 1) / threads;
  assign<<<blocks, threads>>>(data_x, data_y, labels, initial_centroid_x, initial_centroid_y, sample_size, k);
  cudaDeviceSynchronize();
}
