// clean: a thread that finds it says so in shared memory, and the others stop looking when they happen to see it
__global__ void find(const int* in, int n, int wanted, int* where) {
  __shared__ volatile int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (found) break;
    if (in[i] == wanted) {
      found = 1;
      *where = i;
    }
  }
}
int main() {
  int host[1024], *in, *where;
  for (int i = 0; i < 1024; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMalloc(&where, 4);
  find<<<1, 128>>>(in, 1024, 700, where);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(where);
}
