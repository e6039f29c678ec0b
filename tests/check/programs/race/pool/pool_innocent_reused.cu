// Each stream has its own memory, again and again; the pool hands out what another stream has given back.
// clean
__global__ void fill(int* x, int v) { x[blockIdx.x * blockDim.x + threadIdx.x] = v; }

int main() {
  cudaStream_t streams[3];
  for (auto& s : streams) cudaStreamCreate(&s);
  for (int round = 0; round < 30; ++round)
    for (auto& s : streams) {
      int* x;
      cudaMallocAsync(&x, 1 << 17, s);
      fill<<<128, 256, 0, s>>>(x, round);
      cudaFreeAsync(x, s);
    }
  cudaDeviceSynchronize();
  for (auto& s : streams) cudaStreamDestroy(s);
}
