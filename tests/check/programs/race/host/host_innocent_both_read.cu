// clean
#include <cstdio>
__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 128);
  cudaMalloc(&out, 128);
  for (int i = 0; i < 32; ++i) in[i] = i;
  copy<<<1, 32>>>(in, out);
  std::printf("%d\n", in[31]);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
