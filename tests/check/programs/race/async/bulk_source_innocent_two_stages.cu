// Two stages: the group before the last has been read.
// clean
__device__ void store(int* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)), "r"(unsigned(__cvta_generic_to_shared(from))), "r"(bytes) : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__global__ void k(int* out) {
  __shared__ __align__(128) int tile[2][32];
  for (int r = 0; r < 4; ++r) {
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncthreads();
    tile[r % 2][threadIdx.x] = r;
    fence();
    __syncthreads();
    if (threadIdx.x == 0) store(out + 32 * r, tile[r % 2], sizeof tile[0]), commit();
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
