// The handles of include/warpwise/device.h on device::Device.
#include "warpwise/device.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "api/code_on_disk.h"
#include "api/handles.h"
#include "base/result.h"
#include "device/device.h"
#include "device/gpu/gpu.h"
#include "exec/virtual_device.h"
#include "simt/pass_names.h"

namespace warpwise {

std::string name_of(device::Failure failure) {
  switch (failure) {
#define FAILURE(failure, error)  \
  case device::Failure::failure: \
    return #error;
#include "device/failures.inc"
#undef FAILURE
  }
  return "cudaErrorUnknown";
}

Result<void> result_of(device::Status status) {
  if (status.ok()) return {};
  return Error{name_of(status.failure), std::move(status.detail)};
}

namespace {

Error invalid_value(std::string message) { return {name_of(device::Failure::InvalidValue), std::move(message)}; }

DeviceInfo info_of(const device::Properties& p) {
  DeviceInfo info;
  info.id = p.id;
  info.name = p.name;
  info.major = p.major;
  info.minor = p.minor;
  info.multiprocessors = p.sm_count;
  info.memory_bytes = p.global_memory_bytes;
  info.shared_bytes_per_block = p.shared_per_block_optin_bytes;
  info.max_threads_per_block = p.kMaxThreadsPerBlock;
  info.warp_size = p.kWarpSize;
  return info;
}

KernelInfo info_of(const device::KernelInfo& k) {
  KernelInfo info;
  info.name = k.name;
  for (const device::KernelParameter& parameter : k.parameters) info.parameter_bytes.push_back(parameter.size);
  info.registers = k.registers;
  info.static_shared_bytes = k.static_shared_bytes;
  info.local_bytes = k.local_bytes;
  info.max_threads_per_block = k.max_threads_per_block;
  return info;
}

exec::ModeChoice mode_of(Mode mode) {
  switch (mode) {
    case Mode::Simt:
      return exec::ModeChoice::Simt;
    case Mode::Warps:
      return exec::ModeChoice::Warps;
    case Mode::Independent:
      return exec::ModeChoice::Independent;
    case Mode::Automatic:
      break;
  }
  return exec::ModeChoice::Automatic;
}

struct Setup {
  exec::DeviceSetup device;
  trace::Recorder* recorder = nullptr;
};

Result<Setup> setup_of(const Options& options) {
  Setup both;
  exec::DeviceSetup& setup = both.device;
  exec::Options& to = setup.options;
  to.device = options.device;
  to.engine = options.engine == Engine::Interpreter ? exec::EngineKind::Interpreter : exec::EngineKind::Jit;
  to.mode = mode_of(options.mode);
  to.fast = options.fast;
  to.approximate_mma = options.approximate_mma;
  to.threads = options.threads;
  to.timeout_seconds = options.timeout_seconds;
  if (options.shuffle) to.schedule = {true, *options.shuffle};
  to.heap_bytes = options.heap_bytes;
  for (const std::string& pass : options.off) TRY(simt::check_off(pass));
  to.off = options.off;
  for (const std::string& wish : options.dump) to.dump.emplace_back(TRY(simt::read_dump(wish)));
  to.time_passes = options.time_passes;
  if (options.cache) setup.cache = api::code_on_disk();
  setup.print = options.observers.print;
  setup.dump = options.observers.dump;
  if (options.recording) {
    trace::RecordingObserver recording = trace::make_recorder(*TRY(device::device_named(options.device)));
    setup.observer = recording.observer, both.recorder = recording.recorder;
  }
  return both;
}

device::CopyShape bytes_in_a_row(size_t bytes) { return {.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}; }

// Copies block: what was submitted before has run, and so has the copy.
Result<void> copy(device::Device& gpu, device::Command command) {
  TRY(result_of(gpu.submit(kQueue, std::move(command))));
  return result_of(gpu.wait(kQueue));
}

Result<void> check_range(const Memory& memory, size_t bytes, size_t offset) {
  if (offset <= memory.bytes() && bytes <= memory.bytes() - offset) return {};
  return invalid_value(
      fmt::format("{} bytes from byte {} of an allocation of {} bytes", bytes, offset, memory.bytes()));
}

}  // namespace

std::vector<DeviceInfo> known_devices() {
  std::vector<DeviceInfo> all;
  for (const device::Properties& properties : device::all_devices()) all.push_back(info_of(properties));
  return all;
}

Result<std::vector<DeviceInfo>> real_devices() {
  std::vector<DeviceInfo> all;
  for (const auto& gpu : TRY(device::gpu::find_all())) all.push_back(info_of(gpu->properties));
  return all;
}

// --- memory -----------------------------------------------------------------------------------------------

Memory::Memory(std::shared_ptr<DeviceState> device, Address address, std::size_t bytes, MemoryKind kind)
    : device_(std::move(device)), address_(address), bytes_(bytes), kind_(kind) {}

Memory::Memory(Memory&& other) noexcept
    : device_(std::move(other.device_)),
      address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)),
      kind_(other.kind_) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  if (this == &other) return *this;
  free();
  device_ = std::move(other.device_);
  address_ = std::exchange(other.address_, 0);
  bytes_ = std::exchange(other.bytes_, 0);
  kind_ = other.kind_;
  return *this;
}

Memory::~Memory() { free(); }

void Memory::free() noexcept {
  if (device_) (void)device_->gpu->free(address_);
  device_.reset();
}

void* Memory::host_pointer() const {
  return kind_ == MemoryKind::Managed ? reinterpret_cast<void*>(address_) : nullptr;
}

Result<void> Memory::write(const void* source, std::size_t bytes, std::size_t offset) {
  TRY(check_range(*this, bytes, offset));
  if (bytes == 0) return {};
  return copy(*device_->gpu, device::CopyToDevice{address_ + offset, source, bytes_in_a_row(bytes)});
}

