// clean: each stream copies, computes and copies back its own part
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
  int *x, *host;
  cudaStream_t s[3];
  cudaMalloc(&x, 3 * 128);
  cudaMallocHost(&host, 3 * 128);
  for (int i = 0; i < 96; ++i) host[i] = i;
  for (auto& each : s) cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking);
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 3; ++i) {
      cudaMemcpyAsync(x + 32 * i, host + 32 * i, 128, cudaMemcpyHostToDevice, s[i]);
      twice<<<1, 32, 0, s[i]>>>(x + 32 * i);
      cudaMemcpyAsync(host + 32 * i, x + 32 * i, 128, cudaMemcpyDeviceToHost, s[i]);
    }
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFreeHost(host);
}
