// The frame of every API function: open the device, refuse what is not allowed now, run the body,
// remember the error.
//
//     cudaError_t cudaFree(void* pointer) {
//       return call("cudaFree", [&](Process& process, device::Device& gpu) -> cudaError_t { ... });
//     }
//
// Three frames, because CUDA answers differently once a kernel has failed:
//     call                  answers a sticky error instead of running the body
//     call_despite_failure  needs the device, works on a failed one (properties, reset)
//     call_without_device   needs nothing (version numbers, handles of the host)
#pragma once

#include <string_view>

#include "cuda/runtime/error.h"
#include "cuda/runtime/process.h"

namespace warpwise::cuda {

// A line on stderr, with our name before it.
void say(std::string_view text);

// The error that sticks to the device, if it has been opened.
cudaError_t sticky_error();

// A host function that the device calls may not call the runtime, which would wait for itself
// (cudaLaunchHostFunc); calls made inside this scope answer cudaErrorNotPermitted.
class InsideHostFunction {
 public:
  InsideHostFunction();
  ~InsideHostFunction();
};

// The driver API (src/cuda/driver) answers with the functions of the runtime. Inside this scope they say nothing on
// stderr, and afterwards the thread's last error is what it was: the runtime does not see errors of the driver.
class InsideDriver {
 public:
  explicit InsideDriver(const char* function);
  ~InsideDriver();
  InsideDriver(const InsideDriver&) = delete;
  InsideDriver& operator=(const InsideDriver&) = delete;
  // What the call that ended inside the scope had to say.
  std::string detail() const { return thread_error().detail; }

 private:
  ThreadError outside_;
  const char* outer_function_;
};

// Whether this thread, or any, has called the runtime by itself: then the device's primary context is active.
bool runtime_used_by_this_thread();
bool runtime_used();
// Whether anything has been asked of the runtime, were it only the number of devices: then the driver has been started.
bool runtime_asked();

// cudaErrorInvalidDevice unless there is a device of that number.
cudaError_t require_device(int device);

// A call of the program on its way, for whoever profiles it (device/program_trace.h): the outermost function, as calls
// within calls are not the program's.
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

// The frame's two halves. `gpu` is filled by begin_call when it answers cudaSuccess.
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
