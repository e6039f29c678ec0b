// verdict: race
// why: counts within the warp, so the warps do the same elements with other values
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x % warpSize;
  if (i < n) out[i] = a[threadIdx.x < n ? threadIdx.x : 0] + 10;
}
