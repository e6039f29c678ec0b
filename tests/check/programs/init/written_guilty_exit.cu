// Threads that end before they have written leave their words as they are.
__global__ void tree(int* out, int n) {
  __shared__ int part[256];
  int t = threadIdx.x;
  if (t >= n) return;
  part[t] = t;
  __syncthreads();
  for (int offset = 128; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];  // finds C0302
    __syncthreads();
  }
  if (t == 0) *out = part[0];
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  tree<<<1, 256>>>(out, 255);
  cudaDeviceSynchronize();
  cudaFree(out);
}
