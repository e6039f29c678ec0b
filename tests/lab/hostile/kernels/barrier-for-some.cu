// verdict: barrier
// Half of the threads go past a barrier to the kernel's end: the checker reads in the source that they have not returned, inside the walls, too.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
  if (i < 16) {
    __syncthreads();
  }
}