Result<void> Memory::read(void* target, std::size_t bytes, std::size_t offset) const {
  TRY(check_range(*this, bytes, offset));
  if (bytes == 0) return {};
  return copy(*device_->gpu, device::CopyFromDevice{target, address_ + offset, bytes_in_a_row(bytes)});
}

Result<void> Memory::fill(std::uint8_t value) {
  if (bytes_ == 0) return {};
  device::Fill fill{.dst = address_, .value = value, .width = bytes_, .pitch = bytes_};
  return result_of(device_->gpu->submit(kQueue, fill));
}

// --- kernels ----------------------------------------------------------------------------------------------

const KernelInfo& Kernel::info() const { return state_->info; }

Result<void> Kernel::launch_with(const LaunchShape& shape, std::span<const Argument> arguments) const {
  const device::KernelInfo& info = state_->gpu().kernel_info(state_->id);
  if (arguments.size() != info.parameters.size())
    return invalid_value(
        fmt::format("{} arguments for the {} parameters of `{}`", arguments.size(), info.parameters.size(), info.name));
  device::Launch launch;
  launch.kernel = state_->id;
  launch.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
  launch.block = {shape.block.x, shape.block.y, shape.block.z};
  launch.cluster = {shape.cluster.x, shape.cluster.y, shape.cluster.z};
  launch.dynamic_shared_bytes = shape.dynamic_shared_bytes;
  launch.cooperative = shape.cooperative;
  launch.parameters.resize(info.parameter_bytes);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const device::KernelParameter& parameter = info.parameters[i];
    if (arguments[i].bytes != parameter.size)
      return invalid_value(fmt::format("argument {} of `{}` has {} bytes, its parameter {}", i + 1, info.name,
                                       arguments[i].bytes, parameter.size));
    std::memcpy(launch.parameters.data() + parameter.offset, arguments[i].data, parameter.size);
  }
  return result_of(state_->gpu().submit(kQueue, std::move(launch)));
}

// --- modules ----------------------------------------------------------------------------------------------

Result<Kernel> Module::kernel(std::string_view name) const {
  device::Device& gpu = *state_->device->gpu;
  auto kernel = std::make_shared<KernelState>();
  kernel->module = state_;
  TRY(result_of(gpu.find_kernel(state_->id, name, &kernel->id)));
  const device::KernelInfo& info = gpu.kernel_info(kernel->id);
  kernel->info = info_of(info);
  uint32_t most = gpu.properties().shared_per_block_optin_bytes;
  TRY(result_of(gpu.allow_dynamic_shared(kernel->id, most - std::min(most, info.static_shared_bytes))));
  return Kernel(std::move(kernel));
}

Result<Symbol> Module::symbol(std::string_view name) const {
  device::SymbolInfo found;
  TRY(result_of(state_->device->gpu->find_symbol(state_->id, name, &found)));
  return Symbol{found.address, found.size};
}

// --- devices ----------------------------------------------------------------------------------------------

Result<Device> Device::open(const Options& options) {
  if (!(options.timeout_seconds >= 0) || std::isinf(options.timeout_seconds))
    return Error{"U0005", "option `timeout_seconds`: expected seconds"};
  auto state = std::make_shared<DeviceState>();
  if (const auto ordinal = TRY(device::gpu::read_place(options.on))) {
    if (options.observers.print)
      return Error{"U0005", "option `observers.print`: what kernels print on a real GPU goes to stdout"};
    if (options.recording) return Error{"U0005", "option `recording`: launches are recorded on the virtual GPU alone"};
    state->gpu = TRY(device::gpu::open({.ordinal = *ordinal, .heap_bytes = options.heap_bytes}));
  } else {
    Setup setup = TRY(setup_of(options));
    state->recorder = setup.recorder;
    state->gpu = TRY(exec::VirtualDevice::create(std::move(setup.device)));
  }
  state->info = info_of(state->gpu->properties());
  return Device(std::move(state));
}

const DeviceInfo& Device::info() const { return state_->info; }

Result<Memory> Device::allocate(std::size_t bytes, MemoryKind kind) {
  auto to = kind == MemoryKind::Managed ? device::MemoryKind::Managed : device::MemoryKind::Device;
  device::Address address = 0;
  TRY(result_of(state_->gpu->allocate(bytes, to, &address)));
  return Memory(state_, address, bytes, kind);
}

Result<Module> Device::load(std::string_view ptx, std::string_view name) {
  auto module = std::make_shared<ModuleState>();
  module->device = state_;
  TRY(result_of(state_->gpu->load_module(ptx, name, &module->id)));
  // Devices parse when something is looked up. A module that is loaded by hand is parsed now, so that errors are known.
  device::SymbolInfo ignored;
  device::Status status = state_->gpu->find_symbol(module->id, "", &ignored);
  if (status.failure != device::Failure::NotFound) TRY(result_of(std::move(status)));
  return Module(std::move(module));
}

Result<Module> Device::compile(std::string_view source, CompileOptions options) {
  options.architecture = info().major * 10 + info().minor;
  return load(TRY(compile_cuda(source, options)), options.name);
}

Result<void> Device::write(Address target, const void* source, std::size_t bytes) {
  if (bytes == 0) return {};
  return copy(*state_->gpu, device::CopyToDevice{target, source, bytes_in_a_row(bytes)});
}

Result<void> Device::read(void* target, Address source, std::size_t bytes) const {
  if (bytes == 0) return {};
  return copy(*state_->gpu, device::CopyFromDevice{target, source, bytes_in_a_row(bytes)});
}

Result<void> Device::synchronize() { return result_of(state_->gpu->wait_all()); }

}  // namespace warpwise
