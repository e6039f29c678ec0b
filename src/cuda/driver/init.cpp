// Initialisation: cuInit, versions, the address of any function, and whatever needs no device.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

CUresult cuInit(unsigned flags) {
  return call(
      "cuInit", Needs::Nothing,
      [&]() -> cudaError_t {
        if (flags) return fail(cudaErrorInvalidValue, "flags {:#x}: must be 0", flags);
        Process& process = Process::instance();
        if (!process.device()) return fail_with(cudaErrorNoDevice, process.why_no_device());
        Contexts::instance().initialise();
        return cudaSuccess;
      },
      Report::Always);
}

CUresult cuDriverGetVersion(int* version) {
  return call("cuDriverGetVersion", Needs::Nothing, [&]() -> cudaError_t {
    CUDA_TRY(check_out(version));
    return cudaDriverGetVersion(version);
  });
}

// --- entry points -----------------------------------------------------------------------------------
namespace {

struct EntryPoint {
  std::string_view name;
  int since;
  void* symbol;
  void* per_thread;  // null: no separate function
};

#define ENTRY(symbol, name, since, twin) {#name, since, reinterpret_cast<void*>(&symbol), twin},
const EntryPoint kEntryPoints[] = {
#define DRIVER(symbol, name, since, group, state, parameters) ENTRY(symbol, name, since, nullptr)
#define DRIVER_PTSZ(symbol, name, since, group, state, parameters, arguments) \
  ENTRY(symbol, name, since, reinterpret_cast<void*>(&symbol##_ptsz))
#define DRIVER_PTDS(symbol, name, since, group, state, parameters, arguments) \
  ENTRY(symbol, name, since, reinterpret_cast<void*>(&symbol##_ptds))
#include "warpwise/driver_api.inc"
};
#undef ENTRY

cudaError_t find_entry(const char* name, void** function, int version, cuuint64_t flags,
                       CUdriverProcAddressQueryResult* found) {
  constexpr cuuint64_t kKnownFlags = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!name || !function) return fail(cudaErrorInvalidValue, "an argument is null");
  if ((flags & ~kKnownFlags) || flags == kKnownFlags) return fail(cudaErrorInvalidValue, "flags {:#x}", flags);
  // The newest one that the version had.
  const EntryPoint* best = nullptr;
  bool known = false;
  for (const EntryPoint& entry : kEntryPoints) {
    if (entry.name != name) continue;
    known = true;
    if (entry.since <= version && (!best || entry.since >= best->since)) best = &entry;
  }
  *function = nullptr;
  if (best)
    *function =
        flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM && best->per_thread ? best->per_thread : best->symbol;
  if (found)
    *found = best    ? CU_GET_PROC_ADDRESS_SUCCESS
             : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                     : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (best || found) return cudaSuccess;
  return fail(as_error(CUDA_ERROR_NOT_FOUND), "there is no function `{}` in version {}", name, version);
}

}  // namespace

// If the caller asks for the query's result, a missing function is not an error.
CUresult cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* found) {
  return call("cuGetProcAddress", Needs::Nothing, [&] { return find_entry(name, function, version, flags, found); });
}
CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

// NVIDIA's static runtime talks to NVIDIA's driver through undocumented tables. There are none here. That runtime is in
// programs, which can be linked anew, and in NVIDIA's libraries (cuBLAS, cuFFT, ...), which cannot.
namespace {

std::string_view file_name_of_code(const void* code) {
  Dl_info place;
  if (!dladdr(code, &place) || !place.dli_fname) return "";
  std::string_view path = place.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

CUresult cuGetExportTable(const void** table, const CUuuid*) {
  std::string_view caller = file_name_of_code(__builtin_return_address(0));
  return call(
      "cuGetExportTable", Needs::Nothing,
      [&]() -> cudaError_t {
        CUDA_TRY(check_out(table));
        *table = nullptr;
        if (caller.find(".so") != caller.npos)
          return fail(as_error(CUDA_ERROR_NOT_FOUND),
                      "there are no private tables of functions; `{}` has NVIDIA's static runtime inside it, which "
                      "needs NVIDIA's driver. NVIDIA's own libraries do not run here; link others with -cudart shared",
                      caller);
        return fail(as_error(CUDA_ERROR_NOT_FOUND),
                    "there are no private tables of functions; a program that needs them was "
                    "linked with the static runtime: link it with -cudart shared");
      },
      Report::Once);
}

// --- profiling: switched on from outside (`warpwise profile`); a program's own marks are accepted --------
CUresult cuProfilerStart() {
  return forward("cuProfilerStart", [] { return cudaSuccess; });
}
CUresult cuProfilerStop() {
  return forward("cuProfilerStop", [] { return cudaSuccess; });
}
CUresult cuProfilerInitialize(const char*, const char*, CUoutput_mode) {
  return call("cuProfilerInitialize", Needs::Nothing,
              [] { return fail(cudaErrorNotSupported, "cuProfilerInitialize was removed with CUDA 11"); });
}
