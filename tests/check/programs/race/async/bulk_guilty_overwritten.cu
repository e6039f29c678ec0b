// The thread that copies puts something of its own into the tile before the copy has come.
__device__ unsigned at(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ void init(unsigned long long* bar, unsigned count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory"); }
__device__ void expect(unsigned long long* bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void copy(void* to, const void* from, unsigned bytes, unsigned long long* bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes),  // finds C0208
               "r"(at(bar))
               : "memory");
}
__device__ void wait(unsigned long long* bar, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
}

__global__ void k(int* out, const int* in) {
  __shared__ __align__(128) int tile[64];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    expect(&bar, sizeof tile);
    copy(tile, in, sizeof tile, &bar);
    tile[63] = 1;                       // finds C0208
  }
  __syncthreads();
  wait(&bar, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 512);
  cudaMemset(in, 0, 512);
  k<<<1, 64>>>(out, in);
  cudaDeviceSynchronize();
  cudaFree(in), cudaFree(out);
}
