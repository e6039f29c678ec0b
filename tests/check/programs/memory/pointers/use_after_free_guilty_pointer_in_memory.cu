// The pointer was left in device memory.
__device__ int* shared_pointer;
__global__ void keep(int* p) { shared_pointer = p; }
__global__ void use(int* out) { *out = *shared_pointer; }  // finds C0103
int main() {
  int *p, *out;
  cudaMalloc(&p, 4096);
  cudaMalloc(&out, 4);
  cudaMemset(p, 0, 4096);
  keep<<<1, 1>>>(p);
  cudaFree(p);
  use<<<1, 1>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
