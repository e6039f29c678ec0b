// A member that one way through the function does not set.
struct Best {
  int index;
  int score;
};
__device__ void find(const int* in, Best* best) {
  best->score = 0;
  for (int i = 0; i < 8; ++i)
    if (in[i] > best->score) best->score = in[i], best->index = i;
}
__global__ void k(const int* in, int* out) {
  Best best;
  find(in, &best);
  out[threadIdx.x] = best.index + best.score;  // finds C0303
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 32);
  cudaMemset(in, 0, 32);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
