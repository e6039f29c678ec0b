// solution: neighbours in a warp hand over their registers; shared memory joins the warps
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float last[6][2];
  int i = threadIdx.x, lane = i % 32, warp = i / 32;
  float x = i < n ? a[i] : 0;
  float one = __shfl_up_sync(__activemask(), x, 1), two = __shfl_up_sync(__activemask(), x, 2);
  if (lane >= 30) last[warp][lane - 30] = x;
  __syncthreads();
  if (lane == 0) one = warp ? last[warp - 1][1] : 0;
  if (lane < 2) two = warp ? last[warp - 1][lane] : 0;
  if (i < n) out[i] = two + one + x;
}
