// The virtual GPU: device::Device on the memory, modules, queue and engines of this folder. This class checks commands
// against memory and limits, and delegates everything else.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/result.h"
#include "device/device.h"
#include "device/device_file.h"
#include "exec/engine.h"
#include "exec/loading/code_cache.h"
#include "exec/loading/compiler_plugin.h"
#include "exec/loading/loaded_module.h"
#include "exec/memory/address_ranges.h"
#include "exec/memory/arena.h"
#include "exec/memory/device_heap.h"
#include "exec/options.h"
#include "exec/program_record.h"
#include "exec/queue/host_accesses.h"
#include "exec/queue/work_queue.h"
#include "exec/services/output.h"
#include "exec/services/texture_table.h"

namespace warpwise::exec {

struct DeviceSetup {
  Options options;
  std::shared_ptr<CodeCache> cache;        // null: none
  std::optional<CompilerSource> compiler;  // nothing: the plug-in that the options name
  std::shared_ptr<Observer> observer;      // null: there is none; reports to `findings`, which outlives it
  Output::Sink print;                      // of kernels; empty: the process's stdout
  std::function<void(std::string_view pass, std::string_view text)> dump;  // of the compiler; empty: stderr
  std::shared_ptr<FindingSink> findings;    // of the checkers that the options name; null: nothing is checked
  const std::atomic<bool>* stop = nullptr;  // Machine::stop
};

class VirtualDevice : public device::Device {
 public:
  // Error U0004: the options name a device that is not in devices.inc.
  static Result<std::unique_ptr<VirtualDevice>> create(DeviceSetup setup);
  ~VirtualDevice() override;

  const device::Properties& properties() const override { return properties_; }

  device::Status allocate(size_t size, device::MemoryKind kind, device::Address* out) override;
  device::Status free(device::Address base) override;
  device::Status free_in_order(std::optional<device::StreamId> stream, device::Address base) override;
  std::optional<device::Allocation> find_allocation(device::Address address) const override;
  void memory_info(size_t* free_bytes, size_t* total_bytes) const override;
  bool maps_managed_pages_twice() const override { return true; }
  device::VirtualMemory* virtual_memory() override { return &address_ranges_; }

  device::Status load_module(std::string_view image, std::string_view name, device::ModuleId* out) override;
  device::Status unload_module(device::ModuleId module) override;
  device::Status find_kernel(device::ModuleId module, std::string_view name, device::KernelId* out) override;
  device::Status find_symbol(device::ModuleId module, std::string_view name, device::SymbolInfo* out) override;
  device::Status list_kernels(device::ModuleId module, std::vector<std::string>* names) override;
  device::Status make_managed(device::ModuleId module, std::string_view variable) override;
  void seen_at(device::Address address, size_t bytes, const void* host) override;
  const device::KernelInfo& kernel_info(device::KernelId kernel) const override;
  device::Status allow_dynamic_shared(device::KernelId kernel, uint32_t bytes) override;
  device::Status set_heap_size(size_t bytes) override;
  device::Status set_stack_size(size_t bytes) override;

  device::Status create_texture(const device::TextureDescriptor& texture, uint64_t* handle) override;
  device::Status destroy_texture(uint64_t handle) override;

  device::StreamId create_stream(bool blocking, int priority) override;
  device::Status destroy_stream(device::StreamId stream) override;
  device::EventId create_event() override;
  device::Status destroy_event(device::EventId event) override;
  device::Status submit(device::StreamId stream, device::Command command) override;
  device::Status run_inside(const device::Command& command) override;
  void fail_inside(device::Status status) override { failure_inside_ = std::move(status); }
  device::Status wait(device::StreamId stream) override;
  device::Status wait_all() override;
  device::Status wait_event(device::EventId event) override;
  void end_work() override { queue_.end_work(); }
  bool stream_done(device::StreamId stream) override;
  bool event_done(device::EventId event) override;
  bool event_recorded(device::EventId event) const override;
  uint64_t event_time(device::EventId event) const override;

  device::Status sticky_failure() const override { return queue_.sticky(); }
  void reset() override;
  FindingSink* findings() const override { return machine_.findings; }
  void annotate(device::MemoryAnnotation annotation) override;
  device::ProgramTrace* program_trace() override { return program_record_ ? &*program_record_ : nullptr; }
  Observer* observer() const { return machine_.observer; }

 private:
  // CUDA's limit is 1 KiB unless a program raises it; memory that is not accessed costs nothing here, so we start with
  // more.
  static constexpr uint32_t kLeastStackBytes = 16 << 10;

  VirtualDevice(DeviceSetup setup, const device::Properties& properties);

  device::Status release(device::Address base);
  std::string describe_wait(const device::WaitValue& wait) const;
  void make_engine();
  LoadedModule* module_of(device::ModuleId module);
  LoadedFunction* function_of(device::KernelId kernel) const;
  KernelLaunch launch_of(const device::Launch& command, LoadedFunction& function) const;

  // The failures of a command that are known at once.
  device::Status check(const device::CopyToDevice& copy) const;
  device::Status check(const device::CopyFromDevice& copy) const;
  device::Status check(const device::CopyOnDevice& copy) const;
  device::Status check(const device::CopyOnHost& copy) const;
  device::Status check(const device::Fill& fill) const;
  device::Status check(const device::Launch& launch);
  device::Status check(const device::HostFunction&) const { return {}; }
  device::Status check(const device::RecordEvent& record) const;
  device::Status check(const device::WaitEvent& wait) const;
  device::Status check(const device::WaitValue& wait) const {
    return check_word("wait for a value", wait.address, wait.bytes);
  }
  device::Status check(const device::WriteValue& write) const {
    return check_word("write of a value", write.address, write.bytes);
  }
  device::Status check(const device::Lifetime&) const { return {}; }
  device::Status check_word(const char* what, device::Address address, unsigned bytes) const;
  device::Status check_device_side(const char* side, device::Address address, const device::CopyShape& shape,
                                   bool is_dst) const;
  device::Status check_host_side(const char* side, const void* address) const;

  // Does what a command says.
  device::Status run(device::Command& command);
  device::Status run_launch(const device::Launch& launch);
  device::Status run_kernel(const device::Launch& launch, LoadedFunction& function);
  // What the grid that has just ended has launched.
  device::Status run_children(LoadedFunction& parent);

  DeviceSetup setup_;
  const device::Properties& properties_;
  Arena arena_;
  TextureTable textures_;
  DeviceHeap heap_;
  Output output_;
  Machine machine_;
  std::unique_ptr<Engine> engine_;

  mutable std::mutex mutex_;  // the tables below
  std::unordered_map<device::ModuleId, std::unique_ptr<LoadedModule>> modules_;
  std::unordered_map<device::KernelId, LoadedFunction*> kernels_;
  std::unordered_map<const LoadedFunction*, device::KernelId> kernel_ids_;
  device::ModuleId next_module_ = 1;
  device::KernelId next_kernel_ = 1;
  std::atomic<uint64_t> grids_{0};
  std::atomic<uint32_t> stack_bytes_{kLeastStackBytes};
  device::Address grid_workspace_ = 0;  // of cooperative launches; one at a time
  device::Status failure_inside_;       // of the host function that runs; used by the thread that runs work
  WorkQueue queue_;
  std::optional<HostAccesses> host_accesses_;    // where an observer needs the order of commands
  std::optional<ProgramRecord> program_record_;  // where an observer models time
  AddressRanges address_ranges_;
};

}  // namespace warpwise::exec
