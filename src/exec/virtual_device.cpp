#include "exec/virtual_device.h"

#include <fmt/format.h>

#include "base/host_place.h"
#include "exec/fault/fault_report.h"
#include "exec/fault/guard.h"
#include "exec/loading/jit_engine.h"
#include "exec/memory/host_pages.h"
#include "exec/observer.h"
#if __has_include("exec/interpreter/interpreter.h")
#include "exec/interpreter/interpreter.h"
#include "exec/tiers/tiered_engine.h"
#define WARPWISE_HAS_INTERPRETER 1
#endif

namespace warpwise::exec {

using device::Address;
using device::EventId;
using device::Failure;
using device::KernelId;
using device::MemoryKind;
using device::ModuleId;
using device::Status;
using device::StreamId;

namespace {

// As the host's processor and kernels may write it at any time.
uint64_t load_word(Address address, unsigned bytes) {
  const std::byte* word = engine_view(address);
  return bytes == 8 ? __atomic_load_n(reinterpret_cast<const uint64_t*>(word), __ATOMIC_SEQ_CST)
                    : __atomic_load_n(reinterpret_cast<const uint32_t*>(word), __ATOMIC_SEQ_CST);
}

}  // namespace

Result<std::unique_ptr<VirtualDevice>> VirtualDevice::create(DeviceSetup setup) {
  const device::Properties* properties = TRY(device::device_named(setup.options.device));
#ifndef WARPWISE_HAS_INTERPRETER
  if (setup.options.engine == EngineKind::Interpreter)
    return Error{"U0005", "option `engine`: this build has no interpreter"};
#endif
  return std::unique_ptr<VirtualDevice>(new VirtualDevice(std::move(setup), *properties));
}

VirtualDevice::VirtualDevice(DeviceSetup setup, const device::Properties& properties)
    : setup_(std::move(setup)),
      properties_(properties),
      arena_(properties.global_memory_bytes),
      textures_(arena_),
      heap_(arena_, setup_.options.heap_bytes),
      output_(setup_.print ? Output(setup_.print) : Output()),
      queue_([this](device::Command& command) { return run(command); }, [this] { output_.release(); }),
      address_ranges_(arena_, [this] { return queue_.wait_all(); }) {
  queue_.watch_values({[this](const device::WaitValue& wait) {
                         return !arena_.find(wait.address) || ends_wait(wait, load_word(wait.address, wait.bytes));
                       },
                       [this](const device::WaitValue& wait) { return describe_wait(wait); },
                       setup_.options.timeout_seconds});
  machine_ = {&properties_,
              setup_.options,
              &arena_,
              &heap_,
              &output_,
              &textures_,
              setup_.dump,
              setup_.options.check.any() ? setup_.findings.get() : nullptr,
              setup_.observer.get(),
              setup_.stop};
  if (!machine_.findings) machine_.options.check = {};
  if (setup_.observer) {
    setup_.observer->begin(arena_);
    if (setup_.observer->wants_order()) {
      host_accesses_.emplace(arena_, queue_, *setup_.observer);
      queue_.keep_order(
          {[this](const auto& order) { setup_.observer->command_begins(order); },
           [this](const device::Command& command) { return host_accesses_->concern(command); },
           [this](const device::Command& command, const auto& order) { host_accesses_->submitted(command, order); },
           [this](const StreamOrder& order) { host_accesses_->waited(order); }});
    }
    if (TimeObserver* time = setup_.observer->time())
      queue_.model_time(
          {[time](const device::Command& command) { return time->nanoseconds_of(command); },
           [time](const device::Command& command, const CommandPlace& place) { time->placed(command, place); },
           [time](uint64_t nanoseconds) { time->begins_at(nanoseconds); }, time->host_costs()});
    if (ProgramObserver* program = setup_.observer->program()) program_record_.emplace(queue_, *program);
    arena_.watch(setup_.observer.get());
    heap_.watch(setup_.observer.get());
  }
  if (setup_.options.engine == EngineKind::Interpreter && setup_.observer && setup_.observer->watch() != 0 &&
      machine_.findings)
    machine_.findings->note_unchecked(
        "accesses and barriers of kernels: the interpreter does not report them (leave out --engine=interpreter)");
  make_engine();
  if (setup_.options.approximate_mma && setup_.options.engine == EngineKind::Jit)
    fmt::print(stderr,
               "warpwise: --approximate-mma: matrix products of f16, bf16, tf32 and fp8 are fused multiply-adds; their "
               "last bits are not the {}'s\n",
               properties_.name);
  enter_fault_handling();
  watch_arena(&arena_);
}

VirtualDevice::~VirtualDevice() {
  queue_.stop_background();
  forget_arena(&arena_);
  engine_.reset();
  modules_.clear();
}

void VirtualDevice::make_engine() {
#ifdef WARPWISE_HAS_INTERPRETER
  if (setup_.options.engine == EngineKind::Interpreter) {
    engine_ = make_interpreter(machine_);
    return;
  }
  using CompilingEngine = TieredEngine;
#else
  using CompilingEngine = JitEngine;
#endif
  CompilerSource compiler = setup_.compiler ? *setup_.compiler : compiler_plugin(setup_.options.compiler_plugin);
  engine_ = std::make_unique<CompilingEngine>(machine_, std::move(compiler), setup_.cache);
}

// --- memory -----------------------------------------------------------------------------------------------

Status VirtualDevice::allocate(size_t size, MemoryKind kind, Address* out) {
  if (Status sticky = queue_.sticky(); !sticky.ok()) return sticky;
  if (size == 0) return {Failure::InvalidValue, "an allocation of 0 bytes"};
  auto address = arena_.allocate(size, kind);
  if (!address.ok()) return {Failure::OutOfMemory, address.error().message};
  *out = *address;
  return Status::success();
}

Status VirtualDevice::free(Address base) {
  if (Status status = queue_.wait_all(); !status.ok()) return status;
  return release(base);
}

Status VirtualDevice::free_in_order(std::optional<StreamId> stream, Address base) {
  if (auto region = arena_.find(base);
      host_accesses_ && region && region->base == base && region->owner == Owner::Program) {
    if (stream)
      queue_.push(*stream, device::Lifetime{base, region->size, true});
    else
      queue_.host_acted([this, base, bytes = region->size, place = host_place()] {
        machine_.observer->lifetime(base, bytes, true, place);
      });
  }
  if (Status status = queue_.run_all(); !status.ok()) return status;
  if (!queue_.holds()) return release(base);
  // A stream is blocked, perhaps this one: its earlier commands may use the memory.
  queue_.push(stream.value_or(0), device::HostFunction{[this, base] { (void)release(base); }});
  return {};
}

void VirtualDevice::annotate(device::MemoryAnnotation annotation) {
  if (!machine_.observer) return;
  auto tell = [this, annotation = std::move(annotation), place = host_place()] {
    if (annotation.kind == device::MemoryAnnotation::Kind::Name) arena_.name(annotation.base, annotation.name);
    machine_.observer->annotated(annotation, place);
  };
  if (!queue_.host_acted(tell)) tell();
}

Status VirtualDevice::release(Address base) {
  auto region = arena_.find(base);
  if (region && region->base == base && region->owner == Owner::Program) {
    if (!arena_.free(base))
      return {Failure::InvalidValue,
              fmt::format("{:#x} was mapped or opened, not allocated: it goes the way it came", base)};
    textures_.forget(base, region->size);
    return Status::success();
  }
  if (region && region->owner == Owner::Program)
    return {Failure::InvalidValue,
            fmt::format("{:#x} is not the start of its allocation, which is {:#x}", base, region->base)};
  return {Failure::InvalidValue, describe_address(arena_, base)};
}

std::optional<device::Allocation> VirtualDevice::find_allocation(Address address) const {
  auto region = arena_.find(address);
  if (!region || region->owner == Owner::Engine) return std::nullopt;
  return device::Allocation{region->base, region->size, region->kind};
}

void VirtualDevice::memory_info(size_t* free_bytes, size_t* total_bytes) const {
  *free_bytes = arena_.free_bytes();
  *total_bytes = arena_.total_bytes();
}

Status VirtualDevice::set_heap_size(size_t bytes) {
  if (heap_.set_bytes(bytes)) return Status::success();
  return {Failure::InvalidValue,
          "the heap of kernels is in use already: its size must be set before the first kernel that allocates"};
}

Status VirtualDevice::set_stack_size(size_t bytes) {
  constexpr size_t kMostLocalBytes = 512 << 10;  // of a thread, CUDA programming guide, technical specifications
  if (bytes >= kMostLocalBytes)
    return {Failure::InvalidValue,
            fmt::format("{} bytes of stack: a thread has {} bytes of local memory", bytes, kMostLocalBytes)};
  if (Status status = queue_.wait_all(); !status.ok()) return status;
  stack_bytes_ = std::max<uint32_t>(static_cast<uint32_t>(bytes + 15) / 16 * 16, kLeastStackBytes);
  return Status::success();
}

// --- modules ----------------------------------------------------------------------------------------------

Status VirtualDevice::load_module(std::string_view image, std::string_view name, ModuleId* out) {
  std::lock_guard lock(mutex_);
  *out = next_module_++;
  modules_.emplace(*out, std::make_unique<LoadedModule>(image, name, properties_, arena_));
  return Status::success();
}

LoadedModule* VirtualDevice::module_of(ModuleId module) {
  std::lock_guard lock(mutex_);
  auto found = modules_.find(module);
  return found == modules_.end() ? nullptr : found->second.get();
}

LoadedFunction* VirtualDevice::function_of(KernelId kernel) const {
  std::lock_guard lock(mutex_);
  auto found = kernels_.find(kernel);
  return found == kernels_.end() ? nullptr : found->second;
}

Status VirtualDevice::unload_module(ModuleId module) {
  if (Status status = queue_.wait_all(); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  auto found = modules_.find(module);
  if (found == modules_.end()) return {Failure::InvalidValue, "there is no such module"};
  for (const auto& [name, function] : found->second->kernels()) {
    engine_->forget(function->image);
    if (auto id = kernel_ids_.find(function.get()); id != kernel_ids_.end()) {
      kernels_.erase(id->second);
      kernel_ids_.erase(id);
    }
  }
  modules_.erase(found);
  return Status::success();
}

Status VirtualDevice::find_kernel(ModuleId id, std::string_view name, KernelId* out) {
  LoadedModule* module = module_of(id);
  if (!module) return {Failure::InvalidValue, "there is no such module"};
  LoadedFunction* function = nullptr;
  if (Status status = module->find_kernel(name, &function); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  auto [entry, fresh] = kernel_ids_.emplace(function, next_kernel_);
  if (fresh) kernels_.emplace(next_kernel_++, function);
  *out = entry->second;
  return Status::success();
}

Status VirtualDevice::find_symbol(ModuleId id, std::string_view name, device::SymbolInfo* out) {
  LoadedModule* module = module_of(id);
  if (!module) return {Failure::InvalidValue, "there is no such module"};
  return module->find_symbol(name, out);
}

Status VirtualDevice::list_kernels(ModuleId id, std::vector<std::string>* names) {
  LoadedModule* module = module_of(id);
  if (!module) return {Failure::InvalidValue, "there is no such module"};
  return module->list_kernels(names);
}

Status VirtualDevice::make_managed(ModuleId id, std::string_view variable) {
  LoadedModule* module = module_of(id);
  if (!module) return {Failure::InvalidValue, "there is no such module"};
  return module->make_managed(variable);
}

void VirtualDevice::seen_at(device::Address address, size_t bytes, const void* host) {
  if (HostPages* pages = arena_.host_pages()) pages->add_view(address, bytes, reinterpret_cast<device::Address>(host));
}

const device::KernelInfo& VirtualDevice::kernel_info(KernelId kernel) const {
  static const device::KernelInfo none;
  const LoadedFunction* function = function_of(kernel);
  return function ? function->info : none;
}

Status VirtualDevice::allow_dynamic_shared(KernelId kernel, uint32_t bytes) {
  LoadedFunction* function = function_of(kernel);
  if (!function) return {Failure::InvalidValue, "there is no such kernel"};
  uint64_t all = uint64_t{bytes} + function->info.static_shared_bytes;
  if (all > properties_.shared_per_block_optin_bytes)
    return {Failure::InvalidValue, fmt::format("{} bytes of shared memory ({} of them static): {} has {} per block",
                                               all, function->info.static_shared_bytes, properties_.name,
                                               properties_.shared_per_block_optin_bytes)};
  function->dynamic_shared_limit = bytes;
  return Status::success();
}

// --- streams and events -----------------------------------------------------------------------------------

StreamId VirtualDevice::create_stream(bool blocking, int) { return queue_.create_stream(blocking); }

Status VirtualDevice::destroy_stream(StreamId stream) {
  if (stream == 0 || !queue_.has_stream(stream)) return {Failure::InvalidValue, "there is no such stream"};
  queue_.destroy_stream(stream);
  return Status::success();
}

EventId VirtualDevice::create_event() { return queue_.create_event(); }

Status VirtualDevice::destroy_event(EventId event) {
  if (!queue_.has_event(event)) return {Failure::InvalidValue, "there is no such event"};
  queue_.destroy_event(event);
  return Status::success();
}

Status VirtualDevice::submit(StreamId stream, device::Command command) {
  if (Status sticky = queue_.sticky(); !sticky.ok()) return sticky;
  if (!queue_.has_stream(stream)) return {Failure::InvalidValue, "there is no such stream"};
  Status status = std::visit([this](const auto& c) { return check(c); }, command);
  if (!status.ok()) return status;
  // Code that closes memory to the host finds registered memory in the same way as other memory that both use.
  if (arena_.host_pages()) {
    if (auto* copy = std::get_if<device::CopyToDevice>(&command)) copy->src = address_ranges_.device_view(copy->src);
    if (auto* copy = std::get_if<device::CopyFromDevice>(&command))
      copy->dst = const_cast<void*>(address_ranges_.device_view(copy->dst));
  }
  queue_.push(stream, std::move(command));
  return Status::success();
}

Status VirtualDevice::run_inside(const device::Command& command) {
  if (std::holds_alternative<device::WaitValue>(command))
    return {Failure::NotSupported, "nothing can wait for a value in the middle of another command"};
  if (Status status = std::visit([this](const auto& c) { return check(c); }, command); !status.ok()) return status;
  device::Command copy = command;
  return run(copy);
}

Status VirtualDevice::wait(StreamId stream) {
  if (!queue_.has_stream(stream)) return {Failure::InvalidValue, "there is no such stream"};
  return queue_.wait(stream);
}

Status VirtualDevice::wait_all() { return queue_.wait_all(); }

Status VirtualDevice::wait_event(EventId event) {
  if (!queue_.has_event(event)) return {Failure::InvalidValue, "there is no such event"};
  return queue_.wait_event(event);
}

bool VirtualDevice::stream_done(StreamId stream) { return queue_.stream_done(stream); }
bool VirtualDevice::event_done(EventId event) { return queue_.event_done(event); }
bool VirtualDevice::event_recorded(EventId event) const { return queue_.event_recorded(event); }
uint64_t VirtualDevice::event_time(EventId event) const { return queue_.event_time(event); }

std::string VirtualDevice::describe_wait(const device::WaitValue& wait) const {
  const char* test = "";
  switch (wait.test) {
    case device::WaitValue::Test::AtLeast:
      test = "to be at least";
      break;
    case device::WaitValue::Test::Equal:
      test = "to be";
      break;
    case device::WaitValue::Test::And:
      test = "to share a bit with";
      break;
    case device::WaitValue::Test::Nor:
      test = "to have a bit 0 that is 0 in";
      break;
  }
  return fmt::format("for the {} bytes at {:#x} {} {:#x} (they are {:#x}; {})", wait.bytes, wait.address, test,
                     wait.value, arena_.find(wait.address) ? load_word(wait.address, wait.bytes) : 0,
                     describe_address(arena_, wait.address));
}

// Every texel must lie in an allocation: what kernels read through the handle is then never a wild access.
Status VirtualDevice::create_texture(const device::TextureDescriptor& texture, uint64_t* handle) {
  const device::Image& image = texture.image;
  if (image.level_count == 0 || image.level_count > device::kMaxLevels)
    return {Failure::InvalidValue, "an image has 1 to 16 levels"};
  for (uint32_t n = 0; n < image.level_count; ++n) {
    const device::ImageLevel& level = image.levels[n];
    const uint64_t slices = uint64_t{level.depth} * image.layers * (image.shape == device::ImageShape::Cube ? 6 : 1);
    const uint64_t last = (slices - 1) * level.slice + uint64_t{level.height - 1} * level.pitch +
                          uint64_t{level.width} * image.format.bytes();
    auto region = arena_.find(level.base);
    if (!region || level.base + last > region->base + region->size)
      return {Failure::InvalidAddress, describe_address(arena_, level.base)};
  }
  return textures_.add(texture, handle);
}

Status VirtualDevice::destroy_texture(uint64_t handle) {
  if (Status status = queue_.wait_all(); !status.ok()) return status;
  return textures_.remove(handle);
}

void VirtualDevice::reset() {
  queue_.reset();
  // The engine keeps memory in the arena and code of the modules.
  engine_.reset();
  {
    std::lock_guard lock(mutex_);
    kernels_.clear();
    kernel_ids_.clear();
    modules_.clear();
  }
  heap_.reset();
  address_ranges_.end_context();
  textures_.clear();
  stack_bytes_ = kLeastStackBytes;
  grid_workspace_ = 0;
  arena_.free_all();
  make_engine();
}

}  // namespace warpwise::exec
