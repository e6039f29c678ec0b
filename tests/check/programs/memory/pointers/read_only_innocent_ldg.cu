// clean: what one kernel reads by __ldg the next one may write
__global__ void k(int* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void shift(const int* in, int* out) { out[threadIdx.x] = __ldg(in + (threadIdx.x + 1) % 32); }
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 32>>>(out);
  shift<<<1, 32>>>(out, out + 32);
  shift<<<1, 32>>>(out + 32, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
