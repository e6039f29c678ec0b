// Graphs: captured (with a fork and a join), built by hand, updated, cloned, with memory of their own; and the
// mistakes for which CUDA has codes.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* x, int value) { x[threadIdx.x] += value; }
__global__ void multiply(int* x, int value) { x[threadIdx.x] *= value; }
__global__ void sum(const int* a, const int* b, int* out) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int first(const int* device) {
  int value = -1;
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

void count(void* data) { ++*static_cast<int*>(data); }

void captured(int* a, int* b, int* c) {
  printf("--- captured\n");
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  int calls = 0, argument = 3;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(a, 0, 32 * sizeof(int), s);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  add<<<1, 32, 0, s>>>(a, argument);
  argument = 99;  // copied at the launch
  cudaMemsetAsync(b, 0, 32 * sizeof(int), t);
  add<<<1, 32, 0, t>>>(b, 5);
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join, 0);
  sum<<<1, 32, 0, s>>>(a, b, c);
  cudaLaunchHostFunc(s, count, &calls);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(t, &status);
  printf("the forked stream captures: %d\n", status);
  cudaGraph_t graph;
  SAY(cudaStreamEndCapture(s, &graph));
  size_t nodes = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
#if CUDART_VERSION >= 13000
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
#else
  cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
#endif
  printf("%zu nodes, %zu edges; nothing has run: %d calls\n", nodes, edges, calls);
  cudaGraphExec_t exec;
  SAY(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("c = %d, %d calls\n", first(c), calls);

  // The same shape with another argument: an update, no new instantiation.
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  cudaMemsetAsync(a, 0, 32 * sizeof(int), s);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  add<<<1, 32, 0, s>>>(a, 30);
  cudaMemsetAsync(b, 0, 32 * sizeof(int), t);
  add<<<1, 32, 0, t>>>(b, 50);
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join, 0);
  sum<<<1, 32, 0, s>>>(a, b, c);
  cudaLaunchHostFunc(s, count, &calls);
  cudaGraph_t other;
  cudaStreamEndCapture(s, &other);
  cudaGraphExecUpdateResultInfo info;
  SAY(cudaGraphExecUpdate(exec, other, &info));
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("c = %d, %d calls\n", first(c), calls);
  cudaGraph_t empty;
  cudaGraphCreate(&empty, 0);
  SAY(cudaGraphExecUpdate(exec, empty, &info));
  printf("result %d\n", info.result);

  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaGraphDestroy(other);
  SAY(cudaGraphDestroy(graph));
  SAY(cudaGraphLaunch(exec, s));
}

void mistakes(int* a) {
  printf("--- mistakes\n");
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaGraph_t graph;
  SAY(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamEndCapture(s, &graph));
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamSynchronize(s));
  SAY(cudaMemsetAsync(a, 0, 4, s));
  SAY(cudaStreamEndCapture(s, &graph));
  printf("no graph: %d\n", graph == nullptr);

  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  void* p = nullptr;
  SAY(cudaMalloc(&p, 64));
  SAY(cudaStreamEndCapture(s, &graph));
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  SAY(cudaMalloc(&p, 64));
  SAY(cudaMemset(a, 0, 4));  // the legacy stream
  SAY(cudaStreamEndCapture(s, &graph));

  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  cudaEventRecord(event, s);
  SAY(cudaStreamWaitEvent(t, event, 0));
  cudaMemsetAsync(a, 0, 4, t);
  SAY(cudaStreamEndCapture(t, &graph));
  SAY(cudaStreamEndCapture(s, &graph));
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  cudaEventRecord(event, s);
  cudaStreamWaitEvent(t, event, 0);
  cudaMemsetAsync(a, 0, 4, t);
  SAY(cudaStreamEndCapture(s, &graph));
  SAY(cudaEventQuery(event));  // of a capture that is over
  cudaGetLastError();
}

