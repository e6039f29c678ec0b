// A ring of stages in shared memory: one warp requests bulk copies, the others wait at the stage's mbarrier, add up
// what has come and hand the stage back.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kConsumers = 8, kThreads = 32 * (kConsumers + 1), kStages = 4, kChunk = 2048, kBlocks = 64, kChunks = 32;

__device__ uint32_t address_of(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }

__device__ void wait(uint64_t& barrier, uint32_t parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again; }" ::"r"(address_of(&barrier)),
      "r"(parity)
      : "memory");
}

__global__ void __launch_bounds__(kThreads) add_up(const float* in, float* out) {
  alignas(128) __shared__ float ring[kStages][kChunk];
  __shared__ uint64_t landed[kStages], used[kStages];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int s = 0; s < kStages; ++s) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&landed[s])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&used[s])), "r"(kConsumers * 32));
    }
  asm volatile("fence.mbarrier_init.release.cluster;");
  __syncthreads();
  const float* mine = in + size_t(blockIdx.x) * kChunks * kChunk;
  if (warp == kConsumers) {
    if (lane == 0)
      for (int c = 0; c < kChunks; ++c) {
        const int stage = c % kStages;
        wait(used[stage], (c / kStages & 1) ^ 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&landed[stage])),
                     "r"(uint32_t(sizeof ring[0]))
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         address_of(ring[stage])),
                     "l"(mine + c * kChunk), "r"(uint32_t(sizeof ring[0])), "r"(address_of(&landed[stage]))
                     : "memory");
      }
    return;
  }
  float sum = 0;
  for (int c = 0; c < kChunks; ++c) {
    const int stage = c % kStages;
    wait(landed[stage], c / kStages & 1);
    for (int i = threadIdx.x; i < kChunk; i += kConsumers * 32) sum += ring[stage][i] * 0.5f;
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(&used[stage])) : "memory");
  }
  out[blockIdx.x * kConsumers * 32 + threadIdx.x] = sum;
}

int main() {
  std::vector<float> in(size_t(kBlocks) * kChunks * kChunk), out(kBlocks * kConsumers * 32);
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i % 5);
  float *in_device, *out_device;
  cudaMalloc(&in_device, in.size() * sizeof(float));
  cudaMalloc(&out_device, out.size() * sizeof(float));
  cudaMemcpy(in_device, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (int turn = 0; turn < 3; ++turn) add_up<<<kBlocks, kThreads>>>(in_device, out_device);
  cudaMemcpy(out.data(), out_device, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : out) sum += value;
  std::printf("%s, sum %.1f\n", cudaGetErrorString(cudaGetLastError()), sum);
}
