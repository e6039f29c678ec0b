// out[i] = a[i - 2] + a[i - 1] + a[i] for i < n. One block of at most 192 threads, one read of a per thread.
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192];
  int i = threadIdx.x;
  // Your code.
}
