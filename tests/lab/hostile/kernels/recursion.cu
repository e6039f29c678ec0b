// verdict: crashed
// Recursion without end.
__device__ __noinline__ int deeper(int n, const float* a) { volatile int here[64]; here[n & 63] = n; return a[0] > 1e30f ? 0 : deeper(n + 1, a) + here[n & 63]; }
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10 + deeper(0, a);
}
