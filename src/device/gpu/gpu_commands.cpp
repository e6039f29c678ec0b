// submit(): each kind of command as functions of the driver.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "device/gpu/gpu_device.h"

namespace warpwise::device::gpu {
namespace {

constexpr uint64_t kPortableClusterBlocks = 8;  // larger clusters have to be allowed for the kernel

// A box whose rows follow each other without a gap on both sides is one row.
CopyShape joined(CopyShape s) {
  if (s.height > 1 && s.dst_pitch == s.width && s.src_pitch == s.width) {
    s.width *= s.height;
    s.height = 1;
  }
  if (s.depth > 1 && s.height == 1 && s.dst_slice == s.width && s.src_slice == s.width) {
    s.width *= s.depth;
    s.depth = 1;
  }
  return s;
}

// The bytes from the first of a box to its last.
size_t reach(size_t width, size_t height, size_t depth, size_t pitch, size_t slice) {
  return (depth - 1) * slice + (height - 1) * pitch + width;
}

// Copies slice by slice; `row` copies a slice of one row: row(offset in dst, offset in src, bytes).
template <class Row>
CUresult copy_slices(const Driver& driver, CUstream stream, Memcpy2D::Side dst, Memcpy2D::Side src, const CopyShape& s,
                     Row row) {
  CUresult result = kSuccess;
  for (size_t z = 0; z < s.depth && result == kSuccess; ++z) {
    const size_t to = z * s.dst_slice, from = z * s.src_slice;
    if (s.height == 1) {
      result = row(to, from, s.width);
      continue;
    }
    auto at = [](Memcpy2D::Side side, size_t offset, size_t pitch) {
      if (side.type == kHostMemory)
        side.host = static_cast<const char*>(side.host) + offset;
      else
        side.device += offset;
      side.pitch = pitch;
      return side;
    };
    Memcpy2D copy{.src = at(src, from, s.src_pitch), .dst = at(dst, to, s.dst_pitch)};
    copy.width_bytes = s.width;
    copy.height = s.height;
    result = driver.copy_2d(&copy, stream);
  }
  return result;
}

Memcpy2D::Side on_host(const void* memory) { return {.type = kHostMemory, .host = memory}; }
Memcpy2D::Side on_device(Address address) { return {.type = kDeviceMemory, .device = address}; }

bool is_empty(const CopyShape& s) { return s.width == 0 || s.height == 0 || s.depth == 0; }

std::string text_of(const Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

}  // namespace

Status GpuDevice::submit(StreamId id, Command command) {
  if (Status status = context_.enter(); !status.ok()) return status;
  CUstream stream = nullptr;
  if (Status status = stream_of(id, &stream); !status.ok()) return status;
  if (auto* function = std::get_if<HostFunction>(&command))
    return function->runs_commands ? call_now(stream, function->call)
                                   : call_on_stream(stream, std::move(function->call));
  return put(stream, command);
}

Status GpuDevice::put(CUstream stream, const Command& command) {
  return std::visit(
      [&](const auto& one) -> Status {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, HostFunction>)
          return {Failure::NotSupported, "a host function cannot run inside another"};
        else if constexpr (std::is_same_v<T, Lifetime>)
          return {};  // nothing is checked here
        else
          return put_one(stream, one);
      },
      command);
}

// --- copies and fills -----------------------------------------------------------------------------------------

Status GpuDevice::put_one(CUstream stream, const CopyToDevice& c) {
  const CopyShape s = joined(c.shape);
  if (is_empty(s)) return {};
  const size_t bytes = reach(s.width, s.height, s.depth, s.dst_pitch, s.dst_slice);
  if (Status status = images_.before_write(stream, c.dst, bytes); !status.ok()) return status;
  const CUresult result =
      copy_slices(driver(), stream, on_device(c.dst), on_host(c.src), s, [&](size_t to, size_t from, size_t width) {
        return driver().copy_to_device(c.dst + to, static_cast<const char*>(c.src) + from, width, stream);
      });
  return context_.check(result, fmt::format("copying to {:#x}", c.dst));
}

Status GpuDevice::put_one(CUstream stream, const CopyFromDevice& c) {
  const CopyShape s = joined(c.shape);
  if (is_empty(s)) return {};
  const size_t bytes = reach(s.width, s.height, s.depth, s.src_pitch, s.src_slice);
  if (Status status = images_.before_read(stream, c.src, bytes); !status.ok()) return status;
  const CUresult result =
      copy_slices(driver(), stream, on_host(c.dst), on_device(c.src), s, [&](size_t to, size_t from, size_t width) {
        return driver().copy_from_device(static_cast<char*>(c.dst) + to, c.src + from, width, stream);
      });
  return context_.check(result, fmt::format("copying from {:#x}", c.src));
}

Status GpuDevice::put_one(CUstream stream, const CopyOnDevice& c) {
  const CopyShape s = joined(c.shape);
  if (is_empty(s)) return {};
  if (Status status = images_.before_read(stream, c.src, reach(s.width, s.height, s.depth, s.src_pitch, s.src_slice));
      !status.ok())
    return status;
  if (Status status = images_.before_write(stream, c.dst, reach(s.width, s.height, s.depth, s.dst_pitch, s.dst_slice));
      !status.ok())
    return status;
  const CUresult result =
      copy_slices(driver(), stream, on_device(c.dst), on_device(c.src), s, [&](size_t to, size_t from, size_t width) {
        return driver().copy_on_device(c.dst + to, c.src + from, width, stream);
      });
  return context_.check(result, fmt::format("copying from {:#x} to {:#x}", c.src, c.dst));
}

Status GpuDevice::put_one(CUstream stream, const CopyOnHost& c) {
  if (is_empty(c.shape)) return {};
  return call_on_stream(stream, [c] {
    for (size_t z = 0; z < c.shape.depth; ++z)
      for (size_t y = 0; y < c.shape.height; ++y)
        std::memmove(static_cast<char*>(c.dst) + z * c.shape.dst_slice + y * c.shape.dst_pitch,
                     static_cast<const char*>(c.src) + z * c.shape.src_slice + y * c.shape.src_pitch, c.shape.width);
  });
}

Status GpuDevice::put_one(CUstream stream, const Fill& f) {
  if (f.width == 0 || f.height == 0) return {};
  if (f.value_bytes != 1 && f.value_bytes != 2 && f.value_bytes != 4)
    return {Failure::InvalidValue, fmt::format("a fill with a pattern of {} bytes", f.value_bytes)};
  if (Status status = images_.before_write(stream, f.dst, reach(f.width, f.height, 1, f.pitch, 0)); !status.ok())
    return status;
  const size_t count = f.width / f.value_bytes;
  const auto byte = static_cast<unsigned char>(f.value);
  const auto half = static_cast<unsigned short>(f.value);
  CUresult result = kSuccess;
  if (f.height == 1)
    result = f.value_bytes == 1   ? driver().fill_8(f.dst, byte, count, stream)
             : f.value_bytes == 2 ? driver().fill_16(f.dst, half, count, stream)
                                  : driver().fill_32(f.dst, f.value, count, stream);
  else
    result = f.value_bytes == 1   ? driver().fill_rows_8(f.dst, f.pitch, byte, count, f.height, stream)
             : f.value_bytes == 2 ? driver().fill_rows_16(f.dst, f.pitch, half, count, f.height, stream)
                                  : driver().fill_rows_32(f.dst, f.pitch, f.value, count, f.height, stream);
  return context_.check(result, fmt::format("filling {:#x}", f.dst));
}

// --- kernels --------------------------------------------------------------------------------------------------

Status GpuDevice::kernel_of(KernelId id, Kernel** out) {
  std::lock_guard lock(mutex_);
  auto found = kernels_.find(id);
  if (found == kernels_.end()) return {Failure::InvalidValue, fmt::format("there is no kernel {}", id)};
  *out = found->second.get();
  return {};
}

Status GpuDevice::add_cluster(Kernel& kernel, Dim3 cluster, LaunchAttribute* attribute) {
  attribute->id = LaunchAttribute::ClusterDimension;
  attribute->cluster[0] = cluster.x, attribute->cluster[1] = cluster.y, attribute->cluster[2] = cluster.z;
  if (cluster.count() <= kPortableClusterBlocks || kernel.large_clusters) return {};
  Status status = context_.check(driver().set_function_attribute(kernel.function, kNonPortableCluster, 1),
                                 fmt::format("allowing a cluster of {} blocks", cluster.count()));
  kernel.large_clusters = status.ok();
  return status;
}

Status GpuDevice::count_clusters(const Launch& launch, std::optional<int>* clusters) {
  clusters->reset();
  if (!driver().active_clusters) return {};
  if (Status status = context_.enter(); !status.ok()) return status;
  Kernel* kernel = nullptr;
  if (Status status = kernel_of(launch.kernel, &kernel); !status.ok()) return status;
  LaunchAttribute attribute{};
  if (Status status = add_cluster(*kernel, launch.cluster, &attribute); !status.ok()) return status;
  const LaunchConfig config{launch.cluster.x,
                            launch.cluster.y,
                            launch.cluster.z,
                            launch.block.x,
                            launch.block.y,
                            launch.block.z,
                            launch.dynamic_shared_bytes,
                            nullptr,
                            &attribute,
                            1};
  int count = 0;
  if (Status status = context_.check(driver().active_clusters(&count, kernel->function, &config), "counting clusters");
      !status.ok())
    return status;
  *clusters = count;
  return {};
}

Status GpuDevice::put_one(CUstream stream, const Launch& launch) {
  Kernel* kernel = nullptr;
  if (Status status = kernel_of(launch.kernel, &kernel); !status.ok()) return status;
  const KernelInfo& info = kernel->info;
  if (launch.parameters.size() < info.parameter_bytes)
    return {Failure::InvalidValue, fmt::format("{} bytes of parameters for `{}`, which has {}",
                                               launch.parameters.size(), info.name, info.parameter_bytes)};
  std::array<LaunchAttribute, 2> attributes{};
  LaunchConfig config{launch.grid.x,
                      launch.grid.y,
                      launch.grid.z,
                      launch.block.x,
                      launch.block.y,
                      launch.block.z,
                      launch.dynamic_shared_bytes,
                      stream,
                      attributes.data(),
                      0};
  if (launch.cooperative) {
    LaunchAttribute& attribute = attributes[config.attribute_count++];
    attribute.id = LaunchAttribute::Cooperative;
    attribute.cooperative = 1;
  }
  if (launch.cluster.count() > 1)
    if (Status status = add_cluster(*kernel, launch.cluster, &attributes[config.attribute_count++]); !status.ok())
      return status;
  if (Status status = images_.before_launch(stream); !status.ok()) return status;
  std::vector<void*> parameters(info.parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i)
    parameters[i] = const_cast<std::byte*>(launch.parameters.data()) + info.parameters[i].offset;
  uint64_t ticket = 0;
  if (Status status = times_.before(stream, &ticket); !status.ok()) return status;
  const CUresult result = driver().launch(&config, kernel->function, parameters.data(), nullptr);
  if (result == kSuccess) {
    images_.after_launch();
    return times_.after(stream, ticket, {info.name, launch.grid, launch.block, launch.dynamic_shared_bytes, 0});
  }
  times_.drop(ticket);
  return context_.check(result, fmt::format("launching `{}` with a grid of {} and blocks of {}", info.name,
                                            text_of(launch.grid), text_of(launch.block)));
}

// --- order and values -----------------------------------------------------------------------------------------

Status GpuDevice::put_one(CUstream stream, const RecordEvent& record) {
  CUevent event = nullptr;
  if (Status status = event_of(record.event, &event); !status.ok()) return status;
  if (Status status = context_.check(driver().record_event(event, stream), "recording an event"); !status.ok())
    return status;
  std::lock_guard lock(mutex_);
  if (auto found = events_.find(record.event); found != events_.end()) found->second.recorded = true;
  return {};
}

Status GpuDevice::put_one(CUstream stream, const WaitEvent& wait) {
  CUevent event = nullptr;
  if (Status status = event_of(wait.event, &event); !status.ok()) return status;
  return context_.check(driver().wait_event(stream, event, 0), "letting a stream wait for an event");
}

Status GpuDevice::put_one(CUstream stream, const WaitValue& wait) {
  static_assert(unsigned(WaitValue::Test::AtLeast) == kWaitAtLeast && unsigned(WaitValue::Test::Equal) == kWaitEqual &&
                unsigned(WaitValue::Test::And) == kWaitAnd && unsigned(WaitValue::Test::Nor) == kWaitNor);
  WARPWISE_NEED(driver(), wait_value_32, "cuStreamWaitValue32_v2");
  WARPWISE_NEED(driver(), wait_value_64, "cuStreamWaitValue64_v2");
  waits_for_values_ = true;
  const auto test = static_cast<unsigned>(wait.test);
  const CUresult result = wait.bytes == 8
                              ? driver().wait_value_64(stream, wait.address, wait.value, test)
                              : driver().wait_value_32(stream, wait.address, static_cast<uint32_t>(wait.value), test);
  return context_.check(result, fmt::format("letting a stream wait for a value at {:#x}", wait.address));
}

Status GpuDevice::put_one(CUstream stream, const WriteValue& write) {
  WARPWISE_NEED(driver(), write_value_32, "cuStreamWriteValue32_v2");
  WARPWISE_NEED(driver(), write_value_64, "cuStreamWriteValue64_v2");
  const CUresult result = write.bytes == 8
                              ? driver().write_value_64(stream, write.address, write.value, 0)
                              : driver().write_value_32(stream, write.address, static_cast<uint32_t>(write.value), 0);
  return context_.check(result, fmt::format("writing a value to {:#x}", write.address));
}

// --- host functions -------------------------------------------------------------------------------------------

// The driver calls it on a thread of its own when the stream gets there.
Status GpuDevice::call_on_stream(CUstream stream, std::function<void()> function) {
  auto owned = std::make_unique<std::function<void()>>(std::move(function));
  const CUresult result = driver().launch_host_function(
      stream,
      [](void* data) {
        std::unique_ptr<std::function<void()>> mine(static_cast<std::function<void()>*>(data));
        (*mine)();
      },
      owned.get());
  if (result == kSuccess) (void)owned.release();
  return context_.check(result, "putting a host function on a stream");
}

// The driver lets no function that it calls call it in turn. So one that has commands to run is called here, once what
// comes before it in the stream is done, and what comes after it has not been submitted yet.
Status GpuDevice::call_now(CUstream stream, const std::function<void()>& function) {
  if (Status status = context_.check(driver().synchronise_stream(stream), "waiting for a stream"); !status.ok())
    return status;
  function();
  std::lock_guard lock(inside_mutex_);
  Status failed = std::exchange(inside_failure_, {});
  // It is the function's, not submit's: the next call that waits returns it.
  if (!failed.ok() && late_failure_.ok()) late_failure_ = std::move(failed);
  return {};
}

Status GpuDevice::run_inside(const Command& command) {
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = put(inside_, command); !status.ok()) return status;
  return context_.check(driver().synchronise_stream(inside_), "waiting for a stream");
}

void GpuDevice::fail_inside(Status status) {
  std::lock_guard lock(inside_mutex_);
  inside_failure_ = std::move(status);
}

Status GpuDevice::or_late_failure(Status status) {
  if (!status.ok()) return status;
  std::lock_guard lock(inside_mutex_);
  return std::exchange(late_failure_, {});
}

}  // namespace warpwise::device::gpu
