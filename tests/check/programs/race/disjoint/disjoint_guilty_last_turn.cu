// The turns overlap from the second one on.
__global__ void tree(int* out) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  for (int offset = 128; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + (offset + 1) / 2];  // finds C0201
    __syncthreads();
  }
  if (t == 0) *out = part[0];
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  tree<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
