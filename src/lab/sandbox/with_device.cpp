#include "lab/sandbox/with_device.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "device/remote/client.h"
#include "lab/sandbox/sandbox.h"

namespace warpwise::lab::sandbox {

Result<ServedOutcome> run_with_device(Job job, device::remote::Server& server) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{"S0002", fmt::format("no socket to the device: {}", std::strerror(errno))};
  job.descriptors.push_back(ends[1]);
  job.environment.push_back(fmt::format("{}={}", device::remote::kDescriptorVariable, ends[1]));
  auto running = start(job);
  close(ends[1]);
  if (!running.ok()) {
    close(ends[0]);
    return running.error();
  }
  ServedOutcome served;
  served.broken = server.serve(ends[0]);
  close(ends[0]);
  // A program that continues without its device can do nothing more that counts.
  if (!served.broken.empty()) running->cancel();
  served.outcome = TRY(running->wait());
  return served;
}

}  // namespace warpwise::lab::sandbox
