// All threads read what none writes; what is written belongs to one thread.
// clean
#include <cuda_runtime.h>

__global__ void blur(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + in[(i + 1) % n] + in[n - 1 - i];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  blur<<<4, 64>>>(in, out, 256);
  blur<<<4, 64>>>(out, in, 256);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
