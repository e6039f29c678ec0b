// A small whole program: memory, a launch, an event pair, printf, managed memory.
#include <cstdio>
#include <vector>

__device__ int launches;

__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
  if (i == 0) atomicAdd(&launches, 1);
}

__global__ void hello() { printf("hello from thread %d\n", threadIdx.x); }

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      std::printf("%s:%d: %s\n", #call, __LINE__, cudaGetErrorString(error));        \
      return 1;                                                                      \
    }                                                                                \
  } while (0)

int main() {
  const int n = 1000;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = 1;
  float *dx, *dy;
  CHECK(cudaMalloc((void**)&dx, n * sizeof(float)));
  CHECK(cudaMalloc((void**)&dy, n * sizeof(float)));
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  saxpy<<<(n + 255) / 256, 256>>>(2.0f, dx, dy, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0, count = 0;
  for (int i = 0; i < n; ++i) wrong += y[i] != 2.0f * i + 1;
  CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  std::printf("wrong %d, launches %d, time %s\n", wrong, count, ms >= 0 ? "ok" : "missing");
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  hello<<<1, 2>>>();  // not waited for: it runs when the program ends
  return 0;
}
