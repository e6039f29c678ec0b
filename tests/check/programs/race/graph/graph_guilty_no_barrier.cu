// The block's count is read before all of its threads have counted.
__global__ void k(const int* first, const int* neighbours, const int* value, int* out, int n) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;  // finds C0206
  int v = threadIdx.x % n;
  if (value[v] != 0) atomicAdd(&count, 1);  // finds C0206
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
int main() {
  int starts[] = {0, 2, 4, 6, 8}, ends[] = {1, 2, 0, 2, 0, 1, 0, 1};  // four vertices, each with two neighbours
  int *first, *neighbours, *value, *out;
  cudaMalloc(&first, sizeof starts);
  cudaMalloc(&neighbours, sizeof ends);
  cudaMalloc(&value, 4 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(first, starts, sizeof starts, cudaMemcpyHostToDevice);
  cudaMemcpy(neighbours, ends, sizeof ends, cudaMemcpyHostToDevice);
  cudaMemset(value, 1, 4 * sizeof(int));
  cudaMemset(out, 0, 4 * sizeof(int));
  k<<<1, 64>>>(first, neighbours, value, out, 4);
  cudaDeviceSynchronize();
  for (int* p : {first, neighbours, value, out}) cudaFree(p);
}
