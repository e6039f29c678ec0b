// A graph's kernel is under way, too, until the host has waited.
__global__ void fill(int* out) { out[threadIdx.x] = 1; }  // finds C0205

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<<<1, 32, 0, stream>>>(out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  int first = out[0];  // finds C0205
  cudaStreamSynchronize(stream);
  first += out[1];
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(stream), cudaFree(out);
  return first > 2;
}
