// Streams that wait for a value in memory (cuStreamWaitValue32 and its family): other streams continue meanwhile, any
// writer of the value releases
// them, and work that waits for such a stream waits, too. Graph nodes that do the same.
#include <cuda.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

// Appends a letter to the log: the order in which kernels ran.
__global__ void say(char* log, int* length, char letter) { log[(*length)++] = letter; }
__global__ void set(unsigned* word, unsigned value) { *word = value; }
__global__ void sum_up(const int* values, int n, int* sum) {
  *sum = 0;
  for (int i = 0; i < n; ++i) *sum += values[i];
}

static char* text;
static int* length;
static void show(const char* what) {
  cuCtxSynchronize();
  text[*length] = 0;
  printf("%s: %s\n", what, text);
  *length = 0;
}
static const char* name(CUresult result) {
  const char* said = "?";
  cuGetErrorName(result, &said);
  return said;
}
static CUdeviceptr at(void* p) { return reinterpret_cast<CUdeviceptr>(p); }

int main() {
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  int wide = 0, nor = 0;
  cuDeviceGetAttribute(&wide, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, device);
  cuDeviceGetAttribute(&nor, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, device);
  printf("64 bits: %d, nor: %d\n", wide, nor);

  unsigned *flag, *host_flag;
  cudaMallocHost(&text, 64);
  cudaMallocHost(&length, sizeof(int));
  cudaMallocHost(&host_flag, 64);
  cudaMalloc(&flag, 64);
  cudaMemset(flag, 0, 64);
  *length = 0, *host_flag = 0;
  cudaStream_t a, b, c, blocking;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaDeviceSynchronize();

  cuStreamWaitValue32(a, at(flag), 1, CU_STREAM_WAIT_VALUE_GEQ);
  say<<<1, 1, 0, a>>>(text, length, 'a');
  say<<<1, 1, 0, b>>>(text, length, 'b');
  cuStreamWriteValue32(b, at(flag), 1, CU_STREAM_WRITE_VALUE_DEFAULT);
  show("a write of another stream");

  cuStreamWaitValue32(a, at(flag), 2, CU_STREAM_WAIT_VALUE_EQ);
  say<<<1, 1, 0, a>>>(text, length, 'a');
  say<<<1, 1, 0, b>>>(text, length, 'b');
  set<<<1, 1, 0, b>>>(flag, 2);
  show("a write of a kernel");

  unsigned three = 3;
  cuStreamWaitValue32(a, at(flag), 3, CU_STREAM_WAIT_VALUE_EQ);
  say<<<1, 1, 0, a>>>(text, length, 'a');
  say<<<1, 1, 0, b>>>(text, length, 'b');
  cuMemcpyHtoDAsync(at(flag), &three, 4, b);
  show("a copy");

  // The host itself, from another thread, while this one waits.
  cuStreamWaitValue32(a, at(host_flag), 1, CU_STREAM_WAIT_VALUE_GEQ);
  say<<<1, 1, 0, a>>>(text, length, 'a');
  std::atomic<bool> written{false};
  std::thread other([&] {
    cuCtxSetCurrent(context);
    say<<<1, 1, 0, b>>>(text, length, 'b');
    cudaStreamSynchronize(b);  // the other thread's wait does not stop this one
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    written = true;
    *static_cast<volatile unsigned*>(host_flag) = 1;
  });
  const CUresult waited = cuStreamSynchronize(a);
  printf("%s behind the write: %d\n", name(waited), written.load());
  other.join();
  show("a thread of the host");

  // ... and from this thread, which queries meanwhile. The work continues although the host does not wait for it.
  cuStreamWaitValue32(a, at(host_flag), 2, CU_STREAM_WAIT_VALUE_GEQ);
  say<<<1, 1, 0, a>>>(text, length, 'a');
  printf("%s\n", name(cuStreamQuery(a)));
  *static_cast<volatile unsigned*>(host_flag) = 2;
  CUresult ready;
  while ((ready = cuStreamQuery(a)) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
  printf("%s\n", name(ready));
  show("asked for");

  // What waits for the stream waits, too: an event's waiters, and the default stream for blocking streams; other
  // streams continue.
  cudaEvent_t event;
  cudaEventCreate(&event);
  cuStreamWaitValue32(blocking, at(flag), 10, CU_STREAM_WAIT_VALUE_GEQ);
  say<<<1, 1, 0, blocking>>>(text, length, 'k');
  cudaEventRecord(event, blocking);
  cudaStreamWaitEvent(a, event, 0);
  say<<<1, 1, 0, a>>>(text, length, 'a');
  say<<<1, 1>>>(text, length, '0');
  say<<<1, 1, 0, b>>>(text, length, 'b');
  printf("%s %s\n", name(cuStreamSynchronize(b)), name(cuEventQuery(event)));
  cuStreamWriteValue32(c, at(flag), 10, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER);
  printf("%s\n", name(cuEventSynchronize(event)));
  show("events and the default stream");
  cuStreamWaitValue32(nullptr, at(flag), 11, CU_STREAM_WAIT_VALUE_GEQ);
  say<<<1, 1>>>(text, length, '0');
  say<<<1, 1, 0, blocking>>>(text, length, 'k');
  say<<<1, 1, 0, c>>>(text, length, 'c');
  cuStreamWriteValue32(c, at(flag), 11, 0);
  show("the default stream waits");

  // The comparisons. Only the last of the writes releases each wait.
  struct Case { const char* what; unsigned flags; unsigned long long value, writes[3]; bool wide; };
  const Case cases[] = {
      {"at least, around the end", CU_STREAM_WAIT_VALUE_GEQ, 2, {0xfffffff0u, 1, 0x80000001u}, false},
      {"at least, 64 bits", CU_STREAM_WAIT_VALUE_GEQ, 1ull << 40, {5, 1ull << 39, (1ull << 40) + 1}, true},
      {"equal, 64 bits", CU_STREAM_WAIT_VALUE_EQ, 7ull << 33, {7, 1ull << 33, 7ull << 33}, true},
      {"and", CU_STREAM_WAIT_VALUE_AND, 6, {1, 8, 10}, false},
      {"nor", CU_STREAM_WAIT_VALUE_NOR, ~0u ^ 4u, {~0u, 4, ~0u ^ 4u}, false},
  };
  for (const Case& c : cases) {
    cuStreamWriteValue64(b, at(flag + 2), c.wide ? 0 : c.flags == CU_STREAM_WAIT_VALUE_NOR ? ~0ull : 0xffffffff00000000ull, 0);
    if (c.flags == CU_STREAM_WAIT_VALUE_GEQ && !c.wide) cuStreamWriteValue32(b, at(flag + 2), 0x90000000u, 0);
    cudaStreamSynchronize(b);
    if (c.wide) cuStreamWaitValue64(a, at(flag + 2), c.value, c.flags);
    else cuStreamWaitValue32(a, at(flag + 2), static_cast<unsigned>(c.value), c.flags);
    say<<<1, 1, 0, a>>>(text, length, 'a');
    for (int i = 0; i < 3; ++i) {
      if (c.wide) cuStreamWriteValue64(b, at(flag + 2), c.writes[i], 0);
      else cuStreamWriteValue32(b, at(flag + 2), static_cast<unsigned>(c.writes[i]), 0);
      say<<<1, 1, 0, b>>>(text, length, '1' + i);
    }
    show(c.what);
  }

  // Several operations at once.
  CUstreamBatchMemOpParams operations[4] = {};
  operations[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, at(flag + 4), {20}, 0, 0};
  operations[1].memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, CU_STREAM_MEMORY_BARRIER_TYPE_GPU};
  operations[2].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, at(flag + 5), {21}, CU_STREAM_WAIT_VALUE_EQ, 0};
  operations[3].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, at(flag + 4), {22}, 0, 0};
  printf("%s\n", name(cuStreamBatchMemOp(a, 4, operations, 0)));
  cuStreamWaitValue32(b, at(flag + 4), 20, CU_STREAM_WAIT_VALUE_EQ);
  say<<<1, 1, 0, b>>>(text, length, 'b');
  cuStreamWriteValue32(b, at(flag + 5), 21, 0);
  cuStreamWaitValue32(c, at(flag + 4), 22, CU_STREAM_WAIT_VALUE_EQ);
  say<<<1, 1, 0, c>>>(text, length, 'c');
  show("to and fro");

  // Memory that is freed in the order of a waiting stream stays valid until the stream continues.
  int *values, *sum;
  cudaMallocHost(&sum, sizeof(int));
  cudaMallocAsync(&values, 1000 * sizeof(int), b);
  cudaMemsetAsync(values, 1, 1000 * sizeof(int), b);
  cudaStreamSynchronize(b);
  cuStreamWaitValue32(a, at(flag), 30, CU_STREAM_WAIT_VALUE_GEQ);
  sum_up<<<1, 1, 0, a>>>(values, 1000, sum);
  cudaFreeAsync(values, a);
  int* more;
  cudaMalloc(&more, 1000 * sizeof(int));
  cudaMemsetAsync(more, 0, 1000 * sizeof(int), b);
  cuStreamWriteValue32(b, at(flag), 30, 0);
  cudaStreamSynchronize(a);
  printf("freed behind: %d\n", static_cast<unsigned>(*sum) == 1000u * 0x01010101u);

  // Graphs: a branch that waits for another one, and a captured wait.
  CUgraph graph;
  CUgraphNode waits, writes, first;
  CUgraphExec exec;
  cuGraphCreate(&graph, 0);
  CUDA_BATCH_MEM_OP_NODE_PARAMS params{context, 1, operations, 0};
  operations[0].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, at(flag + 6), {1}, CU_STREAM_WAIT_VALUE_EQ, 0};
  printf("%s", name(cuGraphAddBatchMemOpNode(&waits, graph, nullptr, 0, &params)));
  char letter = 'w';
  void* arguments[] = {&text, &length, &letter};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(say), kernel.gridDim = kernel.blockDim = dim3(1), kernel.kernelParams = arguments;
  CUgraphNode behind;
  cudaGraphAddKernelNode(&behind, graph, &waits, 1, &kernel);
  letter = 'f';
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel);
  operations[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, at(flag + 6), {1}, 0, 0};
  CUgraphNodeParams any{};
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  any.memOp.ctx = context, any.memOp.count = 1, any.memOp.paramArray = operations;
#if CUDA_VERSION >= 13000
  printf(" %s", name(cuGraphAddNode(&writes, graph, &first, nullptr, 1, &any)));
