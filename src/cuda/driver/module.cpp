// Modules: device code of a context, its functions and its variables.
#include "cuda/driver/call.h"
#include "cuda/runtime/texture/images.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

CUmodule handle_of(Module* module) { return reinterpret_cast<CUmodule>(module); }
CUfunction handle_of(Kernel* kernel) { return reinterpret_cast<CUfunction>(kernel); }

CUresult load(const char* function, CUmodule* out, const void* image, const JitOptions& options = {}) {
  return call(
      function, Needs::Context,
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        CUDA_TRY(check_out(out));
        Module* module = nullptr;
        CUDA_TRY(load_image(process, gpu, image, options, &module));
        *out = handle_of(module);
        return cudaSuccess;
      },
      options.has_error_log() ? Report::WhenVerbose : Report::Always);
}

// Runs `body` with the module of a handle.
template <class Body>
CUresult with_module(const char* function, CUmodule handle, const void* out, Body&& body) {
  return call(function, Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(out));
    Module* module = nullptr;
    CUDA_TRY(check_module(process, handle, &module));
    return body(gpu, *module);
  });
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return load("cuModuleLoadData", module, image); }
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load("cuModuleLoadFatBinary", module, image);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values) {
  return load("cuModuleLoadDataEx", module, image, {count, options, values});
}

CUresult cuModuleLoad(CUmodule* out, const char* path) {
  return call(
      "cuModuleLoad", Needs::Context,
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        CUDA_TRY(check_out(out));
        std::string image;
        CUDA_TRY(read_file(path, &image));
        Module* module = nullptr;
        CUDA_TRY(load_image(process, gpu, image.c_str(), {}, &module));
        *out = handle_of(module);
        return cudaSuccess;
      },
      Report::Always);
}

CUresult cuModuleUnload(CUmodule handle) {
  return call("cuModuleUnload", Needs::Context, [&](Process& process, device::Device&) -> cudaError_t {
    Module* module = nullptr;
    CUDA_TRY(check_module(process, handle, &module));
    process.modules.remove(module);
    return cudaSuccess;
  });
}

// A module is complete once it is loaded.
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return call("cuModuleGetLoadingMode", Needs::Nothing, [&]() -> cudaError_t {
    CUDA_TRY(check_out(mode));
    *mode = CU_MODULE_LAZY_LOADING;
    return cudaSuccess;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return with_module("cuModuleGetFunction", module, function, [&](device::Device&, Module& found) -> cudaError_t {
    Kernel* kernel = nullptr;
    CUDA_TRY(find_function(found, name, &kernel));
    *function = handle_of(kernel);
    return cudaSuccess;
  });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return with_module("cuModuleGetFunctionCount", module, count, [&](device::Device&, Module& found) -> cudaError_t {
    *count = static_cast<unsigned>(found.kernels().size());
    return cudaSuccess;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
  return with_module("cuModuleEnumerateFunctions", module, functions,
                     [&](device::Device&, Module& found) -> cudaError_t {
                       for (const Kernel& kernel : found.kernels()) {
                         if (count-- == 0) break;
                         *functions++ = handle_of(const_cast<Kernel*>(&kernel));
                       }
                       return cudaSuccess;
                     });
}

// Either of the two outputs may be null.
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return with_module("cuModuleGetGlobal", module, module, [&](device::Device& gpu, Module& found) -> cudaError_t {
    device::SymbolInfo symbol;
    CUDA_TRY(find_global(gpu, found, name, &symbol));
    if (address) *address = symbol.address;
    if (bytes) *bytes = symbol.size;
    return cudaSuccess;
  });
}
