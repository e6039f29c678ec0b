#include "cuda/runtime/call.h"

#include <atomic>
#include <cstdio>
#include <utility>

namespace warpwise::cuda {

namespace {

thread_local int host_function_depth = 0;
thread_local int driver_depth = 0;
thread_local bool used_by_this_thread = false;
std::atomic<bool> used{false}, queried{false};
thread_local const char* running_function = "";
thread_local const char* driver_function = nullptr;  // not null: the driver function that is calling the runtime
thread_local int call_depth = 0;

// Null when the program is not profiled, or when it has not used the device yet.
device::ProgramTrace* program_trace() {
  device::Device* gpu = Process::instance().opened_device();
  return gpu ? gpu->program_trace() : nullptr;
}

void note_use() {
  if (driver_depth != 0 || used_by_this_thread) return;
  used_by_this_thread = true;
  used.store(true, std::memory_order_relaxed);
}

}  // namespace

InsideDriver::InsideDriver(const char* function)
    : outside_(std::exchange(thread_error(), {})), outer_function_(std::exchange(driver_function, function)) {
  ++driver_depth;
}
InsideDriver::~InsideDriver() {
  --driver_depth;
  driver_function = outer_function_;
  thread_error() = std::move(outside_);
}

TracedCall::TracedCall(const char* function) : function_(driver_function ? driver_function : function) {
  if (call_depth++ != 0) return;
  if (device::ProgramTrace* trace = program_trace()) began_ = trace->now();
}
TracedCall::~TracedCall() {
  if (--call_depth != 0) return;
  if (device::ProgramTrace* trace = program_trace()) trace->called(function_, began_);
}

const char* current_function() { return driver_function ? driver_function : running_function; }

bool runtime_used_by_this_thread() { return used_by_this_thread; }
bool runtime_used() { return used.load(std::memory_order_relaxed); }
bool runtime_queried() { return queried.load(std::memory_order_relaxed); }

InsideHostFunction::InsideHostFunction() {
  ++host_function_depth;
  Process::instance().shadows.synchronise();
}

InsideHostFunction::~InsideHostFunction() {
  Process::instance().shadows.synchronise();
  --host_function_depth;
}

void say(std::string_view text) {
  std::fflush(stdout);  // keeps the order of the two streams when both go to one file
  fmt::print(stderr, "warpwise: {}\n", text);
}

cudaError_t require_device(int device) {
  const Devices& devices = Process::instance().devices;
  if (device >= 0 && device < devices.count()) return cudaSuccess;
  return fail(cudaErrorInvalidDevice, "device {} does not exist; {}", device, devices.how_many());
}

cudaError_t sticky_error() {
  device::Device* gpu = Process::instance().opened_device();
  return gpu ? code_of(gpu->sticky_failure().failure) : cudaSuccess;
}

cudaError_t begin_call(const char* function, bool despite_failure, device::Device** gpu) {
  if (host_function_depth != 0)
    return fail(cudaErrorNotPermitted, "{} was called inside a host function of a stream", function);
  note_use();
  running_function = function;
  Process& process = Process::instance();
  *gpu = process.device();
  if (!*gpu) return fail_with(cudaErrorInitializationError, process.why_no_device());
  process.devices.note_used();
  process.shadows.synchronise();
  if (despite_failure) return cudaSuccess;
  return fail((*gpu)->sticky_failure());
}

cudaError_t end_call(const char* function, CallKind kind, cudaError_t result) {
  if (driver_depth == 0) queried.store(true, std::memory_order_relaxed);
  Process::instance().shadows.synchronise();
  if (result == cudaSuccess) return result;
  if (result == cudaErrorNotReady) return result;  // a status, not an error: cudaGetLastError does not return it
  ThreadError& error = thread_error();
  error.last = result;
  if (driver_depth != 0) return result;
  Process& process = Process::instance();
  bool kernel_failed = sticky_error() == result;
  process.checks.failed(function, kind == CallKind::Launch, kernel_failed, result, error.detail);
  bool report =
      kernel_failed ? process.first_report_of_failure() : kind == CallKind::Launch || process.verbosity() >= 1;
  if (report && process.verbosity() >= 0)
    say(error.detail.empty() ? fmt::format("{}: {}: {}", function, name_of(result), text_of(result))
                             : fmt::format("{}: {}: {}", function, name_of(result), error.detail));
  return result;
}

}  // namespace warpwise::cuda
