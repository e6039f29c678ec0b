// clean: each vertex pulls from its neighbours
__global__ void k(const int* first, const int* neighbours, const int* value, int* out, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int sum = 0;
  for (int e = first[v]; e < first[v + 1]; ++e) sum += value[neighbours[e]];
  out[v] = sum;
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
  k<<<2, 2>>>(first, neighbours, value, out, 4);
  cudaDeviceSynchronize();
  for (int* p : {first, neighbours, value, out}) cudaFree(p);
}
