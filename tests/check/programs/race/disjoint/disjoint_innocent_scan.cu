// Steps of a scan, with both barriers.
// clean
__global__ void scan(int* out) {
  __shared__ int part[128];
  int t = threadIdx.x;
  part[t] = 1;
  __syncthreads();
  for (int offset = 1; offset < 128; offset *= 2) {
    int before = t >= offset ? part[t - offset] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  out[t] = part[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  scan<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
