// Everything that a stream is asked to do passes here. It goes
//
//     to the device            usually
//     into a graph             while the stream is being captured (capture.h)
//     to a Collector           while one lives on the calling thread: a graph's node wants the commands that a
//                              call would submit, with all its checks, and nothing to happen
#pragma once

#include <vector>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace warpwise::cuda {

class Process;

// `function`: of a launch, what the program calls its kernel.
cudaError_t submit(Process& process, device::Device& gpu, device::StreamId stream, device::Command command,
                   const void* function = nullptr);
// Waits for what the call itself has submitted; not when it went into a graph.
cudaError_t wait_for_submitted(Process& process, device::Device& gpu, device::StreamId stream);

class Collector {
 public:
  Collector();
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;
  std::vector<device::Command> commands;

 private:
  Collector* outer_;
};

}  // namespace warpwise::cuda
