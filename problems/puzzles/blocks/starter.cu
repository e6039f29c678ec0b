// out[i] = a[i] + 10 for i < n. The launch: as many blocks as n elements need.
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  // Which element is this thread's? Your code.
}
