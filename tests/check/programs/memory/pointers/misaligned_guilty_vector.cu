// A float4 at an odd element. (All of it is used: of a vector whose parts are not needed a compiler loads the others alone.)
__global__ void k(float* p, float* out) {
  float4 v = *(float4*)(p + 1);  // finds C0102
  out[0] = v.x + v.y + v.z + v.w;
}
int main() {
  float* p;
  cudaMalloc(&p, 64);
  cudaMemset(p, 0, 64);
  k<<<1, 1>>>(p, p + 8);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(p);
  return e != cudaSuccess && e != cudaErrorMisalignedAddress;
}
