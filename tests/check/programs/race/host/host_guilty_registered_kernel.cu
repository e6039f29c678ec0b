// A kernel that is given the host's own address, and a host that overwrites what the kernel reads.
#include <cstdlib>
__global__ void doubled(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x + 2048]; }  // finds C0205
int main() {
  int *host = (int*)aligned_alloc(4096, 1 << 14), *out;
  for (int i = 0; i < 4096; ++i) host[i] = i;
  cudaHostRegister(host, 1 << 14, cudaHostRegisterMapped);
  cudaMalloc(&out, 1024);
  for (int round = 0; round < 2; ++round) {
    doubled<<<1, 256>>>(host, out);
    host[2048] = round;  // finds C0205
  }
  cudaDeviceSynchronize();
  cudaHostUnregister(host);
  std::free(host);
  cudaFree(out);
}
