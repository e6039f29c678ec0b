// step: a thread adds up 64 neighbours, and its sum goes to memory by an atomic addition
//
// Expected: the atomic additions to one address queue up in the L2 cache, about one per nanosecond: four million of
// them take milliseconds, where reading takes 0.26.
//
// Found (H200, 2026-11-23): 0.04 of reading at 2^24; 0.03 at 2^28.
namespace {

constexpr int kThreads = 256, kEach = 64;

__global__ void atomics(const float* in, float* out, int n) {
  size_t first = (size_t(blockIdx.x) * kThreads + threadIdx.x) * kEach;
  float sum = 0;
  for (size_t i = first; i < first + kEach && i < size_t(n); ++i) sum += in[i];
  if (first < size_t(n)) atomicAdd(out, sum);
}

}  // namespace

extern "C" void solve(const float* in, float* out, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  atomics<<<unsigned((size_t(n) + kThreads * kEach - 1) / (kThreads * kEach)), kThreads>>>(in, out, n);
}
