#include "cuda/runtime/module/launch.h"

#include <cstring>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph/submission.h"
#include "cuda/runtime/module/cluster_dims.h"

namespace warpwise::cuda {

cudaError_t find_kernel(Process& process, device::Device& gpu, const void* function, Kernel** kernel,
                        device::KernelId* id) {
  *kernel = process.modules.find_kernel(function);
  if (!*kernel) return fail(cudaErrorInvalidDeviceFunction, "{} is not a __global__ function", function);
  return (*kernel)->module->resolve(gpu, **kernel, id);
}

uint32_t max_dynamic_shared(const device::Device& gpu, const Kernel& kernel, const device::KernelInfo& info) {
  uint32_t free_of_charge = gpu.properties().shared_per_block_bytes;
  uint32_t by_default = free_of_charge - std::min(free_of_charge, info.static_shared_bytes);
  return kernel.max_dynamic_shared.value_or(by_default);
}

device::BlockResources resources_of(const device::Device& gpu, const Kernel& kernel, const device::KernelInfo& info,
                                    unsigned threads, size_t dynamic_shared) {
  size_t limit = info.static_shared_bytes + max_dynamic_shared(gpu, kernel, info);
  return {threads, info.registers, info.static_shared_bytes, dynamic_shared,
          std::max<size_t>(limit, gpu.properties().shared_per_block_bytes)};
}

namespace {

std::string text_of(const dim3& size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); }

cudaError_t check_size(const dim3& size, const uint32_t (&limits)[3], const char* what) {
  if (size.x == 0 || size.y == 0 || size.z == 0)
    return fail(cudaErrorInvalidConfiguration, "a {} of {}: no dimension may be 0", what, text_of(size));
  if (size.x > limits[0] || size.y > limits[1] || size.z > limits[2])
    return fail(cudaErrorInvalidConfiguration, "a {} of {}: the limits are {}", what, text_of(size),
                text_of({limits[0], limits[1], limits[2]}));
  return cudaSuccess;
}

cudaError_t check_cluster(const device::Properties& properties, const Kernel& kernel, const LaunchRequest& request) {
  const dim3& cluster = request.cluster;
  uint64_t blocks = to_device(cluster).count();
  if (blocks == 1) return cudaSuccess;
  if (properties.major < 9) return fail(cudaErrorNotSupported, "clusters need compute capability 9.0");
  uint64_t most = kernel.non_portable_cluster ? 16 : 8;
  if (blocks == 0 || blocks > most)
    return fail(cudaErrorInvalidClusterSize, "a cluster of {}: 1 to {} blocks", text_of(cluster), most);
  if (request.grid.x % cluster.x || request.grid.y % cluster.y || request.grid.z % cluster.z)
    return fail(cudaErrorInvalidClusterSize, "a grid of {} is not made of whole clusters of {}", text_of(request.grid),
                text_of(cluster));
  return cudaSuccess;
}

// What CUDA refuses at once, in the order of CUDA's checks.
cudaError_t check_launch(const device::Device& gpu, const Kernel& kernel, const device::KernelInfo& info,
                         const LaunchRequest& request) {
  const device::Properties& properties = gpu.properties();
  CUDA_TRY(check_size(request.grid, properties.kMaxGrid, "grid"));
  CUDA_TRY(check_size(request.block, properties.kMaxBlock, "block"));
  uint64_t threads = to_device(request.block).count();
  if (threads > properties.kMaxThreadsPerBlock)
    return fail(cudaErrorInvalidConfiguration, "a block of {} has {} threads; the limit is {}", text_of(request.block),
                threads, properties.kMaxThreadsPerBlock);
  if (threads > info.max_threads_per_block)
    return fail(cudaErrorLaunchOutOfResources,
                "a block of {} threads; the kernel is compiled for {} at most "
                "(__launch_bounds__)",
                threads, info.max_threads_per_block);
  uint32_t allowed = max_dynamic_shared(gpu, kernel, info);
  if (request.dynamic_shared > allowed)
    return fail(cudaErrorInvalidValue,
                "{} bytes of dynamic shared memory; {} are allowed. cudaFuncSetAttribute(kernel, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) allows up to {} with this kernel",
                request.dynamic_shared, allowed,
                properties.shared_per_block_optin_bytes -
                    std::min(properties.shared_per_block_optin_bytes, info.static_shared_bytes));
  CUDA_TRY(check_cluster(properties, kernel, request));
  if (request.cooperative) {
    auto resources = resources_of(gpu, kernel, info, static_cast<unsigned>(threads), request.dynamic_shared);
    uint64_t most = uint64_t{device::blocks_per_multiprocessor(properties, resources)} * properties.sm_count;
    if (to_device(request.grid).count() > most)
      return fail(cudaErrorCooperativeLaunchTooLarge, "a cooperative grid of {} blocks; the device holds {} at once",
                  to_device(request.grid).count(), most);
  }
  return cudaSuccess;
}

// Lays the arguments out as the kernel reads them.
cudaError_t pack(const device::KernelInfo& info, void** arguments, std::vector<std::byte>* out) {
  out->resize(info.parameter_bytes);
  if (info.parameters.empty()) return cudaSuccess;
  if (!arguments)
    return fail(cudaErrorInvalidValue, "no arguments for the kernel's {} parameters", info.parameters.size());
  for (size_t i = 0; i < info.parameters.size(); ++i) {
    const device::KernelParameter& parameter = info.parameters[i];
    if (!arguments[i]) return fail(cudaErrorInvalidValue, "the pointer to argument {} is null", i);
    std::memcpy(out->data() + parameter.offset, arguments[i], parameter.size);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t launch(Process& process, device::Device& gpu, const void* function, const LaunchRequest& asked,
                   void** arguments) {
  LaunchRequest request = asked;
  CUstream_st stream;
  CUDA_TRY(process.streams.find(gpu, request.stream, &stream));
  if (stream.device != Devices::current())
    return fail(
        cudaErrorInvalidResourceHandle,
        "the stream belongs to device {}, and device {} is the current one: cudaSetDevice({}) must precede the launch",
        stream.device, Devices::current(), stream.device);
  Kernel* kernel = nullptr;
  device::Launch command;
  CUDA_TRY(find_kernel(process, gpu, function, &kernel, &command.kernel));
  const device::KernelInfo& info = gpu.kernel_info(command.kernel);
  if (to_device(request.cluster).count() == 1) CUDA_TRY(cluster_dims(*kernel, &request.cluster));
  CUDA_TRY(check_launch(gpu, *kernel, info, request));
  CUDA_TRY(pack(info, arguments, &command.parameters));
  process.shadows.put_on_device(command.parameters);
  CUDA_TRY(fail(process.host_ranges.put_on_device(gpu, command.parameters)));
  command.grid = to_device(request.grid);
  command.block = to_device(request.block);
  command.cluster = to_device(request.cluster);
  command.dynamic_shared_bytes = static_cast<uint32_t>(request.dynamic_shared);
  command.cooperative = request.cooperative;
  return submit(process, gpu, stream.id, std::move(command), function);
}

namespace {

// Reads the attributes of cudaLaunchConfig_t. Those that affect timing alone are accepted. An unknown one is refused,
// because it may affect results.
cudaError_t read_attributes(Process& process, const cudaLaunchConfig_t& config, LaunchRequest* request,
                            std::vector<device::EventId>* events) {
  if (config.numAttrs && !config.attrs) return fail(cudaErrorInvalidValue, "the attributes are null");
  auto record = [&](cudaEvent_t event) -> cudaError_t {
    CUevent_st found;
    CUDA_TRY(process.events.find(event, &found));
    events->push_back(found.id);
    return cudaSuccess;
  };
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttributeValue& value = config.attrs[i].val;
    switch (config.attrs[i].id) {
      case cudaLaunchAttributeCooperative:
        request->cooperative = value.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        request->cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        break;
      // Both events may come later than the point inside the kernel; after the kernel's end is always correct.
      case cudaLaunchAttributeProgrammaticEvent:
        CUDA_TRY(record(value.programmaticEvent.event));
        break;
      case cudaLaunchAttributeLaunchCompletionEvent:
        CUDA_TRY(record(value.launchCompletionEvent.event));
        break;
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeSynchronizationPolicy:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      // Allows the kernel to begin before its predecessor ends. Beginning afterwards is one of the allowed orders.
      case cudaLaunchAttributeProgrammaticStreamSerialization:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributeMemSyncDomainMap:
      case cudaLaunchAttributeMemSyncDomain:
      case cudaLaunchAttributePreferredClusterDimension:
      case cudaLaunchAttributePreferredSharedMemoryCarveout:
      case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        break;
      default:
        return fail(cudaErrorNotSupported, "launch attribute {} is not supported yet",
                    static_cast<unsigned>(config.attrs[i].id));
    }
  }
  return cudaSuccess;
}

}  // namespace

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return call(
      "cudaLaunchKernel",
      [&](Process& process, device::Device& gpu) {
        LaunchRequest request{.grid = grid, .block = block, .dynamic_shared = shared_bytes, .stream = stream};
        return launch(process, gpu, function, request, arguments);
      },
      CallKind::Launch);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return call(
      "cudaLaunchCooperativeKernel",
      [&](Process& process, device::Device& gpu) {
        LaunchRequest request{
            .grid = grid, .block = block, .dynamic_shared = shared_bytes, .stream = stream, .cooperative = true};
        return launch(process, gpu, function, request, arguments);
      },
      CallKind::Launch);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return call(
      "cudaLaunchKernelExC",
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        if (!config) return fail(cudaErrorInvalidValue, "the configuration is null");
        LaunchRequest request{.grid = config->gridDim,
                              .block = config->blockDim,
                              .dynamic_shared = config->dynamicSmemBytes,
                              .stream = config->stream};
        std::vector<device::EventId> events;
        CUDA_TRY(read_attributes(process, *config, &request, &events));
        CUDA_TRY(launch(process, gpu, function, request, arguments));
        device::StreamId stream;
        CUDA_TRY(process.streams.find(gpu, config->stream, &stream));
        if (!events.empty() && process.captures.is_capturing(stream))
          return fail(cudaErrorStreamCaptureUnsupported, "launch attributes that record events cannot be captured yet");
        for (device::EventId event : events) CUDA_TRY(submit(process, gpu, stream, device::RecordEvent{event, false}));
        return cudaSuccess;
      },
      CallKind::Launch);
}
