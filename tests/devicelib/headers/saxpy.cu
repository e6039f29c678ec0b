// The kernel of every introduction: no calls, one fused multiply-add, no local memory.
// has: fma.rn.f32
// has: ld.global.f32
// has: .visible .entry _Z5saxpyifPKfPf
// lacks: call
// lacks: .local
__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
  float* x;
  if (cudaMalloc(&x, 1024) != cudaSuccess) return 1;
  saxpy<<<1, 256>>>(256, 2.0f, x, x);
  return cudaDeviceSynchronize() != cudaSuccess;
}
