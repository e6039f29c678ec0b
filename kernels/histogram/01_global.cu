// step: one atomic addition in global memory for each key
//
// Expected: the L2 cache does a few hundred additions per nanosecond to different addresses, but those to one address
// queue up: 256 bins are slow, and one value alone takes hundreds of milliseconds.
//
// Found (H200, 2026-11-23): 0.01 of reading at 256 even; 0.00 at 256 skewed; 0.00 at 256 one value; 0.08 at 65536
// even; 0.01 at 65536 skewed; 0.00 at 65536 one value.
namespace {

__global__ void global(const int* keys, unsigned* counts, int n) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size_t(n)) atomicAdd(&counts[keys[i]], 1u);
}

}  // namespace

extern "C" void solve(const int* keys, unsigned* counts, int n, int bins) {
  cudaMemsetAsync(counts, 0, size_t(bins) * sizeof(unsigned));
  global<<<unsigned((size_t(n) + 255) / 256), 256>>>(keys, counts, n);
}
