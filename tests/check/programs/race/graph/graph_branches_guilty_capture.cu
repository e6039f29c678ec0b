// Two branches of a captured graph write the same numbers: the fork is there, the join comes too late.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // finds C0204
__global__ void add(int* x) { x[threadIdx.x] += 2; }  // finds C0204

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  cudaStream_t a, b;
  cudaEvent_t fork, join;
  cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&fork), cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, a);
  cudaStreamWaitEvent(b, fork, 0);
  fill<<<1, 32, 0, a>>>(x);
  add<<<1, 32, 0, b>>>(x);
  cudaEventRecord(join, b);
  cudaStreamWaitEvent(a, join, 0);
  cudaStreamEndCapture(a, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaEventDestroy(fork), cudaEventDestroy(join);
  cudaStreamDestroy(a), cudaStreamDestroy(b), cudaFree(x);
}
