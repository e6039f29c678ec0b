// Two groups of warps hand a buffer to each other at named barriers: one fills it and arrives, the other waits, smooths
// what it finds and arrives in turn.
#include <cstdio>
#include <vector>

constexpr int kGroup = 128, kSteps = 64, kBlocks = 256;

__device__ void wait(int barrier) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(2 * kGroup) : "memory"); }
__device__ void arrive(int barrier) { asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(2 * kGroup) : "memory"); }

__global__ void __launch_bounds__(2 * kGroup) smooth(const float* in, float* out) {
  __shared__ float buffer[kGroup];
  constexpr int kFull = 1, kEmpty = 2;
  const int i = threadIdx.x % kGroup;
  const size_t first = size_t(blockIdx.x) * kSteps * kGroup + i;
  if (threadIdx.x < kGroup) {
    for (int step = 0; step < kSteps; ++step) {
      if (step > 0) wait(kEmpty);
      buffer[i] = in[first + step * kGroup];
      arrive(kFull);
    }
    wait(kEmpty);
    return;
  }
  for (int step = 0; step < kSteps; ++step) {
    wait(kFull);
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += buffer[(i + k) % kGroup];
    arrive(kEmpty);
    out[first + step * kGroup] = sum / 8;
  }
}

int main() {
  std::vector<float> values(size_t(kBlocks) * kSteps * kGroup);
  for (size_t i = 0; i < values.size(); ++i) values[i] = float(i % 11);
  float *in, *out;
  cudaMalloc(&in, values.size() * sizeof(float));
  cudaMalloc(&out, values.size() * sizeof(float));
  cudaMemcpy(in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (int turn = 0; turn < 3; ++turn) smooth<<<kBlocks, 2 * kGroup>>>(in, out);
  cudaMemcpy(values.data(), out, values.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : values) sum += value;
  std::printf("%s, mean %.4f\n", cudaGetErrorString(cudaGetLastError()), sum / double(values.size()));
}
