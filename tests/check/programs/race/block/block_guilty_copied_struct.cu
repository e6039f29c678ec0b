// Each thread copies a byte too many, so neighbours meet. The compiler makes a loop of such a copy, which has no line of its own.
#include <cstring>

struct Pair {
  short x, y;
};

__global__ void copy(Pair* out, const Pair* in) {
  size_t bytes = sizeof(Pair) + 1;
  memcpy(&out[threadIdx.x], &in[2 * threadIdx.x], bytes);  // finds C0202
}

int main() {
  Pair *in, *out, host[8];
  for (int i = 0; i < 8; ++i) host[i] = {short(257 * i), short(-i)};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  copy<<<1, 2>>>(out, in);
  cudaDeviceSynchronize();
  cudaFree(in), cudaFree(out);
}
