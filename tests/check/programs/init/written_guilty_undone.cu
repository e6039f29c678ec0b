// A word that was written gets a value that was never set.
__global__ void undone(int* out, int n) {
  __shared__ int part[128];
  int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  int v;
  if (n > 3) v = t;
  part[t] = v;
  __syncthreads();
  out[t] = part[127 - t] + 1;  // finds C0302
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  undone<<<1, 128>>>(out, 3);
  cudaDeviceSynchronize();
  cudaFree(out);
}
