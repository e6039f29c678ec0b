// The host passes a constant's address for an output.
__constant__ float result[32];
__global__ void k(float* out) { out[threadIdx.x] = threadIdx.x; }  // finds C0111
int main() {
  float* out;
  cudaGetSymbolAddress((void**)&out, result);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
