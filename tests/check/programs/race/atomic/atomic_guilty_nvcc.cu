// As nvcc builds it, where atomicAdd is a function without lines: one that meets a plain store, and one that meets none.
// options: --compiler=nvcc
__global__ void histogram(const int* in, int* out, int* all, int n) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;                                      // finds C0206
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[in[i] % 64], 1);  // finds C0206
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&all[threadIdx.x], bins[threadIdx.x]), out[threadIdx.x] = bins[threadIdx.x];
}
int main() {
  int host[512], *in, *out, *all;
  for (int i = 0; i < 512; ++i) host[i] = i * 7;
  cudaMalloc(&in, 2048);
  cudaMalloc(&out, 256);
  cudaMalloc(&all, 256);
  cudaMemcpy(in, host, 2048, cudaMemcpyHostToDevice);
  cudaMemset(all, 0, 256);
  histogram<<<1, 128>>>(in, out, all, 512);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFree(all);
}
