// A kernel for each kind of trouble that the page shows, planted at a known line.
#include <cstdio>

__global__ void conflict(float* out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  tile[x][y] = x;  // conflict: a column of the tile
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[y][x];
}

__global__ void divergence(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < i % 7; ++k) sum += in[k];  // divergence: lanes leave the loop one after the other
  out[i] = sum;
}

__global__ void uncoalesced(float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * 32] = i;  // uncoalesced: 4 bytes of each sector
}

__global__ void race(int* sum) {
  *sum = *sum + threadIdx.x;  // race: all threads read and write one word
}

int main() {
  float *in, *out;
  int* sum;
  cudaMalloc(&in, 1 << 10);
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&sum, 4);
  cudaMemset(in, 0, 1 << 10);
  cudaMemset(out, 0, 1 << 20);
  cudaMemset(sum, 0, 4);
  conflict<<<2, 1024>>>(out);
  divergence<<<2, 128>>>(in, out);
  uncoalesced<<<2, 128>>>(out);
  race<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(in), cudaFree(out), cudaFree(sum);
  std::printf("done\n");
}
