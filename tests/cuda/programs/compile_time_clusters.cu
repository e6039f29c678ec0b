// Kernels with compile-time cluster dimensions (__cluster_dims__): launched with <<<>>>, as templates and through a
// graph; and a launch
// that asks for the same by an attribute.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

#define ROWS 2

namespace cg = cooperative_groups;

// Each block gives its number to its neighbour in the cluster.
__device__ void exchange(int* out) {
  __shared__ int mine;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = blockIdx.x + 10 * blockIdx.y;
  cluster.sync();
  if (threadIdx.x == 0)
    out[blockIdx.y * gridDim.x + blockIdx.x] =
        1000 * cluster.num_blocks() + *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % cluster.num_blocks());
  cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) four(int* out) { exchange(out); }
__global__ void __cluster_dims__(ROWS, ROWS) __launch_bounds__(64) square(int* out) { exchange(out); }
template <class T>
__global__ __cluster_dims__(2) void pairs(T* out) { exchange(out); }
__global__ void alone(int* out) { exchange(out); }

static void show(const char* name, int* device, int count) {
  int host[16];
  cudaMemcpy(host, device, sizeof(int) * count, cudaMemcpyDeviceToHost);
  printf("%s:", name);
  for (int i = 0; i < count; ++i) printf(" %d", host[i]);
  printf("  %s\n", cudaGetErrorName(cudaGetLastError()));
}

int main() {
  int* out;
  cudaMalloc(&out, 64);
  four<<<8, 32>>>(out);
  show("four", out, 8);
  square<<<dim3(4, 2), 64>>>(out);
  show("square", out, 8);
  pairs<int><<<4, 32>>>(out);
  show("pairs", out, 4);
  alone<<<4, 32>>>(out);
  show("alone", out, 4);

  four<<<6, 32>>>(out);  // no whole clusters
  printf("six blocks: %s\n", cudaGetErrorName(cudaGetLastError()));

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  four<<<4, 32, 0, stream>>>(out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaMemset(out, 0, 64);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  show("graph", out, 4);

  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4, config.blockDim = 32;
  config.attrs = &attribute, config.numAttrs = 1;
  cudaLaunchKernelEx(&config, alone, out);
  show("attribute", out, 4);
}
