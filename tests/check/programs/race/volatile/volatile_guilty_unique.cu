// One barrier in a loop over shared memory: who is ahead writes the next round's value while others still compare. That the array is
// volatile orders nothing.
__device__ bool is_unique(int value, volatile int* values) {
  values[threadIdx.x] = value;  // finds C0201
  __syncthreads();
  bool unique = true;
  for (unsigned i = 0; i < blockDim.x; ++i)
    if (i != threadIdx.x && values[i] == value) unique = false;  // finds C0201
  return unique;
}
__global__ void count(const int* in, int* out, int rounds) {
  __shared__ volatile int values[128];
  int n = 0;
  for (int r = 0; r < rounds; ++r) n += is_unique(in[r * blockDim.x + threadIdx.x], values);
  out[threadIdx.x] = n;
}
int main() {
  int host[512], *in, *out;
  for (int i = 0; i < 512; ++i) host[i] = i * i % 97;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMalloc(&out, 512);
  count<<<1, 128>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
