// A graph that has been instantiated has not run, and one that has been waited for is over.
// clean
__global__ void add(int* out, const int* in) { out[threadIdx.x] += in[threadIdx.x]; }

int main() {
  int *out, *in;
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaMallocManaged(&in, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, stream>>>(out, in);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 32; ++i) in[i] = i, out[i] += round;
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
  }
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(stream), cudaFree(out), cudaFree(in);
}
