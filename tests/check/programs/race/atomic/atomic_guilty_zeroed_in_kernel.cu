// A thread of the first block sets the sum to zero; other blocks may have added by then. Behind a barrier the thread adds, too, which must
// not hide what it did before.
__global__ void sum(const float* in, float* out, int n) {
  __shared__ float part[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i == 0) *out = 0;  // finds C0206
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);  // finds C0206
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 1000 * 4);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 1000 * 4);
  cudaMemset(out, 0, 4);
  sum<<<16, 64>>>(in, out, 1000);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
