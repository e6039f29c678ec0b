// clean: a dead pointer that is not followed
__global__ void k(int* dead, int* out) { *out = dead == nullptr; }
int main() {
  int *p, *out;
  cudaMalloc(&p, 128);
  cudaMalloc(&out, 4);
  cudaFree(p);
  k<<<1, 1>>>(p, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
