// Two branches that join, and what follows the graph in its stream.
// clean
__global__ void fill(int* x, int v) { x[threadIdx.x] = v; }
__global__ void sum(const int* a, const int* b, int* out) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

int main() {
  int *x, *y, *out;
  cudaMalloc(&x, 32 * sizeof(int)), cudaMalloc(&y, 32 * sizeof(int)), cudaMalloc(&out, 32 * sizeof(int));
  cudaStream_t a, b;
  cudaEvent_t fork, join;
  cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&fork), cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  fill<<<1, 32, 0, a>>>(out, 0);
  cudaEventRecord(fork, a);
  cudaStreamWaitEvent(b, fork, 0);
  fill<<<1, 32, 0, a>>>(x, 1);
  fill<<<1, 32, 0, b>>>(y, 2);
  cudaEventRecord(join, b);
  cudaStreamWaitEvent(a, join, 0);
  sum<<<1, 32, 0, a>>>(x, y, out);
  cudaStreamEndCapture(a, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int round = 0; round < 3; ++round) {
    cudaGraphLaunch(exec, a);
    sum<<<1, 32, 0, a>>>(x, y, out);
  }
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaEventDestroy(fork), cudaEventDestroy(join);
  cudaStreamDestroy(a), cudaStreamDestroy(b), cudaFree(x), cudaFree(y), cudaFree(out);
}
