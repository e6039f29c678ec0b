// solution: each block takes a piece, so that neighbours in a warp are neighbours in memory
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) out[i] = a[i] + 10;
}
