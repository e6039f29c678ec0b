// verdict: wrong-value
// Answers from what it kept of the case before.
__device__ float kept[1024];
__device__ int seen[1024];
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = seen[i] ? kept[i] : 0;
  kept[i] = a[i] + 10;
  seen[i] = 1;
}
