// Every command for a stream passes here. It goes
//
//     to the device            usually
//     into a graph             while the stream is being captured (capture.h)
//     to a Collector           while one exists on the calling thread: a graph node needs the commands that a
//                              call would submit, with all its checks, without their execution
#pragma once

#include <vector>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace warpwise::cuda {

class Process;

// `function`: for a launch, the program's name of its kernel.
cudaError_t submit(Process& process, device::Device& gpu, device::StreamId stream, device::Command command,
                   const void* function = nullptr);
// Waits for what the call itself has submitted, unless that went into a graph.
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
