// Two words at once, one word further for each thread.
__global__ void wide(int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* at = y + 2 * (i / 2 * 2);
  *reinterpret_cast<long long*>(y + 2 * i) = i;  // finds C0201, C0203
  at[i % 2 * 4] = i;  // finds C0201, C0202, C0203
}

int main() {
  int* y;
  cudaMalloc(&y, 2048 * sizeof(int));
  wide<<<2, 128>>>(y);
  cudaDeviceSynchronize();
  cudaFree(y);
}
