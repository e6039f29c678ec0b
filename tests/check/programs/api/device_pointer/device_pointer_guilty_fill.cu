// The host fills an input in place.
// says: host code writes byte 0 of device memory
__global__ void k(float* x) { x[threadIdx.x] += 1; }

static void fill(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = float(i);  // finds R0301
}

int main() {
  float* x;
  if (cudaMalloc(&x, 128) != cudaSuccess) return 1;
  fill(x, 32);
  k<<<1, 32>>>(x);
  return cudaDeviceSynchronize() != cudaSuccess;
}
