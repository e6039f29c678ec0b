// A device that records the runtime's calls, for tests.
//
// Memory is the host's, so that tests can read the results of copies. Work is queued per stream and runs when the host
// waits, as on the virtual GPU. Kernels do nothing but call `on_launch`. PTX is searched for entries, parameters and
// variables with a few regular expressions; nothing is executed.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"

namespace warpwise::cuda::testing {

using namespace device;

class FakeDevice : public Device {
 public:
  // What a test reads and sets.
  std::vector<std::string> log;  // "copy_to_device stream=1 bytes=64", ...
  std::function<void(const Launch&, const KernelInfo&)> on_launch;
  Failure kernels_fail_with = Failure::None;  // while they run
  size_t memory_limit = size_t{1} << 30;
  size_t heap_bytes = 8 << 20, stack_bytes = 0;
  std::string last_module_text;
  unsigned modules_loaded = 0;

  FakeDevice();
  ~FakeDevice() override;

  const Properties& properties() const override { return properties_; }
  Properties& mutable_properties() { return properties_; }
  Status allocate(size_t size, MemoryKind kind, Address* out) override;
  Status free(Address base) override;
  std::optional<Allocation> find_allocation(Address address) const override;
  void memory_info(size_t* free_bytes, size_t* total_bytes) const override;
  Status load_module(std::string_view image, std::string_view name, ModuleId* out) override;
  Status unload_module(ModuleId module) override;
  Status find_kernel(ModuleId module, std::string_view name, KernelId* out) override;
  Status find_symbol(ModuleId module, std::string_view name, SymbolInfo* out) override;
  const KernelInfo& kernel_info(KernelId kernel) const override { return kernels_.at(kernel); }
  Status allow_dynamic_shared(KernelId kernel, uint32_t bytes) override;
  Status set_heap_size(size_t bytes) override;
  Status set_stack_size(size_t bytes) override;
  // Textures are remembered; handles count from 1.
  std::map<uint64_t, TextureDescriptor> textures;
  Status create_texture(const TextureDescriptor& texture, uint64_t* handle) override {
    *handle = ++last_texture_;
    textures[*handle] = texture;
    return {};
  }
  Status destroy_texture(uint64_t handle) override {
    return textures.erase(handle) ? Status{} : Status{Failure::InvalidValue, "no texture"};
  }
  StreamId create_stream(bool blocking, int priority) override;
  Status destroy_stream(StreamId stream) override;
  EventId create_event() override;
  Status destroy_event(EventId event) override;
  Status submit(StreamId stream, Command command) override;
  Status wait(StreamId stream) override;
  Status wait_all() override;
  Status wait_event(EventId event) override;
  bool stream_done(StreamId stream) override;
  bool event_done(EventId event) override;
  bool event_recorded(EventId event) const override;
  uint64_t event_time(EventId event) const override;
  Status sticky_failure() const override { return sticky_; }
  void reset() override;

 private:
  uint64_t last_texture_ = 0;
  struct Event {
    bool recorded = false, done = false;
    uint64_t time = 0;
  };
  struct Module {
    std::map<std::string, KernelId, std::less<>> kernels;
    std::map<std::string, SymbolInfo, std::less<>> symbols;
  };

  void run(StreamId stream);
  void run(const Command& command);

  mutable std::recursive_mutex mutex_;
  Properties properties_;
  std::map<Address, Allocation> allocations_;
  std::map<ModuleId, Module> modules_;
  std::map<KernelId, KernelInfo> kernels_;
  std::map<StreamId, std::deque<Command>> streams_;
  std::map<EventId, Event> events_;
  uint32_t next_id_ = 1;
  uint64_t clock_ = 0;
  size_t used_ = 0;
  Status sticky_;
};

// The device that the runtime under test opened.
FakeDevice& fake();

}  // namespace warpwise::cuda::testing
