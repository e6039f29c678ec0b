// clean: a work list whose end is an atomic counter
__global__ void k(const int* first, const int* neighbours, const int* value, int* out, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || value[v] == 0) return;
  int place = atomicAdd(&out[3], 1);
  if (place < 3) out[place] = v;
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
  k<<<4, 1>>>(first, neighbours, value, out, 4);
  cudaDeviceSynchronize();
  for (int* p : {first, neighbours, value, out}) cudaFree(p);
}
