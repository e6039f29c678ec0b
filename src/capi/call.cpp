#include "capi/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "capi/arrays.h"
#include "capi/interrupt.h"
#include "capi/runtime_error.h"
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
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

// The function, with everything that it submits.
Result<void> run(const LibraryFunction& function, const ww_launch* launch, Arrays& arrays, void* result) {
  std::vector<void*>& pointers = arrays.pointers();
  if (launch) {
    TRY(launch_kernel(function, *launch, pointers.data()));
  } else {
    try {
      function.entry->call(function.entry->address, pointers.data(), result);
    } catch (const std::exception& exception) {
      return Error{"U0032", exception.what()};
    } catch (...) {
      return Error{"U0032", fmt::format("`{}` threw something that is no std::exception", function.name)};
    }
    // An error that the function left unread is the caller's to know.
    TRY(runtime_result(cudaGetLastError()));
  }
  return result_of(arrays.take_back());
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

}  // namespace warpwise::capi
