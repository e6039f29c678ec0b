// A graph has given its memory back, and the next kernel of the stream uses it.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // finds C0103

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int* x;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&x, 32 * sizeof(int), s);
  cudaMemsetAsync(x, 0, 32 * sizeof(int), s);
  cudaFreeAsync(x, s);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  fill<<<1, 32, 0, s>>>(x);
  cudaError_t error = cudaStreamSynchronize(s);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(s);
  return error == cudaErrorInvalidValue;
}
