#include "capi/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "capi/arrays.h"
#include "capi/interrupt.h"
#include "capi/runtime_error.h"
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/device/devices.h"
#include "cuda/runtime/device/open_device.h"
#include "cuda/runtime/module/launch.h"

namespace warpwise::capi {
namespace {

Error error_of(const device::Status& status) {
  const cudaError_t code = cuda::code_of(status.failure);
  return {cuda::name_of(code), status.detail.empty() ? cuda::text_of(code) : status.detail};
}

Result<void> result_of(const device::Status& status) {
  if (status.ok()) return {};
  return error_of(status);
}

dim3 to_dim3(const uint32_t (&size)[3]) { return {size[0], size[1], size[2]}; }

Result<void> launch_kernel(const LibraryFunction& function, const ww_launch& launch, void** arguments) {
  constexpr uint32_t kWithoutPermission = 48 << 10;  // of dynamic shared memory; more is asked for first
  const void* stub = function.entry->address;
  if (launch.dynamic_shared_bytes > kWithoutPermission)
    TRY(runtime_result(cudaFuncSetAttribute(stub, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(launch.dynamic_shared_bytes))));
  cuda::LaunchRequest request{.grid = to_dim3(launch.grid),
                              .block = to_dim3(launch.block),
                              .dynamic_shared = launch.dynamic_shared_bytes,
                              .cooperative = launch.cooperative != 0};
  if (launch.cluster[0]) request.cluster = to_dim3(launch.cluster);
  return runtime_result(cuda::call(
      "cudaLaunchKernel",
      [&](cuda::Process& process, device::Device& gpu) { return cuda::launch(process, gpu, stub, request, arguments); },
      cuda::CallKind::Launch));
}

// The function, whose arguments lie at `pointers`; what it submits may not have run.
Result<void> enter(const LibraryFunction& function, const ww_launch* launch, void** pointers, void* result) {
  if (launch) return launch_kernel(function, *launch, pointers);
  try {
    function.entry->call(function.entry->address, pointers, result);
  } catch (const std::exception& exception) {
    return Error{"U0032", exception.what()};
  } catch (...) {
    return Error{"U0032", fmt::format("`{}` threw something that is no std::exception", function.name)};
  }
  // An error that the function left unread is the caller's to know.
  return runtime_result(cudaGetLastError());
}

// The function, with everything that it submits.
Result<void> run(const LibraryFunction& function, const ww_launch* launch, Arrays& arrays, void* result) {
  TRY(enter(function, launch, arrays.pointers().data(), result));
  return result_of(arrays.take_back());
}

// The real GPU of the process, once it has been used. It stays: PyTorch's context is its own.
struct OpenedGpu {
  unsigned ordinal;
  std::unique_ptr<device::Device> device;
};
Result<device::Device*> real_gpu(unsigned ordinal) {
  static std::mutex mutex;
  static OpenedGpu* opened = nullptr;
  std::lock_guard lock(mutex);
  if (!opened) opened = new OpenedGpu{ordinal, TRY(cuda::open_real_gpu(ordinal))};
  if (opened->ordinal != ordinal)
    return Error{"U0030",
                 fmt::format("the process uses GPU {}, and cannot use GPU {} as well", opened->ordinal, ordinal)};
  return opened->device.get();
}

constexpr unsigned kTensorMapBytes = 128;  // sizeof(CUtensorMap)

Result<void> check_arguments(const LibraryFunction& function, const ww_launch* launch,
                             std::span<const ww_argument> arguments) {
  const auto& entry = *function.entry;
  if (entry.kernel != (launch != nullptr))
    return Error{"U0030",
                 fmt::format("`{}` is a {}", function.name,
                             entry.kernel ? "kernel: it needs a grid and a block" : "host function: no launch")};
  const bool surplus_is_arrays = arguments.size() > entry.parameter_count &&
                                 std::all_of(arguments.begin() + entry.parameter_count, arguments.end(), names_array);
  if (entry.parameter_count != arguments.size() && !surplus_is_arrays)
    return Error{"U0030", fmt::format("{} arguments for the {} parameters of `{}`", arguments.size(),
                                      entry.parameter_count, function.name)};
  for (size_t i = 0; i < entry.parameter_count; ++i) {
    const auto& parameter = entry.parameters[i];
    if (arguments[i].kind == WW_TENSOR_MAP) {
      if (!launch || parameter.bytes != kTensorMapBytes)
        return Error{"U0030", fmt::format("parameter {} of `{}` is no tensor map", i + 1, function.name)};
      continue;
    }
    if (!parameter.pointer && parameter.bytes > sizeof arguments[i].value)
      return Error{"U0030", fmt::format("parameter {} of `{}` has {} bytes: more than 8 cannot be passed", i + 1,
                                        function.name, parameter.bytes)};
    if (!parameter.pointer && arguments[i].kind != WW_VALUE)
      return Error{"U0030", fmt::format("parameter {} of `{}` is no pointer", i + 1, function.name)};
  }
  return {};
}

// What a failed kernel's call ends with; afterwards the GPU is as new.
Error renew_after(Gpu& gpu, const device::Status& failure) {
  Error error = error_of(failure);
  if (auto renewed = gpu.renew(); !renewed) return std::move(renewed).error();
  if (gpu.stop()) error.code = "U0031";
  return error;
}

}  // namespace

Result<void> recover(Gpu& gpu) {
  std::lock_guard lock(gpu.in_use());
  (void)std::exchange(cuda::thread_error(), {});
  (void)gpu.device().wait_all();
  const device::Status failure = gpu.device().sticky_failure();
  if (failure.ok()) return {};
  return renew_after(gpu, failure);
}

Result<void> call(Gpu& gpu, const LibraryFunction& function, const ww_launch* launch,
                  std::span<const ww_argument> arguments, void* result) {
  TRY(check_arguments(function, launch, arguments));
  std::lock_guard lock(gpu.in_use());
  InterruptScope interrupts(gpu.stop());
  device::Device& device = gpu.device();
  (void)std::exchange(cuda::thread_error(), {});
  Arrays arrays(device);
  Result<void> done = result_of(arrays.bring(arguments, function));
  if (done) done = run(function, launch, arrays, result);
  if (done) return done;

  Error error = std::move(done).error();
  if (const device::Status failure = device.sticky_failure(); !failure.ok()) {
    arrays.forget();
    error = renew_after(gpu, failure);
  } else {
    (void)device.wait_all();  // nothing may use the arrays any more
  }
  return error;
}

Result<void> call_on_gpu(const Gpu& gpu, const LibraryFunction& function, const ww_launch* launch,
                         std::span<const ww_argument> arguments, void* result, const RealGpu& real) {
  TRY(check_arguments(function, launch, arguments));
  if (arguments.size() != function.entry->parameter_count ||
      !std::all_of(arguments.begin(), arguments.end(),
                   [](const ww_argument& a) { return a.kind == WW_VALUE || a.kind == WW_ADDRESS; }))
    return Error{"U0030", "a call on a real GPU takes values and addresses of that GPU"};
  device::Device& device = *TRY(real_gpu(real.ordinal));
  const device::Properties& there = device.properties();
  if (const unsigned architecture = there.major * 10 + there.minor; architecture < gpu.architecture())
    return Error{"U0030",
                 fmt::format("the module is compiled for compute capability {}, and {} has {}: model a GPU that "
                             "is not newer (`device=`)",
                             gpu.architecture(), there.name, architecture)};
  // The stream is the device's for all threads.
  static std::mutex calling;
  std::lock_guard lock(calling);
  cuda::use_as_default_stream(device, real.stream);
  const cuda::OnOtherDevice here(device);
  (void)std::exchange(cuda::thread_error(), {});
  std::vector<ww_argument> values(arguments.begin(), arguments.end());
  std::vector<void*> pointers;
  for (ww_argument& value : values) pointers.push_back(&value.value);
  return enter(function, launch, pointers.data(), result);
}

}  // namespace warpwise::capi
