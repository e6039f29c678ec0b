// verdict: wrong-value
// why: the first threads of a warp cannot get the elements of the warp before by a shuffle
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  int i = threadIdx.x, lane = i % 32;
  float x = i < n ? a[i] : 0;
  float one = __shfl_up_sync(0xffffffff >> (blockDim.x < 32 ? 32 - blockDim.x : 0), x, 1);
  float two = __shfl_up_sync(0xffffffff >> (blockDim.x < 32 ? 32 - blockDim.x : 0), x, 2);
  if (lane < 1) one = 0;
  if (lane < 2) two = 0;
  if (i < n) out[i] = two + one + x;
}
