// Launching kernels: arguments as a list of pointers or laid out in a buffer.
#include "cuda/runtime/module/launch.h"

#include <vector>

#include "cuda/driver/call.h"
#include "cuda/driver/launch_config.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

// The second way to pass arguments: a list of tags and values, one of which is a buffer with all arguments in the
// kernel's layout. Returns the address of each argument.
cudaError_t read_extra(Process& process, device::Device& gpu, CUfunction function, void** extra,
                       std::vector<void*>* arguments) {
  char* buffer = nullptr;
  size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char*>(extra[1]);
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<size_t*>(extra[1]);
    else
      return fail(cudaErrorInvalidValue, "`extra` holds {}, which is not a CU_LAUNCH_PARAM_ tag", *extra);
  }
  Kernel* kernel = nullptr;
  device::KernelId id = 0;
  CUDA_TRY(find_kernel(process, gpu, function, &kernel, &id));
  const device::KernelInfo& info = gpu.kernel_info(id);
  if (!info.parameters.empty() && !buffer) return fail(cudaErrorInvalidValue, "`extra` has no buffer of arguments");
  // The code that a driver of CUDA 13 returns.
  if (bytes != info.parameter_bytes)
    return fail(cudaErrorLaunchOutOfResources, "`extra` has {} bytes of arguments; the kernel's parameters take {}",
                bytes, info.parameter_bytes);
  for (const device::KernelParameter& parameter : info.parameters) arguments->push_back(buffer + parameter.offset);
  return cudaSuccess;
}

// When the block is larger than the kernel's __launch_bounds__, the driver returns an invalid value where the runtime
// returns too many resources.
cudaError_t check_block(Process& process, device::Device& gpu, CUfunction function, uint64_t threads) {
  Kernel* kernel = nullptr;
  device::KernelId id = 0;
  CUDA_TRY(find_kernel(process, gpu, function, &kernel, &id));
  unsigned most = gpu.kernel_info(id).max_threads_per_block;
  if (threads <= most) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "a block of {} threads; the kernel is compiled for {} at most", threads, most);
}

struct Block {
  unsigned x, y, z;
  uint64_t threads() const { return uint64_t{x} * y * z; }
};

template <class Launch>
CUresult launch_with(const char* name, CUfunction function, Block block, void** parameters, void** extra,
                     Launch&& launch) {
  return call(
      name, Needs::Context,
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        if (parameters && extra)
          return fail(cudaErrorInvalidValue, "arguments both ways, as parameters and as `extra`");
        CUDA_TRY(check_block(process, gpu, function, block.threads()));
        std::vector<void*> arguments;
        if (extra) CUDA_TRY(read_extra(process, gpu, function, extra, &arguments));
        return launch(extra ? arguments.data() : parameters);
      },
      Report::Always);
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void** parameters, void** extra) {
  return launch_with("cuLaunchKernel", function, {bx, by, bz}, parameters, extra, [&](void** arguments) {
    return cudaLaunchKernel(function, {gx, gy, gz}, {bx, by, bz}, arguments, shared, stream);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  constexpr const char* kName = "cuLaunchKernelEx";
  if (!config)
    return call(kName, Needs::Context, [] { return fail(cudaErrorInvalidValue, "the configuration is null"); });
  Block block{config->blockDimX, config->blockDimY, config->blockDimZ};
  return launch_with(kName, function, block, parameters, extra, [&](void** arguments) {
    cudaLaunchConfig_t same = runtime_config(*config);
    return cudaLaunchKernelExC(&same, function, arguments);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void** parameters) {
  return launch_with("cuLaunchCooperativeKernel", function, {bx, by, bz}, parameters, nullptr, [&](void** arguments) {
    return cudaLaunchCooperativeKernel(function, {gx, gy, gz}, {bx, by, bz}, arguments, shared, stream);
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return forward("cuLaunchHostFunc", [&] { return cudaLaunchHostFunc(stream, function, user_data); });
}
