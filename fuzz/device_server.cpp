// Messages of a client that untrusted code controls: whatever it sends, the server calls its device only as the
// device's interface allows. The device here is a strict one: it stops at the first call that breaks the rules.
//
// An input is a sequence of messages, each with its length in two bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "device/remote/server.h"

namespace {

using namespace warpwise;
using namespace warpwise::device;

void must(bool rule) {
  if (!rule) std::abort();
}

class StrictDevice : public Device {
 public:
  StrictDevice() { memory_[kOthers].resize(64); }
  static constexpr Address kOthers = 0x1000;  // memory of another client

  const Properties& properties() const override { return default_device(); }
  Status allocate(size_t size, MemoryKind kind, Address* out) override {
    must(kind == MemoryKind::Device && size <= 1 << 16);
    if (size == 0) return {Failure::InvalidValue, "empty"};
    *out = next_ += 1 << 20;
    memory_[*out].resize(size);
    return {};
  }
  Status free(Address base) override {
    must(base != kOthers && memory_.erase(base) == 1);
    return {};
  }
  std::optional<Allocation> find_allocation(Address address) const override {
    auto next = memory_.upper_bound(address);
    if (next == memory_.begin() || address - std::prev(next)->first >= std::prev(next)->second.size())
      return std::nullopt;
    return Allocation{std::prev(next)->first, std::prev(next)->second.size(), MemoryKind::Device};
  }
  void memory_info(size_t* free_bytes, size_t* total_bytes) const override { *free_bytes = *total_bytes = 1 << 20; }

  Status load_module(std::string_view image, std::string_view, ModuleId* out) override {
    must(image.size() <= 1024);
    modules_.insert(*out = ++last_);
    return {};
  }
  Status unload_module(ModuleId module) override {
    must(modules_.erase(module) == 1);
    std::erase_if(kernels_, [&](const auto& kernel) { return kernel.second.first == module; });
    return {};
  }
  Status find_kernel(ModuleId module, std::string_view name, KernelId* out) override {
    must(modules_.contains(module));
    if (name.empty()) return {Failure::NotFound, "no name"};
    KernelInfo info;
    info.parameter_bytes = static_cast<uint32_t>(name.size());
    kernels_[*out = ++last_] = {module, info};
    return {};
  }
  Status find_symbol(ModuleId module, std::string_view, SymbolInfo* out) override {
    must(modules_.contains(module));
    *out = {kOthers, 4};
    return {};
  }
  const KernelInfo& kernel_info(KernelId kernel) const override {
    must(kernels_.contains(kernel));
    return kernels_.at(kernel).second;
  }
  Status allow_dynamic_shared(KernelId kernel, uint32_t) override {
    must(kernels_.contains(kernel));
    return {};
  }
  Status set_heap_size(size_t bytes) override {
    must(bytes <= 1 << 20);
    return {};
  }
  Status create_texture(const TextureDescriptor& texture, uint64_t* handle) override {
    const Image& image = texture.image;
    must(image.shape <= ImageShape::Cube && image.level_count >= 1 && image.level_count <= kMaxLevels &&
         image.layers >= 1);
    must(image.format.channel <= Channel::Float && image.format.bytes() >= 1 && image.format.bytes() <= 16);
    for (AddressMode mode : texture.sampler.address) must(mode <= AddressMode::Border);
    for (uint32_t i = 0; i < image.level_count; ++i) {
      const ImageLevel& l = image.levels[i];
      uint64_t slices = 0, rows = 0, end = 0;
      must(l.width && l.height && l.depth);
      must(!__builtin_mul_overflow(uint64_t{l.depth} * image.layers * 6, l.slice, &slices) &&
           !__builtin_mul_overflow(l.height, l.pitch, &rows));
      must(!__builtin_add_overflow(slices, rows, &end) &&
           !__builtin_add_overflow(end, l.base + uint64_t{l.width} * 16, &end));
    }
    textures_.insert(*handle = ++last_);
    return {};
  }
  Status destroy_texture(uint64_t handle) override {
    must(textures_.erase(handle) == 1);
    return {};
  }
  StreamId create_stream(bool, int) override { return *streams_.insert(++last_).first; }
  Status destroy_stream(StreamId stream) override {
    must(streams_.erase(stream) == 1);
    return {};
  }
  EventId create_event() override { return *events_.insert(++last_).first; }
  Status destroy_event(EventId event) override {
    must(events_.erase(event) == 1);
    return {};
  }

