// The loop's first read is plain.
__device__ void atomic_max(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits;  // finds C0210
  while (__int_as_float(old) < value) {
    int before = atomicCAS(bits, old, __float_as_int(value));  // finds C0210
    if (before == old) break;
    old = before;
  }
}
__global__ void k(float* x) { atomic_max(x, (float)blockIdx.x); }
int main() {
  float* x;
  cudaMalloc(&x, 4);
  cudaMemset(x, 0, 4);
  k<<<16, 1>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
