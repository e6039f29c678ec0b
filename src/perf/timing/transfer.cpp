#include "perf/timing/transfer.h"

#include "perf/timing/demands.h"
#include "perf/timing/model_constants.h"

namespace warpwise::perf {

double transfer_seconds(const HostEvent& event, const device::Properties& device) {
  const device::Machine& m = device.machine;
  switch (event.kind) {
    case HostEvent::Kind::CopyToDevice:
    case HostEvent::Kind::CopyToHost:
      return m.host_latency_ns * 1e-9 +
             double(event.bytes) / (m.host_gb_per_s * 1e9 * (event.pinned ? 1 : kPageableShare));
    case HostEvent::Kind::CopyOnDevice:
      return m.launch_ns * 1e-9 + dram_seconds(device, double(event.bytes), double(event.bytes));
    case HostEvent::Kind::Fill:
      return (event.bytes <= kFilledAtOnce ? kFillWordNs : kFillNs) * 1e-9 +
             dram_seconds(device, 0, double(event.bytes));
    default:
      return 0;
  }
}

}  // namespace warpwise::perf
