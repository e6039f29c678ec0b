// `volatile` makes every access a real one; it orders nothing, and lanes of a warp are not in step (Guide, Independent Thread
// Scheduling): which value the neighbour's word has is open.
__global__ void k(int* out) {
  __shared__ volatile int s[32];
  int i = threadIdx.x;
  s[i] = i;  // finds C0202
  out[i] = s[(i + 1) % 32];  // finds C0202
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
