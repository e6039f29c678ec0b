// What a copy takes may be read meanwhile, and its neighbours written.
// clean
__device__ void store(int* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)), "r"(unsigned(__cvta_generic_to_shared(from))), "r"(bytes) : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__global__ void k(int* out) {
  __shared__ __align__(128) int tile[64];
  tile[threadIdx.x] = 1;
  fence();
  __syncthreads();
  if (threadIdx.x == 0) store(out, tile, 128), commit();
  tile[32 + threadIdx.x] = tile[31 - threadIdx.x];
  __syncthreads();
  out[32 + threadIdx.x] = tile[63 - threadIdx.x];
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
