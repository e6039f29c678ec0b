// clean: who draws the last ticket knows that all others have drawn theirs, and may start over
__global__ void draw(int* tickets, int* rounds) {
  if (threadIdx.x != 0) return;
  if (atomicAdd(tickets, 1) == gridDim.x - 1) {
    *tickets = 0;
    ++*rounds;
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  for (int i = 0; i < 3; ++i) draw<<<32, 64>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
