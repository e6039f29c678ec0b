// The sum begins with whatever was there.
__global__ void add(float* sum) { atomicAdd(sum, 1.0f); }  // finds C0301
int main() {
  float* sum;
  cudaMalloc(&sum, 4);
  add<<<4, 32>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
