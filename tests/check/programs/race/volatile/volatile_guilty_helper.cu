// What a function returns is followed to its callers: the value is only added up.
__device__ int look(volatile int* p) { return *p; }  // finds C0203

__global__ void sum(volatile int* total) {
  int before = look(total);
  *total = before + 1;  // finds C0203
}

int main() {
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  sum<<<4, 1>>>(total);
  cudaDeviceSynchronize();
  cudaFree(total);
}
