// Does what commands say, once the queue has come to them: launches with the kernels that they launch in turn, copies,
// fills, and what streams write to memory.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>
#include <variant>

#include "exec/device_runtime/device_runtime.h"
#include "exec/fault/fault_report.h"
#include "exec/launch/launch_limits.h"
#include "exec/memory/copies.h"
#include "exec/observer.h"
#include "exec/queue/host_accesses.h"
#include "exec/virtual_device.h"

namespace warpwise::exec {

using device::Address;
using device::CopyShape;
using device::Failure;
using device::MemoryKind;
using device::Status;

namespace {

// Reports a copy's host side, where that is memory of the arena.
void report_host_side(Observer& observer, const void* base, size_t offset, size_t bytes, bool writes) {
  const Address address = reinterpret_cast<Address>(base) + offset;
  if (Arena::in_window(address)) observer.host_side(address, bytes, writes);
}

}  // namespace

KernelLaunch VirtualDevice::launch_of(const device::Launch& command, LoadedFunction& function) const {
  KernelLaunch launch;
  launch.image = &function.image;
  launch.grid = command.grid;
  launch.block = command.block;
  launch.cluster = cluster_of(function.info, command);
  launch.dynamic_shared_bytes = command.dynamic_shared_bytes;
  launch.cooperative = command.cooperative;
  unsigned per_sm = blocks_per_sm(properties_, function.info, static_cast<uint32_t>(command.block.count()),
                                  command.dynamic_shared_bytes);
  launch.resident_blocks = std::max(uint64_t{per_sm} * properties_.sm_count, uint64_t{1});
  launch.parameters = command.parameters;
  launch.stack_bytes = function.image.layout.needs_stack() ? stack_bytes_.load() : 0;
  return launch;
}

Status VirtualDevice::run_launch(const device::Launch& command) {
  LoadedFunction* function = function_of(command.kernel);
  if (!function) return {Failure::InvalidValue, "there is no such kernel"};
  output_.hold(queue_.in_background());
  return run_kernel(command, *function);
}

Status VirtualDevice::run_kernel(const device::Launch& command, LoadedFunction& function) {
  KernelLaunch launch = launch_of(command, function);
  launch.grid_id = ++grids_;
  if (launch.cooperative) {
    // CUDA's cooperative_groups/details/driver_abi.h: the size, then the barrier, which begins at 0.
    constexpr uint32_t kWorkspace[2] = {sizeof kWorkspace, 0};
    if (!grid_workspace_) {
      auto region =
          arena_.allocate(sizeof kWorkspace, MemoryKind::Device, Owner::Engine, "the barrier of a cooperative grid");
      if (!region.ok()) return {Failure::OutOfMemory, region.error().message};
      grid_workspace_ = *region;
    }
    std::memcpy(engine_view(grid_workspace_), kWorkspace, sizeof kWorkspace);
    launch.grid_workspace = grid_workspace_;
  }
  if (machine_.observer) machine_.observer->launch_begins(launch);
  Status status = engine_->run(launch);
  if (machine_.observer) machine_.observer->launch_ends(launch);
  if (!status.ok()) return status;
  return function.module->launch_list() ? run_children(function) : Status::success();
}

Status VirtualDevice::run_children(LoadedFunction& parent) {
  LoadedModule& module = *parent.module;
  uint32_t error = 0;
  std::memcpy(&error, engine_view(module.launch_error()), sizeof error);
  if (error != 0)
    return {Failure::LaunchFailure,
            fmt::format("kernel `{}` launches more kernels than its heap has room for; cudaDeviceSetLimit("
                        "cudaLimitMallocHeapSize, bytes) makes it larger ({} now)",
                        parent.info.name, heap_.bytes())};
  for (ChildLaunch& child : take_child_launches(module.launch_list(), heap_)) {
    switch (child.kind) {
      case ChildLaunch::Kind::Copy: {
        const CopyBox& c = child.copy;
        const CopyShape shape{c.width, c.height, c.depth, c.dst_pitch, c.src_pitch, c.dst_slice, c.src_slice};
        if (Status status = run_inside(device::CopyOnDevice{c.dst, c.src, shape}); !status.ok())
          return {Failure::LaunchFailure, status.detail};
        continue;
      }
      case ChildLaunch::Kind::Fill: {
        const FillBox& f = child.fill;
        for (uint64_t z = 0; z < f.depth; ++z)
          if (Status status = run_inside(
                  device::Fill{f.dst + z * f.slice, static_cast<uint8_t>(f.value), 1, f.width, f.height, f.pitch});
              !status.ok())
            return {Failure::LaunchFailure, status.detail};
        continue;
      }
      case ChildLaunch::Kind::Kernel:
        break;
    }
    LoadedFunction* function = module.kernel_at(child.function);
    if (!function)
      return {Failure::LaunchFailure,
              fmt::format("kernel `{}` launches something that is no kernel", parent.info.name)};
    device::Launch launch;
    launch.grid = child.grid;
    launch.block = child.block;
    launch.dynamic_shared_bytes = child.dynamic_shared_bytes;
    child.parameters.resize(function->info.parameter_bytes);
    launch.parameters = std::move(child.parameters);
    Status status = check_launch(properties_, function->info, launch, function->dynamic_shared_limit);
    if (status.ok()) status = engine_->prepare(launch_of(launch, *function));
    if (!status.ok())
      return {Failure::LaunchFailure, fmt::format("launched by kernel `{}`: {}", parent.info.name, status.detail)};
    if (status = run_kernel(launch, *function); !status.ok()) return status;
  }
  return {};
}

Status VirtualDevice::run(device::Command& command) {
  struct Runner {
    VirtualDevice& device;
    Status operator()(const device::CopyToDevice& c) {
      if (Observer* o = device.machine_.observer)
        for_each_row(c.shape, [&](size_t to, size_t from) {
          o->written(c.dst + to, c.shape.width), report_host_side(*o, c.src, from, c.shape.width, false);
        });
      copy_box(engine_view(c.dst), open_view(c.src), c.shape);
      return {};
    }
    Status operator()(const device::CopyFromDevice& c) {
      if (Observer* o = device.machine_.observer)
        for_each_row(c.shape, [&](size_t to, size_t from) {
          o->host_reads(c.src + from, c.shape.width), report_host_side(*o, c.dst, to, c.shape.width, true);
        });
      copy_box(open_view(c.dst), engine_view(c.src), c.shape);
      return {};
    }
    Status operator()(const device::CopyOnDevice& c) {
      if (Observer* o = device.machine_.observer)
        for_each_row(c.shape, [&](size_t to, size_t from) { o->copies(c.dst + to, c.src + from, c.shape.width); });
      copy_box(engine_view(c.dst), engine_view(c.src), c.shape);
      return {};
    }
    Status operator()(const device::CopyOnHost& c) {
      copy_box(open_view(c.dst), open_view(c.src), c.shape);
      return {};
    }
    Status operator()(const device::Fill& f) {
      if (Observer* o = device.machine_.observer)
        for (size_t y = 0; y < f.height; ++y) o->written(f.dst + y * f.pitch, f.width);
      fill_rows(engine_view(f.dst), f.value, f.value_bytes, f.width, f.height, f.pitch);
      return {};
    }
    Status operator()(const device::Launch& l) { return device.run_launch(l); }
    Status operator()(const device::HostFunction& h) {
      h.call();
      return std::exchange(device.failure_inside_, {});
    }
    // Markers: the queue knows.
    Status operator()(const device::RecordEvent&) { return {}; }
    Status operator()(const device::WaitEvent&) { return {}; }
    // The queue has waited; what remains is that the word may be gone.
    Status operator()(const device::WaitValue& w) {
      if (device.arena_.find(w.address)) return {};
      return {Failure::IllegalAddress, fmt::format("a stream waited for a word that was freed meanwhile: {}",
                                                   describe_address(device.arena_, w.address))};
    }
    Status operator()(const device::WriteValue& w) {
      if (Observer* o = device.machine_.observer) o->written(w.address, w.bytes);
      std::byte* word = engine_view(w.address);
      if (w.bytes == 8)
        __atomic_store_n(reinterpret_cast<uint64_t*>(word), w.value, __ATOMIC_SEQ_CST);
      else
        __atomic_store_n(reinterpret_cast<uint32_t*>(word), static_cast<uint32_t>(w.value), __ATOMIC_SEQ_CST);
      return {};
    }
    Status operator()(const device::Lifetime& l) {
      if (Observer* o = device.machine_.observer) o->lifetime(l.base, l.bytes, l.ends, {});
      return {};
    }
  };
  TimeObserver* const time = machine_.observer ? machine_.observer->time() : nullptr;
  if (!time) return std::visit(Runner{*this}, command);
  auto now = [] {
    return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  };
  const uint64_t begin = now();
  Status status = std::visit(Runner{*this}, command);
  time->ran(command, begin, now());
  return status;
}

}  // namespace warpwise::exec
