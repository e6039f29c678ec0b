#include "perf/timing/transfer.h"

namespace warpwise::perf {

double seconds_of(const HostEvent& event, const device::Properties& device) {
  const device::Machine& m = device.machine;
  double memory = device.dram_bytes_per_second() * m.dram_fraction;
  switch (event.kind) {
    case HostEvent::Kind::CopyToDevice:
    case HostEvent::Kind::CopyToHost:
      return m.host_latency_ns * 1e-9 + double(event.bytes) / (m.host_gb_per_s * 1e9 * (event.pinned ? 1 : kPageableShare));
    case HostEvent::Kind::CopyOnDevice: return m.launch_ns * 1e-9 + 2.0 * double(event.bytes) / memory;  // read and written
    case HostEvent::Kind::Fill: return m.launch_ns * 1e-9 + double(event.bytes) / memory;
    default: return 0;
  }
}

}  // namespace warpwise::perf
