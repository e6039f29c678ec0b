// An input is overwritten while the kernel that reads it may be running.
__managed__ float weights[2000], sums[64];
__global__ void sum() {
  float all = 0;
  for (int i = threadIdx.x; i < 2000; i += 64) all += weights[i];  // finds C0205
  sums[threadIdx.x] = all;
}
int main() {
  for (int i = 0; i < 2000; ++i) weights[i] = 1;
  sum<<<1, 64>>>();
  weights[1999] = 2;  // finds C0205
  cudaDeviceSynchronize();
  return sums[0] > 0 ? 0 : 1;
}
