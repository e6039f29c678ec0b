// What stands in a child graph depends on what its node depends on, and on nothing else.
__global__ void fill(int* x, int v) { x[threadIdx.x] = v; }  // finds C0204

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaGraph_t graph, part;
  cudaGraphExec_t exec;
  cudaGraphNode_t inside, child, beside;
  cudaGraphCreate(&graph, 0), cudaGraphCreate(&part, 0);
  int value = 1;
  void* arguments[] = {&x, &value};
  cudaKernelNodeParams run = {};
  run.func = (void*)fill, run.gridDim = 1, run.blockDim = 32, run.kernelParams = arguments;
  cudaGraphAddKernelNode(&inside, part, nullptr, 0, &run);
  value = 2;
  cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, part);
  cudaGraphAddKernelNode(&beside, graph, nullptr, 0, &run);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec), cudaGraphDestroy(part), cudaGraphDestroy(graph), cudaFree(x);
}
