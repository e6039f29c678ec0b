// The pointer of the device is copied there, and read back by its address.
// clean
// also by nvcc
#include <cstdio>
__device__ float* table;
__global__ void look_up(float* out) { out[threadIdx.x] = table ? table[threadIdx.x] : -1; }
int main() {
  float *values, *out, **where, *there;
  cudaMalloc(&values, 128);
  cudaMalloc(&out, 128);
  cudaMemset(values, 0, 128);
  cudaMemcpyToSymbol(table, &values, sizeof values);
  look_up<<<1, 32>>>(out);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  if (cudaGetSymbolAddress(reinterpret_cast<void**>(&where), table) != cudaSuccess) return 1;
  if (cudaMemcpy(&there, where, sizeof there, cudaMemcpyDeviceToHost) != cudaSuccess || there != values) return 1;
  cudaFree(values);
  cudaFree(out);
}
