// Libraries: device code that the program loads at run time, and its kernels and variables by name. The driver uses the
// same objects (cuda/driver/library.cpp), so handles pass from one API to the other.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/texture/images.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

template <class Body>
cudaError_t with_library(const char* function, cudaLibrary_t handle, const void* out, Body&& body) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!out) return fail(cudaErrorInvalidValue, "the result pointer is null");
    Module* module = nullptr;
    CUDA_TRY(check_module(process, handle, &module));
    return body(gpu, *module);
  });
}

cudaError_t load(Process& process, device::Device& gpu, const void* code, const JitOptions& options,
                 cudaLibrary_t* out) {
  Module* module = nullptr;
  CUDA_TRY(load_image(process, gpu, code, options, &module));
  *out = reinterpret_cast<cudaLibrary_t>(module);
  return cudaSuccess;
}

cudaError_t get_variable(const char* function, void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return with_library(function, library, library, [&](device::Device& gpu, Module& module) -> cudaError_t {
    device::SymbolInfo symbol;
    CUDA_TRY(find_global(gpu, module, name, &symbol));
    if (address) *address = reinterpret_cast<void*>(symbol.address);
    if (bytes) *bytes = symbol.size;
    return cudaSuccess;
  });
}

}  // namespace

// The options of a library say when code is loaded and whether it is copied, which a program cannot observe.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options, void** values,
                                unsigned count, cudaLibraryOption*, void**, unsigned) {
  return call("cudaLibraryLoadData", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!library) return fail(cudaErrorInvalidValue, "the pointer for the library is null");
    return load(process, gpu, code, JitOptions(count, options, values), library);
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption* options, void** values,
                                    unsigned count, cudaLibraryOption*, void**, unsigned) {
  return call("cudaLibraryLoadFromFile", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!library) return fail(cudaErrorInvalidValue, "the pointer for the library is null");
    std::string code;
    CUDA_TRY(read_file(path, &code));
    return load(process, gpu, code.c_str(), JitOptions(count, options, values), library);
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return call("cudaLibraryUnload", [&](Process& process, device::Device&) -> cudaError_t {
    Module* module = nullptr;
    CUDA_TRY(check_module(process, library, &module));
    process.modules.remove(module);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return with_library("cudaLibraryGetKernel", library, kernel,
                      [&](device::Device&, Module& module) { return find_function(module, name, kernel); });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return with_library("cudaLibraryGetKernelCount", library, count, [&](device::Device&, Module& module) {
    *count = static_cast<unsigned>(module.kernels().size());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned room, cudaLibrary_t library) {
  return with_library("cudaLibraryEnumerateKernels", library, kernels, [&](device::Device&, Module& module) {
    for (const Kernel& kernel : module.kernels()) {
      if (room-- == 0) break;
      *kernels++ = const_cast<Kernel*>(&kernel);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return get_variable("cudaLibraryGetGlobal", address, bytes, library, name);
}
cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return get_variable("cudaLibraryGetManaged", address, bytes, library, name);
}

// A unified function has one address for host and devices; there are none here (cudaDeviceProp::unifiedFunctionPointers
// is 0).
cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name) {
  return with_library("cudaLibraryGetUnifiedFunction", library, function, [&](device::Device&, Module&) {
    return name ? fail(cudaErrorSymbolNotFound,
                       "no function is unified: this device has no function pointers that the host shares")
                : fail(cudaErrorInvalidValue, "the name is null");
  });
}
