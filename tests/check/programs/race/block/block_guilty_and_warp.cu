// Two causes: a barrier that is missing in front of the last steps of a sum, and those steps, which a single warp takes
// without __syncwarp(). One advice is not enough for both.
// says: put __syncthreads() between the two accesses
// says: put __syncwarp() between the two accesses
__global__ void sum(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];  // finds C0201
  if (t < 32) {
    int upper = s[t + 32];  // finds C0201
    s[t] += upper;
    __syncwarp();
    if (t < 16) s[t] += s[t + 16];
    __syncwarp();
    if (t < 8) s[t] += s[t + 8];  // finds C0202
    if (t < 4) s[t] += s[t + 4];  // finds C0202
  }
  __syncthreads();
  out[t] = s[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  sum<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
