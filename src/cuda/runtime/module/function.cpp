// Kernels as objects: their attributes, names and parameters.
#include <algorithm>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/module/launch.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// Runs `body` with a kernel and its information.
template <class Body>
cudaError_t with_kernel(const char* function, const void* entry, Body&& body) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    Kernel* kernel = nullptr;
    device::KernelId id = 0;
    CUDA_TRY(find_kernel(process, gpu, entry, &kernel, &id));
    return body(gpu, *kernel, id, gpu.kernel_info(id));
  });
}

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return with_kernel(
      "cudaFuncGetAttributes", function,
      [&](device::Device& gpu, Kernel& kernel, device::KernelId, const device::KernelInfo& info) -> cudaError_t {
        if (!attributes) return fail(cudaErrorInvalidValue, "the pointer for the attributes is null");
        const device::Properties& properties = gpu.properties();
        *attributes = {};
        attributes->sharedSizeBytes = info.static_shared_bytes;
        attributes->constSizeBytes = info.const_bytes;
        attributes->localSizeBytes = info.local_bytes;
        attributes->maxThreadsPerBlock = static_cast<int>(info.max_threads_per_block);
        attributes->numRegs = static_cast<int>(info.registers);
        attributes->ptxVersion = static_cast<int>(info.sm);
        attributes->binaryVersion = static_cast<int>(properties.major * 10 + properties.minor);
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_shared(gpu, kernel, info));
        attributes->preferredShmemCarveout = kernel.carveout;
        attributes->nonPortableClusterSizeAllowed = kernel.non_portable_cluster;
        return cudaSuccess;
      });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(
      "cudaFuncSetAttribute", function,
      [&](device::Device& gpu, Kernel& kernel, device::KernelId id, const device::KernelInfo& info) -> cudaError_t {
        const device::Properties& properties = gpu.properties();
        switch (attribute) {
          case cudaFuncAttributeMaxDynamicSharedMemorySize: {
            int64_t most = int64_t{properties.shared_per_block_optin_bytes} - info.static_shared_bytes;
            if (value < 0 || value > most)
              return fail(cudaErrorInvalidValue,
                          "{} bytes of dynamic shared memory; the kernel may have {} beside its {} "
                          "static ones",
                          value, most, info.static_shared_bytes);
            CUDA_TRY(fail(gpu.allow_dynamic_shared(id, static_cast<uint32_t>(value))));
            kernel.module->update(kernel, [&](Kernel& k) { k.max_dynamic_shared = static_cast<uint32_t>(value); });
            return cudaSuccess;
          }
          case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < -1 || value > 100) return fail(cudaErrorInvalidValue, "a carve-out of {} percent", value);
            kernel.module->update(kernel, [&](Kernel& k) { k.carveout = value; });
            return cudaSuccess;
          case cudaFuncAttributeNonPortableClusterSizeAllowed:
            if (properties.major < 9) return fail(cudaErrorNotSupported, "clusters need compute capability 9.0");
            kernel.module->update(kernel, [&](Kernel& k) { k.non_portable_cluster = value != 0; });
            return cudaSuccess;
          case cudaFuncAttributeClusterSchedulingPolicyPreference:
            return cudaSuccess;
          case cudaFuncAttributeRequiredClusterWidth:
          case cudaFuncAttributeRequiredClusterHeight:
          case cudaFuncAttributeRequiredClusterDepth:
            return fail(cudaErrorNotSupported,
                        "required cluster sizes are set by __cluster_dims__ or at the launch only");
          default:
            return fail(cudaErrorInvalidValue, "{} cannot be set", static_cast<unsigned>(attribute));
        }
      });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
  return with_kernel("cudaFuncSetCacheConfig", function,
                     [&](device::Device&, Kernel&, device::KernelId, const device::KernelInfo&) -> cudaError_t {
                       return config > cudaFuncCachePreferEqual
                                  ? fail(cudaErrorInvalidValue, "not a cache configuration")
                                  : cudaSuccess;
                     });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  return with_kernel("cudaFuncSetSharedMemConfig", function,
                     [&](device::Device&, Kernel&, device::KernelId, const device::KernelInfo&) -> cudaError_t {
                       return config > cudaSharedMemBankSizeEightByte ? fail(cudaErrorInvalidValue, "not a bank size")
                                                                      : cudaSuccess;
                     });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return call_without_device("cudaFuncGetName", [&]() -> cudaError_t {
    if (!name) return fail(cudaErrorInvalidValue, "the pointer for the name is null");
    Kernel* kernel = Process::instance().modules.find_kernel(function);
    if (!kernel) return fail(cudaErrorInvalidDeviceFunction, "{} is not a __global__ function", function);
    *name = kernel->name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  return with_kernel("cudaFuncGetParamInfo", function,
                     [&](device::Device&, Kernel&, device::KernelId, const device::KernelInfo& info) -> cudaError_t {
                       if (!offset) return fail(cudaErrorInvalidValue, "the pointer for the offset is null");
                       if (index >= info.parameters.size())
                         return fail(cudaErrorInvalidValue, "parameter {} of {}", index, info.parameters.size());
                       *offset = info.parameters[index].offset;
                       if (size) *size = info.parameters[index].size;
                       return cudaSuccess;
                     });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return call_without_device("cudaGetKernel", [&]() -> cudaError_t {
    if (!kernel) return fail(cudaErrorInvalidValue, "the pointer for the kernel is null");
    *kernel = Process::instance().modules.find_kernel(function);
    return *kernel ? cudaSuccess : fail(cudaErrorInvalidDeviceFunction, "{} is not a __global__ function", function);
  });
}

// The driver's name for the same operation.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* out, const void* function) {
  return cudaGetKernel(reinterpret_cast<cudaKernel_t*>(out), function);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int device) {
  if (call_without_device("cudaKernelSetAttributeForDevice", [&] { return require_device(device); }) != cudaSuccess)
    return cudaErrorInvalidDevice;
  return cudaFuncSetAttribute(kernel, attribute, value);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                          size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, dynamic_shared, 0);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_size,
                                                                   size_t dynamic_shared, unsigned flags) {
  return with_kernel(
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor", function,
      [&](device::Device& gpu, Kernel& kernel, device::KernelId, const device::KernelInfo& info) -> cudaError_t {
        if (!blocks) return fail(cudaErrorInvalidValue, "the result pointer is null");
        if (block_size <= 0) return fail(cudaErrorInvalidValue, "a block of {} threads", block_size);
        if (flags > 1) return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
        auto threads = static_cast<unsigned>(block_size);
        bool fits = threads <= info.max_threads_per_block;
        *blocks = fits ? static_cast<int>(device::blocks_per_multiprocessor(
                             gpu.properties(), resources_of(gpu, kernel, info, threads, dynamic_shared)))
                       : 0;
        return cudaSuccess;
      });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int block_size) {
  return with_kernel(
      "cudaOccupancyAvailableDynamicSMemPerBlock", function,
      [&](device::Device& gpu, Kernel& kernel, device::KernelId, const device::KernelInfo& info) -> cudaError_t {
        if (!bytes) return fail(cudaErrorInvalidValue, "the result pointer is null");
        if (blocks <= 0 || block_size <= 0)
          return fail(cudaErrorInvalidValue, "{} blocks of {} threads", blocks, block_size);
        *bytes = device::dynamic_shared_for(gpu.properties(),
                                            resources_of(gpu, kernel, info, static_cast<unsigned>(block_size), 0),
                                            static_cast<unsigned>(blocks));
        return cudaSuccess;
      });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function, const cudaLaunchConfig_t* config) {
  return with_kernel(
      "cudaOccupancyMaxPotentialClusterSize", function,
      [&](device::Device& gpu, Kernel& kernel, device::KernelId, const device::KernelInfo&) -> cudaError_t {
        if (!size || !config) return fail(cudaErrorInvalidValue, "an argument is null");
        if (gpu.properties().major < 9) return fail(cudaErrorNotSupported, "clusters need compute capability 9.0");
        *size = kernel.non_portable_cluster ? 16 : 8;
        return cudaSuccess;
      });
}

