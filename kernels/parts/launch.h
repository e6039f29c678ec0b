// Launching what the triple angle brackets cannot say: clusters, more than 48 KB of shared memory, as many blocks as
// are resident at once.
//
//     Launch how = persistent(kernel, threads, shared_bytes, cluster);   // fills the GPU once
//     how.together = true;                                               // blocks that wait for each other
//     run(kernel, how, arguments…);
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Launch {
  int blocks, threads, shared_bytes, cluster;
  bool together = false;
};

inline void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// As many blocks as run at the same time, in whole clusters, and no more than `most`.
template <class... Parameters>
Launch persistent(void (*kernel)(Parameters...), int threads, int shared_bytes, int cluster, long long most) {
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes), "shared memory");
  if (cluster > 8) must(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  int device = 0, processors = 0, each = 0, groups = 0;
  cudaGetDevice(&device);
  must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "processors");
  if (cluster == 1) {
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes), "occupancy");
    groups = processors * each;
  } else {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute size[1];
    size[0].id = cudaLaunchAttributeClusterDimension;
    size[0].val.clusterDim.x = unsigned(cluster), size[0].val.clusterDim.y = size[0].val.clusterDim.z = 1;
    config.gridDim = unsigned(cluster), config.blockDim = unsigned(threads), config.dynamicSmemBytes = shared_bytes;
    config.attrs = size, config.numAttrs = 1;
    must(cudaOccupancyMaxActiveClusters(&groups, kernel, &config), "clusters");
  }
  if (groups > most) groups = int(most);
  return {groups * cluster, threads, shared_bytes, cluster};
}

template <class... Parameters, class... Arguments>
void run(void (*kernel)(Parameters...), Launch how, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attributes[2];
  config.gridDim = unsigned(how.blocks), config.blockDim = unsigned(how.threads),
  config.dynamicSmemBytes = how.shared_bytes;
  config.attrs = attributes;
  if (how.cluster > 1) {
    cudaLaunchAttribute& size = attributes[config.numAttrs++];
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = unsigned(how.cluster), size.val.clusterDim.y = size.val.clusterDim.z = 1;
  }
  if (how.together) {
    cudaLaunchAttribute& cooperative = attributes[config.numAttrs++];
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
  }
  must(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "launch");
}
