// step: neighbouring lanes read neighbours, and a block adds up in shared memory before its one atomic addition
//
// Expected: 65,536 atomic additions no longer matter. Each thread has one load in flight, and waits for a tree of eight
// barriers: half of what reading takes.
//
// Found (H200, 2026-11-23): 0.57 of reading at 2^24; 0.54 at 2^28.
namespace {

constexpr int kThreads = 256, kEach = 16;

__global__ void block(const float* in, float* out, int n) {
  __shared__ float room[kThreads];
  size_t first = size_t(blockIdx.x) * kThreads * kEach + threadIdx.x;
  float sum = 0;
  for (size_t i = first; i < first + kThreads * kEach && i < size_t(n); i += kThreads) sum += in[i];
  room[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) room[threadIdx.x] += room[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, room[0]);
}

}  // namespace

extern "C" void solve(const float* in, float* out, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  block<<<unsigned((size_t(n) + kThreads * kEach - 1) / (kThreads * kEach)), kThreads>>>(in, out, n);
}
