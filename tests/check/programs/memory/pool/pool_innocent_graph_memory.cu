// A graph's memory lives as long as the graph says, at each launch; the program frees the other piece behind it.
// clean
__global__ void add(int* x, int v) { x[threadIdx.x] += v; }

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int *inside, *kept;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&inside, 32 * sizeof(int), s);
  cudaMallocAsync(&kept, 32 * sizeof(int), s);
  cudaMemsetAsync(inside, 0, 32 * sizeof(int), s);
  cudaMemsetAsync(kept, 0, 32 * sizeof(int), s);
  add<<<1, 32, 0, s>>>(inside, 1);
  cudaFreeAsync(inside, s);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int round = 0; round < 3; ++round) {
    cudaGraphLaunch(exec, s);
    add<<<1, 32, 0, s>>>(kept, 1);
    cudaFreeAsync(kept, s);
  }
  cudaError_t error = cudaStreamSynchronize(s);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(s);
  return error != cudaSuccess;
}
