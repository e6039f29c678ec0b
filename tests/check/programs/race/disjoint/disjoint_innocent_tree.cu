// A tree: what a thread writes in a turn is no other thread's to read, and every word that is read has been written.
// clean
__global__ void tree(int* out) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  for (int offset = 128; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];
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
