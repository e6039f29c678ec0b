// problem: puzzles/block-sum
// verdict: barrier
// says: by       warp function
// says: every lane that its mask names
// not: __syncthreads
// Lanes 0 to 3 wait for all lanes at __syncwarp, the others at a shuffle.
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = i < n ? a[i] : 0;
  if (t < 4)
    __syncwarp(0xffu);
  else
    while (__shfl_sync(0xffu, v, 0) > -1) v += 1;
  if (t == 0) out[blockIdx.x] = v;
}
