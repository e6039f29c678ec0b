// verdict: unwritten
// why: takes the block size of the example for the block size of all launches
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * 4 + threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
