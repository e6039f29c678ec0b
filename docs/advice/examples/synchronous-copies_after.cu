// docs/advice/synchronous-copies.md, after.
#include "example.h"

constexpr int kPieces = 8, kPiece = 1 << 20;

__global__ void work(float* data, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = data[i], b = a + 1;
  for (int k = 0; k < steps; ++k) a = a * 0.5f + 1, b = b * 0.5f + 1;
  data[i] = a + b;
}

int main() {
  float *data = zeros<float>(kPieces * kPiece), *host = nullptr;
  check(cudaMallocHost(&host, kPieces * kPiece * sizeof(float)));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream));
  for (int i = 0; i < kPieces; ++i) {
    cudaStream_t stream = streams[i % 2];
    check(cudaMemcpyAsync(data + i * kPiece, host + i * kPiece, kPiece * sizeof(float), cudaMemcpyHostToDevice, stream));
    work<<<kPiece / 256, 256, 0, stream>>>(data + i * kPiece, 1024);
  }
  finish();
  check(cudaFreeHost(host));
}
