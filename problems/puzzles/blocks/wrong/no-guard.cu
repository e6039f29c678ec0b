// verdict: out-of-bounds
// why: the last block has threads too many, and they do not stop
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = a[i] + 10;
}
