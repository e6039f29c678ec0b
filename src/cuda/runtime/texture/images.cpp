#include "cuda/runtime/texture/images.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

namespace warpwise::cuda {

namespace {

cudaError_t code_of(const Error& error) {
  return error.code == "R0203" ? cudaErrorInvalidKernelImage : cudaErrorNoKernelImageForDevice;
}

cudaError_t read_and_load(Process& process, device::Device& gpu, const void* image, Module** out) {
  const device::Properties& properties = gpu.properties();
  auto ptx = read_image(image, properties.major * 10 + properties.minor);
  if (!ptx) return fail_with(code_of(ptx.error()), fmt::format("{}: {}", ptx.error().code, ptx.error().message));
  return process.modules.add_loaded(gpu, std::move(ptx).value(), out);
}

}  // namespace

cudaError_t load_image(Process& process, device::Device& gpu, const void* image, const JitOptions& options,
                       Module** out) {
  if (!image) return fail(cudaErrorInvalidValue, "the image is null");
  CUDA_TRY(options.check());
  auto started = std::chrono::steady_clock::now();
  cudaError_t result = read_and_load(process, gpu, image, out);
  std::chrono::duration<float, std::milli> took = std::chrono::steady_clock::now() - started;
  options.report(result == cudaSuccess ? std::string() : thread_error().detail, took.count());
  return result;
}

cudaError_t read_file(const char* path, std::string* out) {
  if (!path) return fail(cudaErrorInvalidValue, "the name of the file is null");
  std::ifstream file(path, std::ios::binary);
  out->assign(std::istreambuf_iterator<char>(file), {});
  if (file) return cudaSuccess;
  return fail(cudaErrorFileNotFound, "{}: {}", path, std::strerror(errno ? errno : ENOENT));
}

cudaError_t check_module(Process& process, const void* handle, Module** out) {
  *out = process.modules.find_module(handle);
  if (*out) return cudaSuccess;
  return fail(cudaErrorInvalidResourceHandle, "the module was never loaded, or it has been unloaded");
}

cudaError_t find_global(device::Device& gpu, Module& module, const char* name, device::SymbolInfo* out) {
  if (!name) return fail(cudaErrorInvalidValue, "the name is null");
  cudaError_t error = module.resolve(gpu, Variable{.module = &module, .name = name}, out);
  if (error != cudaErrorInvalidSymbol) return error;
  // nvcc and NVRTC keep the name of a static variable; Clang adds a suffix for the translation unit.
  std::string of_clang = fmt::format("_ZL{}{}", std::strlen(name), name);
  if (module.resolve(gpu, Variable{.module = &module, .name = of_clang}, out) == cudaSuccess) return cudaSuccess;
  return fail(cudaErrorSymbolNotFound, "the module has no variable `{}`", name);
}

cudaError_t find_function(Module& module, const char* name, Kernel** out) {
  if (!name) return fail(cudaErrorInvalidValue, "the name is null");
  *out = module.find_kernel(name);
  return *out ? cudaSuccess : fail(cudaErrorSymbolNotFound, "the module has no kernel `{}`", name);
}

}  // namespace warpwise::cuda
