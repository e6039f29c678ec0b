// Contexts: creating and destroying them, making them current; their flags and limits.
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/devices.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

constexpr unsigned kKnownFlags = CU_CTX_FLAGS_MASK;

cudaError_t check_flags(unsigned flags) {
  unsigned scheduling = flags & CU_CTX_SCHED_MASK;  // at most one of spin, yield, blocking
  if ((flags & ~kKnownFlags) || (scheduling & (scheduling - 1)))
    return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
  return cudaSuccess;
}

CUresult create(const char* function, CUcontext* context, unsigned flags, CUdevice device, unsigned api_version) {
  return call(function, Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_out(context));
    CUDA_TRY(check_device(device));
    CUDA_TRY(check_flags(flags));
    *context = Contexts::instance().create(device, flags, api_version);
    Contexts::instance().push(*context);
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return create("cuCtxCreate", context, flags, device, 3010);
}
CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return create("cuCtxCreate", context, flags, device, 3020);
}

// The share of a device's multiprocessors that a context may use affects timing, never results.
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam*, int, unsigned flags, CUdevice device) {
  return create("cuCtxCreate", context, flags, device, 3020);
}
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  if (parameters && parameters->cigParams)
    return call("cuCtxCreate", Needs::Init,
                [] { return fail(cudaErrorNotSupported, "contexts shared with graphics (CIG) are not supported"); });
  return create("cuCtxCreate", context, flags, device, 3020);
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  return call("cuCtxDestroy", Needs::Init,
              [&](Process&, device::Device& gpu) { return Contexts::instance().destroy(gpu, context); });
}
CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return call("cuCtxPushCurrent", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(Contexts::instance().check(context));
    Contexts::instance().push(context);
    return cudaSuccess;
  });
}
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return call("cuCtxPopCurrent", Needs::Init, [&] { return Contexts::instance().pop(context); });
}
CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }

CUresult cuCtxSetCurrent(CUcontext context) {
  return call("cuCtxSetCurrent", Needs::Init, [&]() -> cudaError_t {
    if (context) CUDA_TRY(Contexts::instance().check(context));
    Contexts::instance().set_current(context);
    return cudaSuccess;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return call("cuCtxGetCurrent", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_out(context));
    *context = Contexts::instance().current();
    return cudaSuccess;
  });
}

namespace {

// Returns a value of the current context, or of `context` where one is given.
template <class Value, class Read>
CUresult answer(const char* function, Value* out, Read read, CUcontext context = nullptr) {
  return call(function, Needs::Context, [&]() -> cudaError_t {
    CUDA_TRY(check_out(out));
    if (context) CUDA_TRY(Contexts::instance().check(context));
    *out = read(context ? context : Contexts::instance().current());
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuCtxGetDevice(CUdevice* device) {
  return answer("cuCtxGetDevice", device, [](CUcontext context) { return context->device; });
}
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  return answer("cuCtxGetDevice", device, [](CUcontext c) { return c->device; }, context);
}
CUresult cuCtxGetFlags(unsigned* flags) {
  return answer("cuCtxGetFlags", flags, [](CUcontext context) { return context->flags; });
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return answer("cuCtxGetApiVersion", version, [](CUcontext c) { return c->api_version; }, context);
}
CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return answer("cuCtxGetId", id, [](CUcontext c) { return c->id; }, context);
}

CUresult cuCtxSetFlags(unsigned flags) {
  return call("cuCtxSetFlags", Needs::Context, [&]() -> cudaError_t {
    CUDA_TRY(check_flags(flags));
    Contexts::instance().current()->flags = flags;
    return cudaSuccess;
  });
}

CUresult cuCtxSynchronize() {
  return forward("cuCtxSynchronize", [] { return cudaDeviceSynchronize(); });
}
CUresult cuCtxSynchronize_v2(CUcontext context) {
  return forward("cuCtxSynchronize", [&]() -> cudaError_t {
    if (context) CUDA_TRY(Contexts::instance().check(context));
    return cudaDeviceSynchronize();
  });
}

namespace {

cudaError_t check_limit(CUlimit limit) {
  if (limit >= 0 && limit < CU_LIMIT_MAX) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "there is no limit {}", static_cast<int>(limit));
}

}  // namespace

// Limits and caches have the same numbers in both APIs.
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return forward("cuCtxSetLimit", [&]() -> cudaError_t {
    CUDA_TRY(check_limit(limit));
    return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value);
  });
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return forward("cuCtxGetLimit", [&]() -> cudaError_t {
    CUDA_TRY(check_limit(limit));
    return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit));
  });
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return forward("cuCtxGetCacheConfig",
                 [&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return forward("cuCtxSetCacheConfig", [&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return forward("cuCtxGetSharedMemConfig",
                 [&] { return cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config)); });
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return forward("cuCtxSetSharedMemConfig",
                 [&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return forward("cuCtxGetStreamPriorityRange", [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
CUresult cuCtxResetPersistingL2Cache() {
  return forward("cuCtxResetPersistingL2Cache", [] { return cudaCtxResetPersistingL2Cache(); });
}

// --- primary contexts -----------------------------------------------------------------------------
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return call("cuDevicePrimaryCtxRetain", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_out(context));
    CUDA_TRY(check_device(device));
    *context = Contexts::instance().retain_primary(device);
    return cudaSuccess;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return call("cuDevicePrimaryCtxRelease", Needs::Init, [&](Process&, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_device(device));
    return Contexts::instance().release_primary(gpu, device);
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return call("cuDevicePrimaryCtxReset", Needs::Init, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_device(device));
    process.reset(gpu);
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return call("cuDevicePrimaryCtxSetFlags", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_device(device));
    CUDA_TRY(check_flags(flags));
    return Contexts::instance().set_primary_flags(device, flags);
  });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return call("cuDevicePrimaryCtxGetState", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_device(device));
    CUDA_TRY(check_out(flags));
    CUDA_TRY(check_out(active));
    bool is_active = false;
    Contexts::instance().primary_state(device, flags, &is_active);
    *active = is_active;
    return cudaSuccess;
  });
}
