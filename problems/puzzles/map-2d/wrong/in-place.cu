// verdict: changed-input
// why: the input is written through a cast, too
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[r * cols + c] = const_cast<float*>(a)[r * cols + c] += 10;
}
