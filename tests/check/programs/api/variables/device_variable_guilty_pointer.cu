// The address of memory of the device is assigned to a pointer of the device: kernels find it null.
// finds C0513 anywhere
// also by nvcc
// says: kernels do not see what host code writes to the device variable `table`
#include <cstdio>
__device__ float* table;
__global__ void look_up(float* out) { out[threadIdx.x] = table ? table[threadIdx.x] : -1; }
int main() {
  float *values, *out;
  cudaMalloc(&values, 128);
  cudaMalloc(&out, 128);
  cudaMemset(values, 0, 128);
  table = values;
  look_up<<<1, 32>>>(out);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(values);
  cudaFree(out);
}