// Where the device does not count them, an upper bound: multiprocessors form groups, which a cluster must not cross.
// The groups are not modelled.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cudaLaunchConfig_t* config) {
  return with_kernel(
      "cudaOccupancyMaxActiveClusters", function,
      [&](device::Device& gpu, Kernel& kernel, device::KernelId id, const device::KernelInfo& info) -> cudaError_t {
        if (!clusters || !config) return fail(cudaErrorInvalidValue, "an argument is null");
        const device::Properties& properties = gpu.properties();
        if (properties.major < 9) return fail(cudaErrorNotSupported, "clusters need compute capability 9.0");
        const dim3& block = config->blockDim;
        device::Launch launch{
            .kernel = id, .block = {block.x, block.y, block.z}, .cluster = {1, 1, 1}, .parameters = {}};
        launch.dynamic_shared_bytes = static_cast<uint32_t>(config->dynamicSmemBytes);
        for (unsigned i = 0; i < config->numAttrs; ++i)
          if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
            const auto& cluster = config->attrs[i].val.clusterDim;
            launch.cluster = {cluster.x, cluster.y, cluster.z};
          }
        if (launch.cluster.count() == 0) return fail(cudaErrorInvalidClusterSize, "a cluster of no blocks");
        std::optional<int> counted;
        if (device::Status status = gpu.count_clusters(launch, &counted); !status.ok()) return fail(status);
        auto resources = resources_of(gpu, kernel, info, block.x * block.y * block.z, config->dynamicSmemBytes);
        uint64_t blocks = uint64_t{device::blocks_per_multiprocessor(properties, resources)} * properties.sm_count;
        *clusters = counted.value_or(static_cast<int>(blocks / launch.cluster.count()));
        return cudaSuccess;
      });
}
