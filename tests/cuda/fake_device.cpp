#include "fake_device.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <regex>

#include "cuda/runtime/device/open_device.h"
#include "cuda/runtime/process.h"

namespace warpwise::cuda {

namespace testing {

namespace {

FakeDevice* opened = nullptr;

size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

size_t size_of_type(const std::string& type) { return std::strtoul(type.c_str() + 1, nullptr, 10) / 8; }

void copy_rows(void* dst, const void* src, const CopyShape& shape) {
  for (size_t z = 0; z < shape.depth; ++z)
    for (size_t y = 0; y < shape.height; ++y)
      std::memmove(static_cast<char*>(dst) + z * shape.dst_slice + y * shape.dst_pitch,
                   static_cast<const char*>(src) + z * shape.src_slice + y * shape.src_pitch, shape.width);
}

void* at(Address address) { return reinterpret_cast<void*>(address); }

}  // namespace

FakeDevice& fake() {
  if (!opened) (void)Process::instance().device();
  return *opened;
}

FakeDevice::FakeDevice() {
  properties_.id = "fake";
  properties_.name = "Fake H100";
  properties_.major = 9;
  properties_.sm_count = 132;
  properties_.core_clock_khz = 1980000;
  properties_.global_memory_bytes = uint64_t{80} << 30;
  properties_.l2_bytes = 50 << 20;
  properties_.shared_per_sm_bytes = 228 << 10;
  properties_.shared_per_block_optin_bytes = 227 << 10;
  properties_.threads_per_sm = 2048;
  properties_.blocks_per_sm = 32;
  streams_[0];
}

FakeDevice::~FakeDevice() { FakeDevice::reset(); }

Status FakeDevice::allocate(size_t size, MemoryKind kind, Address* out) {
  std::lock_guard lock(mutex_);
  if (size > memory_limit || used_ > memory_limit - size) return {Failure::OutOfMemory, fmt::format("{} bytes", size)};
  auto base = reinterpret_cast<Address>(std::aligned_alloc(512, round_up(size, 512)));
  allocations_[base] = {base, size, kind};
  used_ += size;
  *out = base;
  return {};
}

Status FakeDevice::free(Address base) {
  (void)wait_all();
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(base);
  if (found == allocations_.end()) return {Failure::InvalidValue, "not an allocation"};
  used_ -= found->second.size;
  std::free(at(base));
  allocations_.erase(found);
  return {};
}

std::optional<Allocation> FakeDevice::find_allocation(Address address) const {
  std::lock_guard lock(mutex_);
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return std::nullopt;
  const Allocation& allocation = std::prev(next)->second;
  if (address - allocation.base >= allocation.size) return std::nullopt;
  return allocation;
}

void FakeDevice::memory_info(size_t* free_bytes, size_t* total_bytes) const {
  std::lock_guard lock(mutex_);
  *total_bytes = memory_limit;
  *free_bytes = memory_limit - used_;
}

Status FakeDevice::load_module(std::string_view image, std::string_view name, ModuleId* out) {
  std::lock_guard lock(mutex_);
  last_module_text = image;
  ++modules_loaded;
  log.push_back(fmt::format("load_module {}", name));
  std::string text(image);
  if (text.find("bad ptx") != std::string::npos) return {Failure::InvalidPtx, "the PTX does not parse"};
  Module module;
  static const std::regex entry(R"(\.entry\s+(\w+)\s*\(([^)]*)\)([^{]*))");
  static const std::regex parameter(R"(\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)[^,\[]*(?:\[(\d+)\])?)");
  static const std::regex max_threads(R"(\.maxntid\s+(\d+))");
  static const std::regex shared(R"(\.shared\s+\.align\s+\d+\s+\.b8\s+\w+\[(\d+)\])");
  for (std::sregex_iterator it(text.begin(), text.end(), entry), end; it != end; ++it) {
    KernelInfo info;
    info.name = (*it)[1];
    info.registers = 16;
    info.sm = 90;
    std::string parameters = (*it)[2], directives = (*it)[3];
    for (std::sregex_iterator p(parameters.begin(), parameters.end(), parameter); p != end; ++p) {
      size_t element = size_of_type((*p)[2]);
      size_t size = (*p)[3].matched ? std::stoul((*p)[3]) * element : element;
      size_t align = (*p)[1].matched ? std::stoul((*p)[1]) : element;
      auto offset = static_cast<uint32_t>(round_up(info.parameter_bytes, align));
      info.parameters.push_back({offset, static_cast<uint32_t>(size), static_cast<uint32_t>(align)});
      info.parameter_bytes = offset + static_cast<uint32_t>(size);
    }
    std::smatch match;
    if (std::regex_search(directives, match, max_threads))
      info.max_threads_per_block = static_cast<uint32_t>(std::stoul(match[1]));
    if (std::regex_search(text, match, shared)) info.static_shared_bytes = static_cast<uint32_t>(std::stoul(match[1]));
    KernelId id = next_id_++;
    module.kernels[info.name] = id;
    kernels_[id] = info;
  }
  static const std::regex variable(
      R"(\.(?:global|const)\s+(\.attribute\(\.managed\)\s+)?(?:\.align\s+\d+\s+)?\.(\w+)\s+(\w+)(?:\[(\d+)\])?)");
  for (std::sregex_iterator it(text.begin(), text.end(), variable), end; it != end; ++it) {
    size_t size = size_of_type((*it)[2]) * ((*it)[4].matched ? std::stoul((*it)[4]) : 1);
    SymbolInfo symbol{0, size};
    (void)allocate(size, (*it)[1].matched ? MemoryKind::Managed : MemoryKind::Device, &symbol.address);
    std::memset(at(symbol.address), 0, size);
    module.symbols[(*it)[3]] = symbol;
  }
  *out = next_id_++;
  modules_[*out] = std::move(module);
  return {};
}

Status FakeDevice::unload_module(ModuleId module) {
  log.push_back("unload_module");
  modules_.erase(module);
  return {};
}

Status FakeDevice::find_kernel(ModuleId module, std::string_view name, KernelId* out) {
  auto& kernels = modules_.at(module).kernels;
  auto found = kernels.find(name);
  if (found == kernels.end()) return {Failure::NotFound, "no such kernel"};
  *out = found->second;
  return {};
}

Status FakeDevice::find_symbol(ModuleId module, std::string_view name, SymbolInfo* out) {
  auto& symbols = modules_.at(module).symbols;
  auto found = symbols.find(name);
  if (found == symbols.end()) return {Failure::NotFound, "no such symbol"};
  *out = found->second;
  return {};
}

Status FakeDevice::allow_dynamic_shared(KernelId, uint32_t bytes) {
  log.push_back(fmt::format("allow_dynamic_shared {}", bytes));
  return {};
}

Status FakeDevice::set_heap_size(size_t bytes) {
  heap_bytes = bytes;
  return {};
}

Status FakeDevice::set_stack_size(size_t bytes) {
  stack_bytes = bytes;
  return {};
}

StreamId FakeDevice::create_stream(bool blocking, int priority) {
  std::lock_guard lock(mutex_);
  StreamId id = next_id_++;
  streams_[id];
  log.push_back(fmt::format("create_stream blocking={} priority={}", blocking, priority));
  return id;
}

Status FakeDevice::destroy_stream(StreamId stream) {
  std::lock_guard lock(mutex_);
  run(stream);
  streams_.erase(stream);
  log.push_back("destroy_stream");
  return {};
}

EventId FakeDevice::create_event() {
  std::lock_guard lock(mutex_);
  events_[next_id_];
  return next_id_++;
}

Status FakeDevice::destroy_event(EventId event) {
  std::lock_guard lock(mutex_);
  events_.erase(event);
  return {};
}

Status FakeDevice::submit(StreamId stream, Command command) {
  std::lock_guard lock(mutex_);
  auto note = [&](std::string text) { log.push_back(fmt::format("{} stream={}", text, stream)); };
  if (auto* c = std::get_if<CopyToDevice>(&command)) note(fmt::format("copy_to_device bytes={}", c->shape.width));
  if (auto* c = std::get_if<CopyFromDevice>(&command)) note(fmt::format("copy_from_device bytes={}", c->shape.width));
  if (auto* c = std::get_if<CopyOnDevice>(&command)) note(fmt::format("copy_on_device bytes={}", c->shape.width));
  if (auto* c = std::get_if<CopyOnHost>(&command)) note(fmt::format("copy_on_host bytes={}", c->shape.width));
  if (auto* f = std::get_if<Fill>(&command)) note(fmt::format("fill {}x{} value={}", f->width, f->height, f->value));
  if (auto* l = std::get_if<Launch>(&command))
    note(fmt::format("launch {} grid={} block={} shared={}{}", kernels_.at(l->kernel).name, l->grid.count(),
                     l->block.count(), l->dynamic_shared_bytes, l->cooperative ? " cooperative" : ""));
  if (auto* r = std::get_if<RecordEvent>(&command)) events_.at(r->event) = {.recorded = true};
  streams_.at(stream).push_back(std::move(command));
  return {};
}

void FakeDevice::run(const Command& command) {
  clock_ += 1000000;
  if (auto* c = std::get_if<CopyToDevice>(&command)) copy_rows(at(c->dst), c->src, c->shape);
  if (auto* c = std::get_if<CopyFromDevice>(&command)) copy_rows(c->dst, at(c->src), c->shape);
  if (auto* c = std::get_if<CopyOnDevice>(&command)) copy_rows(at(c->dst), at(c->src), c->shape);
  if (auto* c = std::get_if<CopyOnHost>(&command)) copy_rows(c->dst, c->src, c->shape);
  if (auto* f = std::get_if<Fill>(&command))
    for (size_t y = 0; y < f->height; ++y)
      std::memset(static_cast<char*>(at(f->dst)) + y * f->pitch, static_cast<int>(f->value), f->width);
  if (auto* h = std::get_if<HostFunction>(&command)) h->call();
  if (auto* r = std::get_if<RecordEvent>(&command)) events_[r->event] = {true, true, clock_};
  if (auto* l = std::get_if<Launch>(&command)) {
    if (on_launch) on_launch(*l, kernels_.at(l->kernel));
    if (kernels_fail_with != Failure::None && sticky_.ok()) sticky_ = {kernels_fail_with, "the kernel failed"};
  }
}

void FakeDevice::run(StreamId stream) {
  auto& queue = streams_.at(stream);
  while (!queue.empty() && sticky_.ok()) {
    Command command = std::move(queue.front());
    queue.pop_front();
    run(command);
  }
}

Status FakeDevice::wait(StreamId stream) {
  std::lock_guard lock(mutex_);
  run(stream);
  return sticky_;
}

Status FakeDevice::wait_all() {
  std::lock_guard lock(mutex_);
  for (auto& [id, queue] : streams_) run(id);
  return sticky_;
}

Status FakeDevice::wait_event(EventId) { return wait_all(); }

bool FakeDevice::stream_done(StreamId stream) {
  std::lock_guard lock(mutex_);
  return streams_.at(stream).empty();
}

bool FakeDevice::event_done(EventId event) {
  std::lock_guard lock(mutex_);
  return events_.at(event).done;
}

bool FakeDevice::event_recorded(EventId event) const {
  std::lock_guard lock(mutex_);
  return events_.at(event).recorded;
}

uint64_t FakeDevice::event_time(EventId event) const {
  std::lock_guard lock(mutex_);
  return events_.at(event).time;
}

void FakeDevice::reset() {
  std::lock_guard lock(mutex_);
  for (auto& [base, allocation] : allocations_) std::free(at(base));
  allocations_.clear();
  modules_.clear();
  kernels_.clear();
  streams_.clear();
  streams_[0];
  events_.clear();
  used_ = 0;
  sticky_ = {};
  kernels_fail_with = Failure::None;
  on_launch = nullptr;
  memory_limit = size_t{1} << 30;
  log.clear();
}

}  // namespace testing

void end_findings(device::Device&) {}

Result<std::unique_ptr<device::Device>> open_process_device() {
  auto device = std::make_unique<testing::FakeDevice>();
  testing::opened = device.get();
  return std::unique_ptr<device::Device>(std::move(device));
}

}  // namespace warpwise::cuda
