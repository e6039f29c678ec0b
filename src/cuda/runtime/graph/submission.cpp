#include "cuda/runtime/graph/submission.h"

#include <utility>

#include "cuda/runtime/process.h"

namespace warpwise::cuda {

namespace {

thread_local Collector* collector = nullptr;

}  // namespace

Collector::Collector() : outer_(std::exchange(collector, this)) {}
Collector::~Collector() { collector = outer_; }

cudaError_t submit(Process& process, device::Device& gpu, device::StreamId stream, device::Command command,
                   const void* function) {
  if (collector) {
    collector->commands.push_back(std::move(command));
    return cudaSuccess;
  }
  if (process.captures.any()) {
    bool captured = false;
    CUDA_TRY(process.captures.add(stream, command, function, &captured));
    if (captured) return cudaSuccess;
  }
  ApiChecks::Awaited awaited = process.checks.awaited_once_taken(command);
  CUDA_TRY(fail(gpu.submit(stream, std::move(command))));
  process.checks.submitted(stream, std::move(awaited));
  return cudaSuccess;
}

cudaError_t wait_for_submitted(Process& process, device::Device& gpu, device::StreamId stream) {
  if (collector || process.captures.is_capturing(stream)) return cudaSuccess;
  process.checks.waited(stream);
  return fail(gpu.wait(stream));
}

}  // namespace warpwise::cuda
