// Two words for each thread, one word further for each.
__global__ void pairs(int* out) {
  __shared__ int part[257];
  int t = threadIdx.x;
  part[t] = t;  // finds C0201
  part[t + 1] = t;  // finds C0201
  __syncthreads();
  out[t] = part[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 256 * sizeof(int));
  pairs<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
