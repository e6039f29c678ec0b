// clean: threads for which it would not hold have returned, or take the other way
#include <cassert>
__global__ void halves(const int* in, int* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int value = in[i];
  if (value % 2 == 0) {
    assert(i < n && value % 2 == 0);
    value /= 2;
  }
  out[i] = value;
}
int main() {
  int *in, *out, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemcpy(in, host, 256, cudaMemcpyHostToDevice);
  halves<<<1, 64>>>(in, out, 50);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
