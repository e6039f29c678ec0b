// What the virtual GPU asks of each command before it is queued: the call that makes a mistake is the one that fails.
#include <fmt/format.h>

#include "exec/fault/fault_report.h"
#include "exec/launch/launch_limits.h"
#include "exec/memory/copies.h"
#include "exec/virtual_device.h"

namespace warpwise::exec {

using device::Address;
using device::CopyShape;
using device::Failure;
using device::MemoryKind;
using device::Status;

Status VirtualDevice::check_device_side(const char* side, Address address, const CopyShape& shape, bool is_dst) const {
  size_t pitch = is_dst ? shape.dst_pitch : shape.src_pitch, slice = is_dst ? shape.dst_slice : shape.src_slice;
  if (shape.height > 1 && pitch < shape.width)
    return {Failure::InvalidValue,
            fmt::format("{}: rows of {} bytes at a pitch of {} would overlap", side, shape.width, pitch)};
  Extent extent = extent_of(shape.width, shape.height, shape.depth, pitch, slice);
  if (!extent.valid) return {Failure::InvalidValue, fmt::format("{}: the size does not fit in 64 bits", side)};
  if (extent.bytes == 0) return Status::success();
  auto region = arena_.find(address);
  if (!region || region->owner == Owner::Engine || !region->contains(address, 1))
    return {Failure::InvalidAddress, fmt::format("{}: {}", side, describe_address(arena_, address))};
  if (!region->contains(address, extent.bytes))
    return {Failure::InvalidAddress,
            fmt::format("{} + {} is {} bytes past the end of the {}-byte allocation at {:#x}", side, extent.bytes,
                        address + extent.bytes - region->base - region->size, region->size, region->base)};
  return Status::success();
}

// A device address where host memory is needed would be a fault of the host.
Status VirtualDevice::check_host_side(const char* side, const void* pointer) const {
  Address address = reinterpret_cast<Address>(pointer);
  if (!Arena::in_window(address)) return Status::success();
  auto region = arena_.find(address);
  if (region && region->kind != MemoryKind::Device) return Status::success();
  return {Failure::InvalidValue,
          fmt::format("{}: host memory is needed here; {}", side, describe_address(arena_, address))};
}

Status VirtualDevice::check(const device::CopyToDevice& copy) const {
  if (Status status = check_host_side("src", copy.src); !status.ok()) return status;
  return check_device_side("dst", copy.dst, copy.shape, true);
}

Status VirtualDevice::check(const device::CopyFromDevice& copy) const {
  if (Status status = check_host_side("dst", copy.dst); !status.ok()) return status;
  return check_device_side("src", copy.src, copy.shape, false);
}

Status VirtualDevice::check(const device::CopyOnDevice& copy) const {
  if (Status status = check_device_side("dst", copy.dst, copy.shape, true); !status.ok()) return status;
  return check_device_side("src", copy.src, copy.shape, false);
}

Status VirtualDevice::check(const device::CopyOnHost& copy) const {
  if (Status status = check_host_side("dst", copy.dst); !status.ok()) return status;
  return check_host_side("src", copy.src);
}

Status VirtualDevice::check(const device::Fill& fill) const {
  if (fill.value_bytes != 1 && fill.value_bytes != 2 && fill.value_bytes != 4)
    return {Failure::InvalidValue, fmt::format("a pattern of {} bytes: 1, 2 and 4 are possible", fill.value_bytes)};
  if (fill.width % fill.value_bytes != 0 || fill.dst % fill.value_bytes != 0)
    return {Failure::InvalidValue,
            fmt::format("address and width must be multiples of the pattern's {} bytes", fill.value_bytes)};
  CopyShape shape;
  shape.width = fill.width;
  shape.height = fill.height;
  shape.dst_pitch = fill.pitch;
  return check_device_side("dst", fill.dst, shape, true);
}

Status VirtualDevice::check(const device::RecordEvent& record) const {
  if (queue_.has_event(record.event)) return Status::success();
  return {Failure::InvalidValue, "there is no such event"};
}

Status VirtualDevice::check(const device::WaitEvent& wait) const {
  if (queue_.has_event(wait.event)) return Status::success();
  return {Failure::InvalidValue, "there is no such event"};
}

// Compiles, too: what cannot be compiled is a failure of the launch, not of a later call.
Status VirtualDevice::check(const device::Launch& launch) {
  LoadedFunction* function = function_of(launch.kernel);
  if (!function) return {Failure::InvalidValue, "there is no such kernel"};
  if (Status status = check_launch(properties_, function->info, launch, function->dynamic_shared_limit); !status.ok())
    return status;
  return engine_->prepare(launch_of(launch, *function));
}

Status VirtualDevice::check_word(const char* what, Address address, unsigned bytes) const {
  if (address % bytes != 0)
    return {Failure::InvalidValue, fmt::format("{}: the address {:#x} is not a multiple of {}", what, address, bytes)};
  return check_device_side(what, address, {.width = bytes}, true);
}

}  // namespace warpwise::exec
