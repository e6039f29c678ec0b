// A device file of the user: whatever it says, reading it gives a device or an error. Occupancy and the model accept
// every device that was read. A figure may be absurd, and so may an answer, but nothing divides by zero or leaves the
// range of its type.
#include "device/device_file.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "device/occupancy.h"
#include "perf/timing/predict.h"

using namespace warpwise;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  device::DeviceFile file;
  file.path = "fuzz.toml";
  if (!device::read_device_file({reinterpret_cast<const char*>(data), size}, file).ok()) return 0;
  perf::LaunchCounts launch;
  launch.grid = {1000, 1, 1};
  launch.block = {128, 1, 1};
  (void)perf::predict(launch, file.properties);
  return 0;
}
