// A device of the user's own: whatever the file says, it is a device or an error. With a device that was read,
// occupancy and the model answer: a figure may be absurd, an answer may be so, too, but nothing divides by it or leaves
// the range of its type.
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
