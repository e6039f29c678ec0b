// Runs an untrusted program on a device that it cannot reach directly: the CUDA runtime in the program is a client
// (device/remote/client.h), and the device with all of its state stays with the caller.
#pragma once

#include "base/result.h"
#include "device/remote/server.h"
#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

struct ServedOutcome {
  Outcome outcome;
  std::string broken;  // the program sent what no client of ours sends: its runtime was tampered with. "": it did not
};

// Starts the job with a socket to `server`, which answers on the calling thread until the program is gone: kernels run
// here, and the device limits their resources. Errors: those of start() and Running::wait().
Result<ServedOutcome> run_with_device(Job job, device::remote::Server& server);

}  // namespace warpwise::lab::sandbox
