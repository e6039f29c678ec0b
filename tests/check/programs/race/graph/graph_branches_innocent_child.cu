// A child graph between two nodes that use its memory, with an empty one behind it.
// clean
__global__ void fill(int* x, int v) { x[threadIdx.x] = v; }

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaGraph_t graph, part, nothing;
  cudaGraphExec_t exec;
  cudaGraphNode_t inside, before, child, empty, behind;
  cudaGraphCreate(&graph, 0), cudaGraphCreate(&part, 0), cudaGraphCreate(&nothing, 0);
  int value = 1;
  void* arguments[] = {&x, &value};
  cudaKernelNodeParams run = {};
  run.func = (void*)fill, run.gridDim = 1, run.blockDim = 32, run.kernelParams = arguments;
  cudaGraphAddKernelNode(&inside, part, nullptr, 0, &run);
  cudaGraphAddKernelNode(&before, graph, nullptr, 0, &run);
  cudaGraphAddChildGraphNode(&child, graph, &before, 1, part);
  cudaGraphAddChildGraphNode(&empty, graph, &child, 1, nothing);
  cudaGraphAddKernelNode(&behind, graph, &empty, 1, &run);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec), cudaGraphDestroy(nothing), cudaGraphDestroy(part), cudaGraphDestroy(graph), cudaFree(x);
}
