// verdict: wrong-value
// Answers from what it kept of the case before.
__device__ float kept[1024];
__device__ int runs;
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = runs ? kept[i] : 0;
  kept[i] = a[i] + 10;
  if (i == 0) runs = 1;
}
