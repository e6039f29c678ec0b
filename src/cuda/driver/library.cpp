// Libraries: modules without a context. With one address space per device both are the same here.
#include "cuda/driver/call.h"
#include "cuda/runtime/texture/images.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

CUlibrary library_handle(Module* module) { return reinterpret_cast<CUlibrary>(module); }

template <class Body>
CUresult with_library(const char* function, CUlibrary handle, const void* out, Body&& body) {
  return call(function, Needs::Init, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(out));
    Module* module = nullptr;
    CUDA_TRY(check_module(process, handle, &module));
    return body(gpu, *module);
  });
}

template <class Body>
CUresult with_kernel(const char* function, CUkernel kernel, const void* out, Body&& body) {
  return call(function, Needs::Init, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(out));
    Kernel* found = process.modules.find_kernel(kernel);
    if (!found)
      return fail(cudaErrorInvalidResourceHandle, "the kernel was never loaded, or its library has been unloaded");
    return body(gpu, *found);
  });
}

}  // namespace

// The options of a library say when code is loaded and whether it is copied, which a program cannot observe.
CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* options, void** values, unsigned count,
                           CUlibraryOption*, void**, unsigned) {
  JitOptions jit(count, options, values);
  return call(
      "cuLibraryLoadData", Needs::Init,
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        CUDA_TRY(check_out(library));
        Module* module = nullptr;
        CUDA_TRY(load_image(process, gpu, image, jit, &module));
        *library = library_handle(module);
        return cudaSuccess;
      },
      jit.has_error_log() ? Report::WhenVerbose : Report::Always);
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption*, void**, unsigned) {
  JitOptions jit(count, options, values);
  return call(
      "cuLibraryLoadFromFile", Needs::Init,
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        CUDA_TRY(check_out(library));
        std::string image;
        CUDA_TRY(read_file(path, &image));
        Module* module = nullptr;
        CUDA_TRY(load_image(process, gpu, image.c_str(), jit, &module));
        *library = library_handle(module);
        return cudaSuccess;
      },
      jit.has_error_log() ? Report::WhenVerbose : Report::Always);
}

CUresult cuLibraryUnload(CUlibrary library) {
  return call("cuLibraryUnload", Needs::Init, [&](Process& process, device::Device&) -> cudaError_t {
    Module* module = nullptr;
    CUDA_TRY(check_module(process, library, &module));
    process.modules.remove(module);
    return cudaSuccess;
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return with_library("cuLibraryGetKernel", library, kernel,
                      [&](device::Device&, Module& module) { return find_function(module, name, kernel); });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return with_library("cuLibraryGetKernelCount", library, count, [&](device::Device&, Module& module) {
    *count = static_cast<unsigned>(module.kernels().size());
    return cudaSuccess;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return with_library("cuLibraryEnumerateKernels", library, kernels, [&](device::Device&, Module& module) {
    for (const Kernel& kernel : module.kernels()) {
      if (count-- == 0) break;
      *kernels++ = const_cast<Kernel*>(&kernel);
    }
    return cudaSuccess;
  });
}

CUresult cuLibraryGetModule(CUmodule* out, CUlibrary library) {
  return with_library("cuLibraryGetModule", library, out, [&](device::Device&, Module& module) {
    *out = reinterpret_cast<CUmodule>(&module);
    return cudaSuccess;
  });
}

namespace {

CUresult get_global(const char* function, CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return with_library(function, library, library, [&](device::Device& gpu, Module& module) -> cudaError_t {
    device::SymbolInfo symbol;
    CUDA_TRY(find_global(gpu, module, name, &symbol));
    if (address) *address = symbol.address;
    if (bytes) *bytes = symbol.size;
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return get_global("cuLibraryGetGlobal", address, bytes, library, name);
}
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return get_global("cuLibraryGetManaged", address, bytes, library, name);
}

// Like cudaLibraryGetUnifiedFunction.
CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* name) {
  return with_library("cuLibraryGetUnifiedFunction", library, function, [&](device::Device&, Module&) {
    return name ? fail(cudaErrorSymbolNotFound,
                       "no function is unified: this device has no function pointers that the host shares")
                : fail(cudaErrorInvalidValue, "the name is null");
  });
}

// --- kernels: functions without a context -----------------------------------------------------------
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return with_kernel("cuKernelGetFunction", kernel, function, [&](device::Device&, Kernel& found) {
    *function = reinterpret_cast<CUfunction>(&found);
    return cudaSuccess;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return with_kernel("cuKernelGetLibrary", kernel, library, [&](device::Device&, Kernel& found) {
    *library = library_handle(found.module);
    return cudaSuccess;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return with_kernel("cuKernelGetName", kernel, name, [&](device::Device&, Kernel& found) {
    *name = found.name.c_str();
    return cudaSuccess;
  });
}
