// A graph made by hand: the kernel reads what a fill sets that it does not depend on.
__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }  // finds C0204

int main() {
  int *from, *to;
  cudaMalloc(&from, 32 * sizeof(int)), cudaMalloc(&to, 32 * sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, kernel;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams set = {};
  set.dst = from, set.elementSize = 4, set.width = 32, set.height = 1;
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set);
  void* arguments[] = {&from, &to};
  cudaKernelNodeParams run = {};
  run.func = (void*)copy, run.gridDim = 1, run.blockDim = 32, run.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &run);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);  // finds C0204
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaFree(from), cudaFree(to);
}
