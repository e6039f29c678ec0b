// verdict: changed-input
// why: the input is written through a cast, too
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) out[i] = const_cast<float*>(a)[i] += 10;
}
