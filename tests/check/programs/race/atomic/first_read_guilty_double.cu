// The addition of doubles as the Guide writes it: the first read is plain.
__device__ double add(double* address, double value) {
  unsigned long long* bits = (unsigned long long*)address;
  unsigned long long old = *bits, assumed;  // finds C0210
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));  // finds C0210
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void k(double* x) { add(x, 1.0 + blockIdx.x); }
int main() {
  double* x;
  cudaMalloc(&x, 8);
  cudaMemset(x, 0, 8);
  k<<<8, 1>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
