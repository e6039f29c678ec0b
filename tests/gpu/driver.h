// The few functions of NVIDIA's driver that a judge needs, found in libcuda at run time: no toolkit is needed to
// build this, and a machine without a GPU gets a message instead of an error of the loader. Names, types and versions:
// CUDA Driver API, reference manual.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace warpwise::gpu {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = void*;
using CUmodule = void*;
using CUfunction = void*;
using CUstream = void*;

// FUNCTION(our name, symbol, parameters)
#define WARPWISE_DRIVER_FUNCTIONS(FUNCTION)                                                                            \
  FUNCTION(init, "cuInit", (unsigned flags))                                                                           \
  FUNCTION(driver_version, "cuDriverGetVersion", (int* version))                                                       \
  FUNCTION(device_get, "cuDeviceGet", (CUdevice * device, int ordinal))                                                \
  FUNCTION(device_name, "cuDeviceGetName", (char* name, int length, CUdevice device))                                  \
  FUNCTION(device_attribute, "cuDeviceGetAttribute", (int* value, int attribute, CUdevice device))                     \
  FUNCTION(retain_context, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))                         \
  FUNCTION(set_context, "cuCtxSetCurrent", (CUcontext context))                                                        \
  FUNCTION(synchronize, "cuCtxSynchronize", ())                                                                        \
  FUNCTION(set_limit, "cuCtxSetLimit", (int limit, size_t value))                                                      \
  FUNCTION(error_name, "cuGetErrorName", (CUresult error, const char** name))                                          \
  FUNCTION(load_module, "cuModuleLoadDataEx",                                                                          \
           (CUmodule * module, const void* image, unsigned count, int* options, void** values))                        \
  FUNCTION(get_function, "cuModuleGetFunction", (CUfunction * function, CUmodule module, const char* name))            \
  FUNCTION(set_attribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value))                       \
  FUNCTION(allocate, "cuMemAlloc_v2", (CUdeviceptr * address, size_t bytes))                                           \
  FUNCTION(copy_to_device, "cuMemcpyHtoD_v2", (CUdeviceptr to, const void* from, size_t bytes))                        \
  FUNCTION(copy_from_device, "cuMemcpyDtoH_v2", (void* to, CUdeviceptr from, size_t bytes))                            \
  FUNCTION(encode_tiled, "cuTensorMapEncodeTiled",                                                                     \
           (void* map, int type, unsigned rank, CUdeviceptr address, const uint64_t* sizes, const uint64_t* strides,   \
            const unsigned* box, const unsigned* steps, int interleave, int swizzle, int promotion, int fill))         \
  FUNCTION(encode_im2col, "cuTensorMapEncodeIm2col",                                                                   \
           (void* map, int type, unsigned rank, CUdeviceptr address, const uint64_t* sizes, const uint64_t* strides,   \
            const int* lower, const int* upper, unsigned channels, unsigned pixels, const unsigned* steps,             \
            int interleave, int swizzle, int promotion, int fill))                                                     \
  FUNCTION(encode_im2col_wide, "cuTensorMapEncodeIm2colWide",                                                          \
           (void* map, int type, unsigned rank, CUdeviceptr address, const uint64_t* sizes, const uint64_t* strides,   \
            int lower, int upper, unsigned channels, unsigned pixels, const unsigned* steps, int interleave, int mode, \
            int swizzle, int promotion, int fill))                                                                     \
  FUNCTION(launch, "cuLaunchKernel",                                                                                   \
           (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,         \
            unsigned shared, CUstream stream, void** parameters, void** extra))                                        \
  FUNCTION(launch_cooperative, "cuLaunchCooperativeKernel",                                                            \
           (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,         \
            unsigned shared, CUstream stream, void** parameters))

// Values of the driver's enumerations that we pass.
constexpr int kJitErrorLogBuffer = 5, kJitErrorLogBufferBytes = 6;         // CUjit_option
constexpr int kLimitStackSize = 0;                                         // CUlimit
constexpr int kAttributeMaxDynamicShared = 8;                              // CUfunction_attribute
constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76;  // CUdevice_attribute

struct Driver {
#define FUNCTION(name, symbol, parameters) CUresult(*name) parameters = nullptr;
  WARPWISE_DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION

  // From `library`, or from the system's libcuda.so.1 when that is null.
  static Result<Driver> open(const char* library);

  std::string name_of(CUresult error) const;
};

}  // namespace warpwise::gpu
