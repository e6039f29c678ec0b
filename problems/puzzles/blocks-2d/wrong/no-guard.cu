// verdict: out-of-bounds
// why: no guard at all
extern "C" __global__ void blocks_2d(float* out, const float* a, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;

  out[r * cols + c] = a[r * cols + c] + 10;
}
