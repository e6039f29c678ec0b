// Every second word is written.
__global__ void gap(int* out) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[2 * t] = t;
  __syncthreads();
  out[t] = part[t] + 1;  // finds C0302
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  gap<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
