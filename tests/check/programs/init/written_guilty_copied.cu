// What a thread copies may be uninitialised.
__global__ void copied(const int* in, int* out) {
  __shared__ int part[128];
  int t = threadIdx.x;
  part[t] = in[t];  // finds C0301
  __syncthreads();
  out[t] = part[127 - t] + 1;  // finds C0302
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  copied<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
