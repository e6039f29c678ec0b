// Launches of one executable graph follow each other, in whatever streams, and events take others along.
// clean
__global__ void add(int* x) { x[threadIdx.x] += 1; }

int main() {
  int *x, *y;
  cudaMalloc(&x, 32 * sizeof(int)), cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int)), cudaMemset(y, 0, 32 * sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t one, other;
  cudaGraphCreate(&graph, 0);
  void *first[] = {&x}, *second[] = {&y};
  cudaKernelNodeParams run = {};
  run.func = (void*)add, run.gridDim = 1, run.blockDim = 32, run.kernelParams = first;
  cudaGraphAddKernelNode(&one, graph, nullptr, 0, &run);
  run.kernelParams = second;
  cudaGraphAddKernelNode(&other, graph, nullptr, 0, &run);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t a, b;
  cudaEvent_t done;
  cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&done);
  cudaGraphLaunch(exec, a);
  cudaEventRecord(done, a);
  cudaStreamWaitEvent(b, done, 0);
  add<<<1, 32, 0, b>>>(x);
  add<<<1, 32, 0, b>>>(y);
  cudaGraphLaunch(exec, b);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaEventDestroy(done), cudaStreamDestroy(a), cudaStreamDestroy(b), cudaFree(x), cudaFree(y);
}
