// verdict: barrier
// Half of the threads go past a barrier to the kernel's end, and what they store is wrong: the checker reads in the source that they have not returned, inside the walls, too.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + (i < 16 ? 10 : 11);
  if (i < 16) {
    __syncthreads();
  }
}
