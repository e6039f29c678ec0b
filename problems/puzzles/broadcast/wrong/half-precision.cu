// verdict: wrong-value
// why: computes in half precision
#include <cuda_fp16.h>
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[r * cols + c] = __half2float(__hadd(__float2half(a[r]), __float2half(b[c])));
}