  Status submit(StreamId stream, Command command) override {
    must(stream == 0 || streams_.contains(stream));
    return std::visit([this](const auto& c) { return run(c); }, command);
  }
  Status wait(StreamId stream) override {
    must(stream == 0 || streams_.contains(stream));
    return {};
  }
  Status wait_all() override { return {}; }
  Status wait_event(EventId event) override {
    must(events_.contains(event));
    return {};
  }
  bool stream_done(StreamId) override { return true; }
  bool event_done(EventId) override { return true; }
  bool event_recorded(EventId) const override { return true; }
  uint64_t event_time(EventId) const override { return 1; }
  Status sticky_failure() const override { return {}; }
  void reset() override { std::abort(); }

 private:
  // Whether a box lies in one allocation, as a device checks it: with sums that do not overflow.
  bool lies(Address at, const CopyShape& s, size_t pitch, size_t slice) const {
    auto memory = find_allocation(at);
    if (!memory || !s.width || !s.height || !s.depth) return false;
    auto bytes = static_cast<unsigned __int128>(pitch) * (s.height - 1) +
                 static_cast<unsigned __int128>(slice) * (s.depth - 1) + s.width;
    return bytes <= memory->size - (at - memory->base);
  }
  template <class F>
  static void each_row(const CopyShape& s, F f) {
    for (size_t z = 0; z < s.depth; ++z)
      for (size_t y = 0; y < s.height; ++y) f(z * s.dst_slice + y * s.dst_pitch, z * s.src_slice + y * s.src_pitch);
  }
  Status run(const CopyToDevice& c) {
    if (!lies(c.dst, c.shape, c.shape.dst_pitch, c.shape.dst_slice)) return {Failure::InvalidAddress, "outside"};
    auto memory = find_allocation(c.dst);
    // Reads all of the host's side: the sanitizer sees a byte too many.
    each_row(c.shape, [&](size_t to, size_t from) {
      std::memcpy(&memory_[memory->base][c.dst - memory->base + to], static_cast<const char*>(c.src) + from,
                  c.shape.width);
    });
    return {};
  }
  Status run(const CopyFromDevice& c) {
    if (!lies(c.src, c.shape, c.shape.src_pitch, c.shape.src_slice)) return {Failure::InvalidAddress, "outside"};
    each_row(c.shape, [&](size_t to, size_t) { std::memset(static_cast<char*>(c.dst) + to, 1, c.shape.width); });
    return {};
  }
  Status run(const CopyOnDevice& c) {
    for (size_t n : {c.shape.width, c.shape.height, c.shape.depth, c.shape.dst_pitch, c.shape.src_pitch})
      must(n <= size_t{1} << 48);
    return {};
  }
  Status run(const Fill& f) {
    must(f.value_bytes == 1 || f.value_bytes == 2 || f.value_bytes == 4);
    return {};
  }
  Status run(const Launch& l) {
    must(kernels_.contains(l.kernel) && l.parameters.size() == kernels_[l.kernel].second.parameter_bytes);
    return {};
  }
  Status run(const RecordEvent& r) {
    must(events_.contains(r.event));
    return {};
  }
  Status run(const WaitEvent& w) {
    must(events_.contains(w.event));
    return {};
  }
  Status run(const CopyOnHost&) { std::abort(); }
  Status run(const HostFunction&) { std::abort(); }
  Status run(const WaitValue&) { std::abort(); }
  Status run(const WriteValue&) { std::abort(); }
  Status run(const Lifetime&) { std::abort(); }

  Address next_ = 1 << 20;
  uint32_t last_ = 0;
  std::map<Address, std::vector<char>> memory_;
  std::set<ModuleId> modules_;
  std::map<KernelId, std::pair<ModuleId, KernelInfo>> kernels_;
  std::set<uint64_t> textures_;
  std::set<StreamId> streams_;
  std::set<EventId> events_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  StrictDevice gpu;
  remote::Server server(gpu, {.memory_bytes = 1 << 16, .handles = 4, .module_bytes = 1024, .heap_bytes = 1 << 20});
  while (size >= 2) {
    size_t length = std::min<size_t>(data[0] | data[1] << 8, size - 2);
    // A copy of its own size, so that reading past its end shows.
    std::unique_ptr<char[]> message(new char[length]);
    std::memcpy(message.get(), data + 2, length);
    (void)server.answer({message.get(), length});
    data += 2 + length;
    size -= 2 + length;
  }
  return 0;
}
