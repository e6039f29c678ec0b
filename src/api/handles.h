// What is behind the handles of include/warpwise/device.h.
#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"
#include "trace/recorder.h"
#include "warpwise/device.h"

namespace warpwise {

struct DeviceState {
  DeviceInfo info;
  std::unique_ptr<device::Device> gpu;
  trace::Recorder* recorder = nullptr;  // of the device's observer; null: launches are not recorded
};

struct ModuleState {
  std::shared_ptr<DeviceState> device;
  device::ModuleId id = 0;
  ~ModuleState() { (void)device->gpu->unload_module(id); }
};

struct KernelState {
  std::shared_ptr<ModuleState> module;
  device::KernelId id = 0;
  KernelInfo info;
  device::Device& gpu() const { return *module->device->gpu; }
};

// Everything is submitted to one queue.
constexpr device::StreamId kQueue = 0;

Result<void> result_of(device::Status status);

}  // namespace warpwise
