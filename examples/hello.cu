// Every thread prints its identity: blockIdx and threadIdx give each one its own global index.
//
//     warpwise run examples/hello.cu [blocks] [threads]
#include "common.h"

__global__ void hello(int* seen) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  printf("hello from block %d, thread %d: global index %d\n", int(blockIdx.x), int(threadIdx.x), index);
  seen[index] = index + 1;
}

int main(int argc, char** argv) {
  int blocks = argument(argc, argv, 1, 2), threads = argument(argc, argv, 2, 4);
  DeviceArray<int> seen(size_t(blocks) * threads);
  seen.clear();
  hello<<<blocks, threads>>>(seen.data);
  check_kernel();

  bool all = true;
  std::vector<int> host = seen.to_host();
  for (size_t i = 0; i < host.size(); ++i) all = all && host[i] == int(i) + 1;
  Verdict verdict;
  verdict.check("every thread spoke once", all);
  return verdict.finish("hello");
}
