// verdict: wrong-value
// why: adds up in half precision
#include <cuda_fp16.h>
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  __shared__ half sums[128];
  int r = blockIdx.y;
  int c = threadIdx.x;
  sums[c] = __float2half(c < cols ? a[r * cols + c] : 0);
  __syncthreads();
  for (int rest = blockDim.x / 2; rest > 0; rest /= 2) {
    if (c < rest) sums[c] = __hadd(sums[c], sums[c + rest]);
    __syncthreads();
  }
  if (c == 0) out[r] = __half2float(sums[0]);
}