#else
  printf(" %s", name(cuGraphAddNode(&writes, graph, &first, 1, &any)));
#endif
  CUgraphNodeType type;
  cuGraphNodeGetType(writes, &type);
  CUDA_BATCH_MEM_OP_NODE_PARAMS asked{};
  cuGraphBatchMemOpNodeGetParams(waits, &asked);
  printf(" %d %d %u %d\n", type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, asked.count, asked.paramArray[0].waitValue.value,
         asked.paramArray[0].operation == CU_STREAM_MEM_OP_WAIT_VALUE_32);
  cuGraphInstantiate(&exec, graph, 0);
  cuGraphLaunch(exec, a);
  show("a graph's branches");
  operations[1].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, at(flag + 7), {5}, CU_STREAM_WAIT_VALUE_EQ, 0};
  params.paramArray = operations + 1;
  printf("%s\n", name(cuGraphExecBatchMemOpNodeSetParams(exec, waits, &params)));
  cuGraphLaunch(exec, a);
  say<<<1, 1, 0, b>>>(text, length, 'b');
  cuStreamWriteValue32(b, at(flag + 7), 5, 0);
  show("with another word");
  cuGraphExecDestroy(exec), cuGraphDestroy(graph);

  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  cuStreamWaitValue32(a, at(flag + 7), 6, CU_STREAM_WAIT_VALUE_GEQ);
  say<<<1, 1, 0, a>>>(text, length, 'a');
  cuStreamWriteValue64(a, at(flag + 8), 77, 0);
  cudaStreamEndCapture(a, &graph);
  size_t count = 3;
  CUgraphNode nodes[3];
  cuGraphGetNodes(graph, nodes, &count);
  cuGraphBatchMemOpNodeGetParams(nodes[0], &asked);
  printf("%zu nodes; %u >= %u\n", count, asked.paramArray[0].waitValue.value, asked.paramArray[0].waitValue.flags);
  cuGraphInstantiate(&exec, graph, 0);
  cuGraphLaunch(exec, c);
  cuStreamWriteValue32(b, at(flag + 7), 6, 0);
  show("captured");
  unsigned long long written64 = 0;
  cudaMemcpy(&written64, flag + 8, 8, cudaMemcpyDeviceToHost);
  printf("%llu\n", written64);

  // Wrong calls.
  printf("%s %s %s %s\n", name(cuStreamWaitValue32(a, 0, 1, 0)), name(cuStreamWaitValue32(a, at(flag) + 2, 1, 0)),
         name(cuStreamWaitValue64(a, at(flag) + 4, 1, 0)), name(cuStreamWaitValue32(a, at(flag), 1, 4)));
  printf("%s %s %s\n", name(cuStreamWriteValue32(a, at(flag), 1, 2)), name(cuStreamBatchMemOp(a, 257, operations, 0)),
         name(cuStreamBatchMemOp(a, 1, operations, 1)));
  operations[0].operation = static_cast<CUstreamBatchMemOpType>(99);
  printf("%s %s %s\n", name(cuStreamBatchMemOp(a, 1, operations, 0)), name(cuStreamBatchMemOp(a, 1, nullptr, 0)), name(cuStreamBatchMemOp(a, 0, nullptr, 0)));
  operations[0].flushRemoteWrites = {CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES, 0};
  printf("%s %s\n", name(cuStreamBatchMemOp(a, 1, operations, 0)), name(cuStreamWaitValue32(a, at(flag), 1, CU_STREAM_WAIT_VALUE_FLUSH)));
  printf("%s\n", name(cuGraphBatchMemOpNodeSetParams(nodes[1], &params)));

  // The end of a program does not wait for a value that is never written.
  cuStreamWaitValue32(a, at(flag), 1000, CU_STREAM_WAIT_VALUE_EQ);
  say<<<1, 1, 0, a>>>(text, length, 'x');
}
