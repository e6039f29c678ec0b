// A reduction that returns its answer to all, and a vote: one barrier for either.
__global__ void k(int* out) {
  __shared__ int s[96];
  int t = threadIdx.x, warp = t / 32;
  s[t] = t;
  switch (warp) {
    case 0: __syncthreads(); break;  // finds C0402
    case 1: s[t] = __syncthreads_count(s[t] > 40); break;  // finds C0402
    default: __syncthreads(); break;  // finds C0402
  }
  if (t % 32 == 0) out[warp] = s[t];
}
int main() {
  int* out;
  cudaMalloc(&out, 12);
  k<<<1, 96>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorLaunchTimeout && e != cudaErrorLaunchFailure;
}
