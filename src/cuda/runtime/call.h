// The frame of every API function: open the device, refuse what is not allowed now, run the body, remember the error.
//
//     cudaError_t cudaFree(void* pointer) {
//       return call("cudaFree", [&](Process& process, device::Device& gpu) -> cudaError_t { ... });
//     }
//
// There are three frames, because CUDA calls return different errors once a kernel has failed:
//     call                  returns a sticky error instead of running the body
//     call_despite_failure  needs the device, and works on a failed one (properties, reset)
//     call_without_device   needs nothing (version numbers, host handles)
#pragma once

#include <string_view>

#include "cuda/runtime/error.h"
#include "cuda/runtime/process.h"

namespace warpwise::cuda {

// Writes a line to stderr, prefixed with this library's name.
void say(std::string_view text);

// The device's sticky error, if the device has been opened.
cudaError_t sticky_error();

// A host function that the device calls (cudaLaunchHostFunc) must not call the runtime, which would wait for itself.
// Calls made inside this scope return cudaErrorNotPermitted.
class InsideHostFunction {
 public:
  InsideHostFunction();
  ~InsideHostFunction();
};

// The driver API (src/cuda/driver) is implemented with functions of the runtime. Inside this scope they write nothing
// to stderr. Afterwards the thread's last error is what it was before: the runtime does not see errors of the driver.
class InsideDriver {
 public:
  explicit InsideDriver(const char* function);
  ~InsideDriver();
  InsideDriver(const InsideDriver&) = delete;
  InsideDriver& operator=(const InsideDriver&) = delete;
  // The error detail of the call that ended inside the scope.
  std::string detail() const { return thread_error().detail; }

 private:
  ThreadError outside_;
  const char* outer_function_;
};

// Whether this thread, or any thread, has called the runtime directly. Then the device's primary context is active.
bool runtime_used_by_this_thread();
bool runtime_used();
// Whether any function of the runtime has been called, even one that only counts devices. Then the driver has been
// started.
bool runtime_queried();

// cudaErrorInvalidDevice unless a device has that number.
cudaError_t require_device(int device);

// Traces a call of the program for the profiler (device/program_trace.h). Only the outermost function is traced: nested
// calls are not the program's own.
class TracedCall {
 public:
  explicit TracedCall(const char* function);
  ~TracedCall();
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

 private:
  const char* const function_;
  device::ProgramTrace::Moment began_;
};

enum class CallKind { Plain, Launch };

// The beginning and the end of the frame. begin_call fills `gpu` when it returns cudaSuccess.
cudaError_t begin_call(const char* function, bool despite_failure, device::Device** gpu);
cudaError_t end_call(const char* function, CallKind kind, cudaError_t result);

template <class Body>
cudaError_t call(const char* function, Body&& body, CallKind kind = CallKind::Plain) {
  TracedCall traced(function);
  device::Device* gpu = nullptr;
  cudaError_t result = begin_call(function, false, &gpu);
  if (result == cudaSuccess) result = body(Process::instance(), *gpu);
  return end_call(function, kind, result);
}

template <class Body>
cudaError_t call_despite_failure(const char* function, Body&& body) {
  TracedCall traced(function);
  device::Device* gpu = nullptr;
  cudaError_t result = begin_call(function, true, &gpu);
  if (result == cudaSuccess) result = body(Process::instance(), *gpu);
  return end_call(function, CallKind::Plain, result);
}

template <class Body>
cudaError_t call_without_device(const char* function, Body&& body) {
  return end_call(function, CallKind::Plain, body());
}

}  // namespace warpwise::cuda
