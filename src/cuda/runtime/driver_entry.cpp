// Looks up functions of the driver by name, for programs that are not linked with libcuda. This project's libcuda lies
// beside this library.
#include <dlfcn.h>

#include <filesystem>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// cuGetProcAddress_v2; its types are the driver's.
using GetProcAddress = int (*)(const char* name, void** function, int version, unsigned long long flags,
                               unsigned* found);

GetProcAddress open_driver() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<void*>(&cudaGetDriverEntryPoint), &self) || !self.dli_fname) return nullptr;
  std::filesystem::path driver = std::filesystem::path(self.dli_fname).replace_filename("libcuda.so.1");
  void* library = dlopen(driver.c_str(), RTLD_NOW | RTLD_LOCAL);
  return library ? reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2")) : nullptr;
}

// The flags and the results have the same values in both APIs. A missing function is not an error but a result.
cudaError_t find(const char* function, const char* name, void** out, int version, unsigned long long flags,
                 cudaDriverEntryPointQueryResult* status) {
  return call(function, [&](Process&, device::Device&) -> cudaError_t {
    if (!name || !out) return fail(cudaErrorInvalidValue, "an argument is null");
    static const GetProcAddress get = open_driver();
    if (!get)
      return fail(cudaErrorSharedObjectInitFailed, "libcuda.so.1 cannot be loaded from the folder of libcudart");
    unsigned found = 0;
    if (get(name, out, version, flags, &found) != 0)
      return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
    if (status) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  int version = 0;
  (void)cudaRuntimeGetVersion(&version);
  return find("cudaGetDriverEntryPoint", name, function, version, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  return find("cudaGetDriverEntryPointByVersion", name, function, static_cast<int>(version), flags, status);
}
