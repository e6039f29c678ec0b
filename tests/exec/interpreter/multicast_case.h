// Memory behind a multimem address for tests: a multicast object with a copy for each of several devices, which all are
// the one virtual GPU.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace warpwise::test {

struct MulticastBuffer {
  device::Address address = 0;          // for multimem
  std::vector<device::Address> copies;  // of the devices, in their order
};

// `bytes`: those of all copies, one behind the other.
Result<MulticastBuffer> make_multicast(device::Device& device, const std::vector<std::byte>& bytes, unsigned copies);
// What the copies hold now, one behind the other.
device::Status read_copies(device::Device& device, const MulticastBuffer& buffer, std::vector<std::byte>& bytes);

}  // namespace warpwise::test
