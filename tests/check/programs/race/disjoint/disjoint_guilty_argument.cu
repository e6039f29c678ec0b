// The distance is an argument: 128 is fine, 64 is not.
__global__ void fold(int* out, int distance) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  if (t < 128) part[t] += part[t + distance];  // finds C0201
  __syncthreads();
  out[t] = part[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 256 * sizeof(int));
  fold<<<1, 256>>>(out, 128);
  fold<<<1, 256>>>(out, 64);
  cudaDeviceSynchronize();
  cudaFree(out);
}
