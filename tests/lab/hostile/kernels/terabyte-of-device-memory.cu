// verdict: crashed
// A variable of a terabyte.
__device__ volatile char much[1ull << 40];
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  much[i * (1ull << 34)] = 1;
  out[i] = a[i] + 10;
}
