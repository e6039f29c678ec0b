// All threads fence, but the one that counts does not wait for the other warps of its block (CUB's DeviceTopK had this:
// NVIDIA/cccl pull request 10627).
__global__ void merge(const unsigned* in, unsigned* histogram, unsigned* arrived, unsigned* out) {
  __shared__ bool last;
  atomicAdd(&histogram[threadIdx.x], in[threadIdx.x]);  // finds C0206
  __threadfence();
  if (threadIdx.x == 0) last = atomicAdd(arrived, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  out[threadIdx.x] = histogram[threadIdx.x];  // finds C0206
}
int main() {
  unsigned *in, *histogram, *arrived, *out;
  cudaMalloc(&in, 512);
  cudaMemset(in, 1, 512);
  cudaMalloc(&histogram, 512);
  cudaMemset(histogram, 0, 512);
  cudaMalloc(&arrived, 4);
  cudaMemset(arrived, 0, 4);
  cudaMalloc(&out, 512);
  merge<<<8, 128>>>(in, histogram, arrived, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(histogram);
  cudaFree(arrived);
  cudaFree(out);
}
