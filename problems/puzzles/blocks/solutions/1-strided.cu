// solution: each block takes every gridDim.x-th element: right, but the threads of a warp touch elements that lie far apart
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = threadIdx.x * gridDim.x + blockIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
