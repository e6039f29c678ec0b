// Opens the process's device: the virtual GPU as WARPWISE_OPTIONS describes it, with compiled kernels kept in the
// toolchain's cache, or a device in another process, where WARPWISE_DEVICE_DESCRIPTOR names a socket to it. This is the
// only file of the runtime that depends on more than device/device.h.
#include "cuda/runtime/device/open_device.h"

#include <cstdlib>

#include "api/code_on_disk.h"
#include "check/checkers.h"
#include "check/records/record_sink.h"
#include "device/device_file.h"
#include "device/remote/client.h"
#include "exec/observer.h"
#include "exec/options.h"
#include "exec/virtual_device.h"
#include "perf/counters/profiler.h"

namespace warpwise::cuda {

Result<std::unique_ptr<device::Device>> open_process_device() {
  if (const char* socket = std::getenv(device::remote::kDescriptorVariable))
    return device::remote::connect(std::atoi(socket));
  exec::DeviceSetup setup;
  setup.options = TRY(exec::options_from_environment());
  if (setup.options.check.any() && !setup.options.findings.empty()) {
    setup.findings = TRY(check::RecordSink::open(setup.options.findings, setup.options.check));
    setup.observer = check::make_checkers(setup.options.check, *setup.findings);
  }
  if (!setup.options.profile.empty() && !setup.observer) {
    const device::Properties* device = TRY(device::device_named(setup.options.device));
    setup.observer = TRY(perf::make_profiler({setup.options.profile, setup.options.profile_exact}, *device));
  }
  setup.cache = api::code_on_disk();
  return std::unique_ptr<device::Device>(TRY(exec::VirtualDevice::create(std::move(setup))));
}

void end_findings(device::Device& gpu) {
  if (auto* virtual_gpu = dynamic_cast<exec::VirtualDevice*>(&gpu); virtual_gpu && virtual_gpu->observer())
    virtual_gpu->observer()->program_ends();
  if (auto* records = dynamic_cast<check::RecordSink*>(gpu.findings())) records->finish();
}

}  // namespace warpwise::cuda
