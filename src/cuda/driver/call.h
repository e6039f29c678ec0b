// The frame of every function of the driver API:
//
//     CUresult cuMemFree_v2(CUdeviceptr address) {
//       return call("cuMemFree", Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t { ... });
//     }
//
// Here the driver API is implemented on top of the runtime, the opposite of NVIDIA's design. Streams, events, kernels,
// arrays and pools are the same objects in both, and so are most error codes. Bodies therefore return cudaError_t,
// often the result of a function of the runtime, and the frame converts it to a CUresult.
#pragma once

#include "cuda/driver/api.h"
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

namespace warpwise::cuda::driver {

// What a function requires before it may be called.
enum class Needs {
  Nothing,  // works before cuInit
  Init,     // CUDA_ERROR_NOT_INITIALIZED before cuInit
  Device,   // no current context: the manual's list of codes lacks INVALID_CONTEXT; a failed kernel's
            // error is sticky
  Context,  // CUDA_ERROR_INVALID_CONTEXT without a current context; a failed kernel's error is sticky
};

enum class Report {
  WhenVerbose,  // on stderr with WARPWISE_OPTIONS' "verbosity": 1
  Always,       // where the code alone says too little: modules that do not load, launches that are refused
  Once,         // the same, but each text once: what a library asks for again and again
};

// The driver's code for the runtime's: the number is the same, unless only the runtime has it.
CUresult code_of(cudaError_t error);
// For codes that bodies return and that the runtime does not name.
inline cudaError_t as_error(CUresult result) { return static_cast<cudaError_t>(result); }

// The beginning and the end of the frame.
cudaError_t begin(const char* function, Needs needs, device::Device** gpu);
CUresult end(const char* function, cudaError_t result, Report report);

template <class Body>
CUresult call(const char* function, Needs needs, Body&& body, Report report = Report::WhenVerbose) {
  InsideDriver scope(function);
  device::Device* gpu = nullptr;
  cudaError_t result = begin(function, needs, &gpu);
  if (result == cudaSuccess) {
    if constexpr (std::is_invocable_v<Body>)
      result = body();
    else
      result = body(Process::instance(), *gpu);
  }
  return end(function, result, report);
}

// For functions that only pass on the runtime's result.
template <class Body>
CUresult forward(const char* function, Body&& body) {
  return call(function, Needs::Context, std::forward<Body>(body));
}

inline cudaError_t check_out(const void* out) {
  return out ? cudaSuccess : fail(cudaErrorInvalidValue, "the result pointer is null");
}

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline cudaMemLocation location_of(CUmemLocation location) {
  return {static_cast<cudaMemLocationType>(location.type), location.id};
}

// CUDA 12 names locations by device; CU_DEVICE_CPU is the host.
inline CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace warpwise::cuda::driver
