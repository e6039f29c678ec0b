#include "device/gpu/gpu_device.h"

#include <fmt/format.h>

#include <charconv>

namespace warpwise::device::gpu {

Result<std::unique_ptr<Device>> open(const Setup& setup) {
  return std::unique_ptr<Device>(TRY(GpuDevice::open(setup)));
}

Result<std::unique_ptr<const Description>> find(unsigned ordinal) { return describe(*TRY(Driver::open()), ordinal); }

Result<std::vector<std::unique_ptr<const Description>>> find_all() { return describe_all(*TRY(Driver::open())); }

Result<std::optional<unsigned>> read_place(std::string_view words) {
  if (words.empty() || words == "virtual") return std::optional<unsigned>();
  constexpr std::string_view kGpu = "gpu";
  if (words == kGpu) return std::optional<unsigned>(0);
  unsigned ordinal = 0;
  if (words.starts_with("gpu:")) {
    const char *first = words.data() + kGpu.size() + 1, *last = words.data() + words.size();
    auto [end, error] = std::from_chars(first, last, ordinal);
    if (first != last && error == std::errc() && end == last) return std::optional<unsigned>(ordinal);
  }
  return Error{"U0005", fmt::format("--on takes `virtual`, `gpu` or `gpu:N`, not `{}`", words)};
}

GpuDevice::GpuDevice(std::shared_ptr<const Driver> driver, std::unique_ptr<const Description> description,
                     std::shared_ptr<LaunchObserver> launches)
    : context_(std::move(driver), std::move(description)), times_(context_, std::move(launches)) {}

Result<std::unique_ptr<GpuDevice>> GpuDevice::open(const Setup& setup) {
  auto driver = TRY(Driver::open(setup.driver));
  auto description = TRY(describe(*driver, setup.ordinal));
  const std::string id = description->id;
  std::unique_ptr<GpuDevice> device(new GpuDevice(std::move(driver), std::move(description), setup.launches));
  Status status = device->start();
  if (status.ok() && setup.heap_bytes) status = device->set_heap_size(*setup.heap_bytes);
  if (!status.ok()) return Error{"R0601", fmt::format("there is no GPU to run on: {}: {}", id, status.detail)};
  return device;
}

GpuDevice::~GpuDevice() { release_everything(); }

Status GpuDevice::start() {
  if (Status s = context_.take(); !s.ok()) return s;
  if (Status s = context_.check(driver().create_stream(&inside_, kStreamNonBlocking, 0), "making a stream"); !s.ok())
    return s;
  if (Status s = context_.check(driver().create_event(&epoch_, 0), "making an event"); !s.ok()) return s;
  if (Status s = context_.check(driver().record_event(epoch_, nullptr), "recording an event"); !s.ok()) return s;
  return context_.check(driver().synchronise_event(epoch_), "waiting for an event");
}

// In a context that has failed the driver refuses all of this, and frees it with the context.
void GpuDevice::release_everything() {
  if (!context_.taken()) return;
  context_.enter_despite_failure();
  if (context_.is_abandoned()) return forget_everything();
  (void)driver().synchronise();
  (void)freed_.give_back();
  times_.clear();
  images_.clear();
  mapped_.clear();
  std::lock_guard lock(mutex_);
  for (const auto& [id, event] : events_) (void)driver().destroy_event(event.handle);
  for (const auto& [id, stream] : streams_) (void)driver().destroy_stream(stream);
  for (const auto& [id, module] : modules_)
    if (module->handle) (void)driver().unload_module(module->handle);
  for (const auto& [base, allocation] : allocations_) {
    if (allocation.kind == MemoryKind::Pinned)
      (void)driver().free_host(reinterpret_cast<void*>(base));
    else
      (void)driver().free(base);
  }
  events_.clear(), streams_.clear(), modules_.clear(), kernels_.clear(), allocations_.clear();
  if (epoch_) (void)driver().destroy_event(std::exchange(epoch_, nullptr));
  if (inside_) (void)driver().destroy_stream(std::exchange(inside_, nullptr));
  context_.give_back();
}

// Work that waits for ever lets nothing be given back: all of it goes with the context.
void GpuDevice::forget_everything() {
  images_.forget();
  mapped_.forget();
  freed_.forget();
  times_.forget();
  std::lock_guard lock(mutex_);
  events_.clear(), streams_.clear(), modules_.clear(), kernels_.clear(), allocations_.clear();
  epoch_ = nullptr, inside_ = nullptr;
  waits_for_values_ = false;
  context_.reset();
}

void GpuDevice::reset() {
  release_everything();
  context_.reset();
  {
    std::lock_guard lock(inside_mutex_);
    inside_failure_ = late_failure_ = {};
  }
  Status status = start();
  if (!status.ok()) context_.poison({Failure::LaunchFailure, std::move(status.detail)});
}

Status GpuDevice::sticky_failure() const { return context_.sticky(); }

Status GpuDevice::set_limit(int limit, size_t bytes, std::string_view what) {
  if (Status status = context_.enter(); !status.ok()) return status;
  return context_.check(driver().set_limit(limit, bytes), fmt::format("{} bytes for {}", bytes, what));
}

// --- memory ---------------------------------------------------------------------------------------------------

Status GpuDevice::allocate(size_t size, MemoryKind kind, Address* out) {
  if (size == 0) return {Failure::InvalidValue, "an allocation of 0 bytes"};
  if (Status status = context_.enter(); !status.ok()) return status;
  const std::string what = fmt::format("allocating {} bytes", size);
  CUresult result = kSuccess;
  Address base = 0;
  switch (kind) {
    case MemoryKind::Device:
      base = freed_.take(size);
      if (base == 0) result = driver().allocate(&base, size);
      if (failure_of(result) == Failure::OutOfMemory) {  // what was freed may be enough
        if (Status status = wait_all(); !status.ok()) return status;
        if (Status status = freed_.give_back(); !status.ok()) return status;
        result = driver().allocate(&base, size);
      }
      break;
    case MemoryKind::Managed:
      result = driver().allocate_managed(&base, size, kAttachGlobal);
      break;
    case MemoryKind::Pinned: {
      void* memory = nullptr;
      result = driver().allocate_host(&memory, size, kHostPortable | kHostMapped);
      base = reinterpret_cast<Address>(memory);
      break;
    }
  }
  if (Status status = context_.check(result, what); !status.ok()) {
    if (status.failure == Failure::OutOfMemory) status.detail = "R0101: " + status.detail;
    return status;
  }
  std::lock_guard lock(mutex_);
  allocations_[base] = {base, size, kind};
  *out = base;
  return {};
}

Status GpuDevice::free(Address base) {
  if (Status status = context_.enter(); !status.ok()) return status;
  MemoryKind kind;
  {
    std::lock_guard lock(mutex_);
    auto found = allocations_.find(base);
    if (found == allocations_.end())
      return {Failure::InvalidAddress, fmt::format("{:#x} does not begin an allocation", base)};
    kind = found->second.kind;
  }
  if (Status status = wait_all(); !status.ok()) return status;
  const CUresult result =
      kind == MemoryKind::Pinned ? driver().free_host(reinterpret_cast<void*>(base)) : driver().free(base);
  if (Status status = context_.check(result, fmt::format("freeing {:#x}", base)); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  allocations_.erase(base);
  return {};
}

Status GpuDevice::free_in_order(std::optional<StreamId> id, Address base) {
  if (Status status = context_.enter(); !status.ok()) return status;
  CUstream stream = nullptr;
  if (id)
    if (Status status = stream_of(*id, &stream); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(base);
  if (found == allocations_.end() || found->second.kind != MemoryKind::Device)
    return {Failure::InvalidAddress, fmt::format("{:#x} does not begin an allocation of device memory", base)};
  Status status = freed_.add(id ? &stream : nullptr, base, found->second.size);
  if (status.ok()) allocations_.erase(found);
  return status;
}

std::optional<Allocation> GpuDevice::find_allocation(Address address) const {
  {
    std::lock_guard lock(mutex_);
    auto next = allocations_.upper_bound(address);
    if (next != allocations_.begin())
      if (const Allocation& found = std::prev(next)->second; address - found.base < found.size) return found;
    for (const auto& [id, module] : modules_)
      for (const auto& [name, symbol] : module->symbols)
        if (address >= symbol.base && address - symbol.base < symbol.size) return symbol;
  }
  return mapped_.find(address);
}

void GpuDevice::memory_info(size_t* free_bytes, size_t* total_bytes) const {
  *free_bytes = 0;
  *total_bytes = context_.description().properties.global_memory_bytes;
  if (context_.enter().ok())
    (void)context_.check(driver().memory_info(free_bytes, total_bytes), "asking for free memory");
}

}  // namespace warpwise::device::gpu
