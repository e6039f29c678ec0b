// Functions: their attributes, names and parameters. CUfunction, CUkernel and the runtime's cudaKernel_t are one type.
#include <algorithm>

#include "cuda/driver/call.h"
#include "cuda/driver/devices.h"
#include "cuda/driver/launch_config.h"
#include "cuda/runtime/module/launch.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

cudaError_t read_attribute(int* value, CUfunction_attribute attribute, const void* function) {
  CUDA_TRY(check_out(value));
  cudaFuncAttributes attributes;
  CUDA_TRY(cudaFuncGetAttributes(&attributes, function));
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = attributes.maxThreadsPerBlock;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(attributes.sharedSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(attributes.constSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(attributes.localSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = attributes.numRegs;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = attributes.ptxVersion;
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = attributes.binaryVersion;
      break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = attributes.cacheModeCA;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = attributes.maxDynamicSharedSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = attributes.preferredShmemCarveout;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      *value = attributes.clusterDimMustBeSet;
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      *value = attributes.requiredClusterWidth;
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      *value = attributes.requiredClusterHeight;
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      *value = attributes.requiredClusterDepth;
      break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      *value = attributes.nonPortableClusterSizeAllowed;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      *value = attributes.clusterSchedulingPolicyPreference;
      break;
    default:
      return fail(cudaErrorInvalidValue, "there is no attribute {}", static_cast<int>(attribute));
  }
  return cudaSuccess;
}

// Both APIs use the same numbers for the attributes that can be set.
cudaError_t write_attribute(const void* function, CUfunction_attribute attribute, int value) {
  return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value);
}

cudaError_t find_info(Process& process, device::Device& gpu, const void* function, const device::KernelInfo** info) {
  Kernel* kernel = nullptr;
  device::KernelId id = 0;
  CUDA_TRY(find_kernel(process, gpu, function, &kernel, &id));
  *info = &gpu.kernel_info(id);
  return cudaSuccess;
}

CUresult parameter_info(const char* name, const void* function, size_t index, size_t* offset, size_t* size) {
  return forward(name, [&] { return cudaFuncGetParamInfo(function, index, offset, size); });
}

}  // namespace

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return forward("cuFuncGetAttribute", [&] { return read_attribute(value, attribute, function); });
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return forward("cuFuncSetAttribute", [&] { return write_attribute(function, attribute, value); });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return forward("cuFuncSetCacheConfig",
                 [&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return forward("cuFuncSetSharedMemConfig",
                 [&] { return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)); });
}
CUresult cuFuncGetName(const char** name, CUfunction function) {
  return forward("cuFuncGetName", [&] { return cudaFuncGetName(name, function); });
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  return parameter_info("cuFuncGetParamInfo", function, index, offset, size);
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return call("cuFuncGetModule", Needs::Context, [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_out(module));
    Kernel* kernel = process.modules.find_kernel(function);
    if (!kernel) return fail(cudaErrorInvalidResourceHandle, "not a function of a module");
    *module = reinterpret_cast<CUmodule>(kernel->module);
    return cudaSuccess;
  });
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return call("cuFuncIsLoaded", Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(state));
    const device::KernelInfo* info = nullptr;
    CUDA_TRY(find_info(process, gpu, function, &info));
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return cudaSuccess;
  });
}
CUresult cuFuncLoad(CUfunction function) {
  return call("cuFuncLoad", Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t {
    const device::KernelInfo* info = nullptr;
    return find_info(process, gpu, function, &info);
  });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  return call("cuKernelGetAttribute", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_device(device));
    return read_attribute(value, attribute, kernel);
  });
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  return call("cuKernelSetAttribute", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_device(device));
    return write_attribute(kernel, attribute, value);
  });
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return call("cuKernelSetCacheConfig", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_device(device));
    return cudaFuncSetCacheConfig(kernel, static_cast<cudaFuncCache>(config));
  });
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  return parameter_info("cuKernelGetParamInfo", kernel, index, offset, size);
}

// --- occupancy ----------------------------------------------------------------------------------------
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads, size_t shared) {
  return forward("cuOccupancyMaxActiveBlocksPerMultiprocessor",
                 [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared); });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              size_t shared, unsigned flags) {
  return forward("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags);
  });
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks, int threads) {
  return forward("cuOccupancyAvailableDynamicSMemPerBlock",
                 [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads); });
}

namespace {

// Of the block sizes that are multiples of a warp, the largest of those that fill a multiprocessor best.
cudaError_t best_block(Process& process, device::Device& gpu, int* grid, int* block, CUfunction function,
                       CUoccupancyB2DSize shared_of, size_t shared, int limit) {
  if (!grid || !block) return fail(cudaErrorInvalidValue, "a result pointer is null");
  if (limit < 0) return fail(cudaErrorInvalidValue, "a limit of {} threads", limit);
  const device::KernelInfo* info = nullptr;
  CUDA_TRY(find_info(process, gpu, function, &info));
  int most = static_cast<int>(info->max_threads_per_block);
  if (limit) most = std::min(most, limit);
  constexpr int kWarp = static_cast<int>(device::Properties::kWarpSize);
  int best_threads = 0, best_blocks = 0;
  *block = 0;
  for (int threads = (most + kWarp - 1) / kWarp * kWarp; threads > 0; threads -= kWarp) {
    int tried = std::min(threads, most), blocks = 0;
    CUDA_TRY(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, tried, shared_of ? shared_of(tried) : shared));
    if (blocks * tried <= best_threads) continue;
    best_threads = blocks * tried;
    best_blocks = blocks;
    *block = tried;
    if (best_threads >= static_cast<int>(gpu.properties().threads_per_sm)) break;
  }
  *grid = best_blocks * static_cast<int>(gpu.properties().sm_count);
  return cudaSuccess;
}

}  // namespace

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t shared, int limit,
                                                   unsigned flags) {
  return call("cuOccupancyMaxPotentialBlockSize", Needs::Context,
              [&](Process& process, device::Device& gpu) -> cudaError_t {
                if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
                  return fail(cudaErrorInvalidValue, "flags {:#x}", flags);
                return best_block(process, gpu, grid, block, function, shared_of, shared, limit);
              });
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          size_t shared, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared, limit, 0);
}

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
  return forward("cuOccupancyMaxPotentialClusterSize", [&]() -> cudaError_t {
    CUDA_TRY(check_out(config));
    cudaLaunchConfig_t same = runtime_config(*config);
    return cudaOccupancyMaxPotentialClusterSize(size, function, &same);
  });
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config) {
  return forward("cuOccupancyMaxActiveClusters", [&]() -> cudaError_t {
    CUDA_TRY(check_out(config));
    cudaLaunchConfig_t same = runtime_config(*config);
    return cudaOccupancyMaxActiveClusters(clusters, function, &same);
  });
}
