// clean: the last active lane has no neighbour above, and chooses its own value
// also by nvcc
__global__ void k(const int* in, int* out, int n) {
  const int t = threadIdx.x;
  const unsigned active = __ballot_sync(0xffffffff, t < n);
  if (t >= n) return;
  const double mine = in[t];
  const double above = __shfl_down_sync(active, mine, 1);
  out[t] = static_cast<int>((t + 1 < n ? above : mine) - mine);
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out, 20);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
