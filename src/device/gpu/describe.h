// The GPUs of this machine and their figures.
//
// A GPU says most of the figures in device::Properties itself (figures.inc). What only the model needs (rates of pipes,
// latencies) comes from devices.inc: from the row that has the GPU's name, or else the first of its compute capability;
// where there is neither, from the latest older one. So a time that is measured on the GPU and a time that is modelled
// for it speak of the same device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/gpu/driver.h"
#include "device/properties.h"

namespace warpwise::device::gpu {

// Properties refer to texts; this owns them. It must not be copied.
struct Description {
  Description() = default;
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;

  unsigned ordinal = 0;
  std::string id;           // "gpu:0"
  std::string name;         // "NVIDIA H200"
  std::string pci;          // where it is, as NVML asks for it: "00000000:3b:00.0"
  std::string source;       // "the GPU itself, driver for CUDA 13.0"
  std::string modelled;     // the id of the row of devices.inc that the rest comes from: "h200"
  bool same_model = false;  // that row has the GPU's name
  Properties properties;
};

// R0601: no GPU has that number.
Result<std::unique_ptr<const Description>> describe(const Driver& driver, unsigned ordinal);
// Every GPU of the driver, in its order.
Result<std::vector<std::unique_ptr<const Description>>> describe_all(const Driver& driver);

}  // namespace warpwise::device::gpu
