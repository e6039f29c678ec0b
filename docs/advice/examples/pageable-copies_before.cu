// docs/advice/pageable-copies.md, before.
#include "example.h"

constexpr size_t kCount = 1 << 24;

__global__ void touch(float* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  float *data = zeros<float>(kCount), *host = static_cast<float*>(calloc(kCount, sizeof(float)));
  check(cudaMemcpy(data, host, kCount * sizeof(float), cudaMemcpyHostToDevice));
  touch<<<kCount / 256, 256>>>(data);
  free(host);
  finish();
}
