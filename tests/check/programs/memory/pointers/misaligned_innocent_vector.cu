// clean: cudaMalloc aligns to 256 bytes
__global__ void k(float4* p) { p[threadIdx.x] = make_float4(1, 2, 3, 4); }
int main() {
  float4* p;
  cudaMalloc(&p, 32 * sizeof(float4));
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
