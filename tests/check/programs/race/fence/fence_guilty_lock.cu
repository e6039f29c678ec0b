// A lock without fences: the next owner may miss what the last one wrote.
__global__ void k(int* lock, int* n) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *n = *n + 1;  // finds C0203
  atomicExch(lock, 0);
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  k<<<8, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