void by_hand(int* a, int* b) {
  printf("--- by hand\n");
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  int host[32], back[32], calls = 0;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaGraphNode_t in, fill, kernel, out, call, bad;
  SAY(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, a, host, sizeof host, cudaMemcpyHostToDevice));
  int value = 7;
  void* arguments[] = {&a, &value};
  cudaKernelNodeParams params = {};
  params.func = (void*)multiply;
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  SAY(cudaGraphAddKernelNode(&kernel, graph, &in, 1, &params));
  cudaMemsetParams set = {};
  set.dst = b;
  set.value = 0x01020304;
  set.elementSize = 4;
  set.width = 32;
  set.height = 1;
  SAY(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  SAY(cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, back, a, sizeof back, cudaMemcpyDeviceToHost));
  cudaHostNodeParams host_node = {count, &calls};
  SAY(cudaGraphAddHostNode(&call, graph, &out, 1, &host_node));
  cudaGraphNode_t twice[] = {in, in};
  SAY(cudaGraphAddEmptyNode(&bad, graph, twice, 2));
  params.gridDim = dim3(0);
  SAY(cudaGraphAddKernelNode(&bad, graph, nullptr, 0, &params));
  params.gridDim = dim3(1);

  cudaGraph_t clone;
  cudaGraphClone(&clone, graph);
  cudaGraphNode_t kernel_in_clone;
  cudaGraphNodeFindInClone(&kernel_in_clone, kernel, clone);
  value = 11;
  cudaGraphKernelNodeSetParams(kernel_in_clone, &params);
  cudaKernelNodeParams read;
  cudaGraphKernelNodeGetParams(kernel, &read);
  printf("the original multiplies by %d\n", *static_cast<int*>(read.kernelParams[1]));

  cudaGraphExec_t exec, exec_of_clone;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphInstantiate(&exec_of_clone, clone, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf("%d, %x, %d calls\n", back[5], first(b), calls);
  cudaGraphLaunch(exec_of_clone, 0);
  cudaDeviceSynchronize();
  printf("%d\n", back[5]);
  value = 2;
  SAY(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  SAY(cudaGraphNodeSetEnabled(exec, fill, 0));
  cudaMemset(b, 0, 4);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf("%d, %x\n", back[5], first(b));

  // A graph in a graph, and a cycle.
  cudaGraph_t outer;
  cudaGraphCreate(&outer, 0);
  cudaGraphNode_t child, after;
  SAY(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  value = 100;
  void* more[] = {&a, &value};
  params.func = (void*)add;
  params.kernelParams = more;
  SAY(cudaGraphAddKernelNode(&after, outer, &child, 1, &params));
  cudaGraphExec_t outer_exec;
  cudaGraphInstantiate(&outer_exec, outer, 0);
  cudaGraphLaunch(outer_exec, 0);
  cudaDeviceSynchronize();
  printf("%d\n", first(a + 5));
#if CUDART_VERSION >= 13000
  cudaGraphAddDependencies(outer, &after, &child, nullptr, 1);
#else
  cudaGraphAddDependencies(outer, &after, &child, 1);
#endif
  SAY(cudaGraphInstantiate(&outer_exec, outer, 0));
}

void memory() {
  printf("--- memory\n");
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  int* p = nullptr;
  SAY(cudaMallocAsync((void**)&p, 32 * sizeof(int), s));
  cudaMemsetAsync(p, 0, 32 * sizeof(int), s);
  add<<<1, 32, 0, s>>>(p, 4);
  cudaGraph_t graph;
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  SAY(cudaGraphLaunch(exec, s));
  cudaStreamSynchronize(s);
  printf("%d\n", first(p));
  SAY(cudaGraphLaunch(exec, s));  // the memory is still in use
  SAY(cudaFreeAsync(p, s));
  SAY(cudaGraphLaunch(exec, s));
  SAY(cudaFree(p));
}

// A copy from or to memory that CUDA does not know has run when the launch returns, as on a stream.
void pageable(int* a) {
  printf("--- pageable\n");
  int from[32], to[32] = {};
  for (int& x : from) x = 20;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t in, kernel, out;
  cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, a, from, sizeof from, cudaMemcpyHostToDevice);
  int value = 3;
  void* arguments[] = {&a, &value};
  cudaKernelNodeParams params{};
  params.func = (void*)add;
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, &in, 1, &params);
  cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, to, a, sizeof to, cudaMemcpyDeviceToHost);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraphLaunch(exec, s);
  const int first = to[0];
  for (int& x : from) x = 30;
  cudaGraphLaunch(exec, s);
  for (int& x : from) x = 40;
  printf("%d %d\n", first, to[31]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
}

int main() {
  int *a, *b, *c;
  cudaMalloc(&a, 32 * sizeof(int));
  cudaMalloc(&b, 32 * sizeof(int));
  cudaMalloc(&c, 32 * sizeof(int));
  captured(a, b, c);
  mistakes(a);
  by_hand(a, b);
  memory();
  pageable(a);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
