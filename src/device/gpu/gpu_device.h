// device::Device on NVIDIA's driver. Its files, by what they do:
//
//     gpu_device.cpp    the context, memory, failures that stay, reset
//     gpu_modules.cpp   PTX, kernels, variables
//     gpu_streams.cpp   streams, events, waiting
//     gpu_commands.cpp  submit(): copies, fills, launches, host functions, values
//     images.h          textures and surfaces
//     gpu_memory.h      addresses without memory and memory without addresses (device::VirtualMemory)
//
// The driver's functions may be called from any thread that has the context; each of ours makes it current. Tables of
// our own are under one lock, which is held while PTX is compiled and never while the
// driver waits for the GPU.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/device.h"
#include "device/gpu/context.h"
#include "device/gpu/deferred_frees.h"
#include "device/gpu/gpu.h"
#include "device/gpu/gpu_memory.h"
#include "device/gpu/images.h"
#include "device/gpu/launch_times.h"

namespace warpwise::device::gpu {

class GpuDevice final : public Device {
 public:
  static Result<std::unique_ptr<GpuDevice>> open(const Setup& setup);
  ~GpuDevice() override;

  const Properties& properties() const override { return context_.description().properties; }

  Status allocate(size_t size, MemoryKind kind, Address* out) override;
  Status free(Address base) override;
  Status free_in_order(std::optional<StreamId> stream, Address base) override;
  std::optional<Allocation> find_allocation(Address address) const override;
  void memory_info(size_t* free_bytes, size_t* total_bytes) const override;
  VirtualMemory* virtual_memory() override { return &mapped_; }

  Status load_module(std::string_view image, std::string_view name, ModuleId* out) override;
  Status unload_module(ModuleId module) override;
  Status find_kernel(ModuleId module, std::string_view name, KernelId* out) override;
  Status find_symbol(ModuleId module, std::string_view name, SymbolInfo* out) override;
  Status list_kernels(ModuleId module, std::vector<std::string>* names) override;
  Status make_managed(ModuleId module, std::string_view variable) override;
  bool wants_modules_ahead() const override { return true; }
  void make_ready(ModuleId module) override;
  const KernelInfo& kernel_info(KernelId kernel) const override;
  Status allow_dynamic_shared(KernelId kernel, uint32_t bytes) override;
  Status count_clusters(const Launch& launch, std::optional<int>* clusters) override;
  Status set_heap_size(size_t bytes) override { return set_limit(kLimitHeap, bytes, "the size of the heap"); }
  Status set_stack_size(size_t bytes) override { return set_limit(kLimitStack, bytes, "the size of stacks"); }

  Status create_texture(const TextureDescriptor& texture, uint64_t* handle) override;
  Status destroy_texture(uint64_t handle) override;
  Status seal_tensor_map(void* tensor_map) override;
  Status readdress_tensor_map(void* tensor_map, Address address) override;

  StreamId create_stream(bool blocking, int priority) override;
  Status destroy_stream(StreamId stream) override;
  EventId create_event() override;
  Status destroy_event(EventId event) override;
  Status submit(StreamId stream, Command command) override;
  Status run_inside(const Command& command) override;
  void fail_inside(Status status) override;
  Status wait(StreamId stream) override;
  Status wait_all() override;
  Status wait_event(EventId event) override;
  void end_work() override;
  bool stream_done(StreamId stream) override;
  bool event_done(EventId event) override;
  bool event_recorded(EventId event) const override;
  uint64_t event_time(EventId event) const override;
  double milliseconds_between(EventId from, EventId to) const override;

  Status sticky_failure() const override;
  void reset() override;

 private:
  struct Module {
    std::string image, name;
    CUmodule handle = nullptr;  // null: not compiled yet
    Status failure;             // of compiling it
    std::map<std::string, KernelId, std::less<>> kernels;
    std::map<std::string, Allocation, std::less<>> symbols;
  };
  struct Kernel {
    CUfunction function = nullptr;
    KernelInfo info;
    bool large_clusters = false;  // clusters of more than eight blocks have been allowed
  };
  struct Event {
    CUevent handle = nullptr;
    bool recorded = false;
  };

  GpuDevice(std::shared_ptr<const Driver> driver, std::unique_ptr<const Description> description,
            std::shared_ptr<LaunchObserver> launches);
  // Takes the context and what every use of it needs; gives back all that there is.
  Status start();
  void release_everything();
  void forget_everything();
  const Driver& driver() const { return context_.driver(); }
  Status set_limit(int limit, size_t bytes, std::string_view what);

  // gpu_modules.cpp, with mutex_ held.
  Status module_of(ModuleId id, Module** out);
  Status compile(Module& module);
  CUresult compile_text(Module& module, std::span<char> log) const;
  CUresult link_texts(Module& module, std::span<const std::string> texts, std::span<char> log) const;
  Status inspect(CUfunction function, std::string_view name, KernelInfo* info) const;

  // gpu_streams.cpp
  friend void use_as_default_stream(Device& gpu, void* stream);
  Status stream_of(StreamId id, CUstream* out) const;
  Status event_of(EventId id, CUevent* out) const;

  // gpu_commands.cpp: puts a command on a stream of the driver.
  Status put(CUstream stream, const Command& command);
  Status kernel_of(KernelId id, Kernel** out);
  Status add_cluster(Kernel& kernel, Dim3 cluster, LaunchAttribute* attribute);
  Status put_one(CUstream stream, const CopyToDevice& copy);
  Status put_one(CUstream stream, const CopyFromDevice& copy);
  Status put_one(CUstream stream, const CopyOnDevice& copy);
  Status put_one(CUstream stream, const CopyOnHost& copy);
  Status put_one(CUstream stream, const Fill& fill);
  Status put_one(CUstream stream, const Launch& launch);
  Status put_one(CUstream stream, const RecordEvent& record);
  Status put_one(CUstream stream, const WaitEvent& wait);
  Status put_one(CUstream stream, const WaitValue& wait);
  Status put_one(CUstream stream, const WriteValue& write);
  Status call_on_stream(CUstream stream, std::function<void()> function);
  Status call_now(CUstream stream, const std::function<void()>& function);
  Status or_late_failure(Status status);

  Context context_;
  CUstream inside_ = nullptr;  // of run_inside()
  CUevent epoch_ = nullptr;    // event_time() counts from it
  GpuMemory mapped_{context_};
  Images images_{context_};
  LaunchTimes times_;
  DeferredFrees freed_{context_};

  mutable std::mutex mutex_;  // the tables below
  std::map<Address, Allocation> allocations_;
  std::unordered_map<ModuleId, std::unique_ptr<Module>> modules_;
  std::unordered_map<KernelId, std::unique_ptr<Kernel>> kernels_;
  std::unordered_map<StreamId, CUstream> streams_;
  std::unordered_map<EventId, Event> events_;
  ModuleId next_module_ = 1;
  KernelId next_kernel_ = 1;
  StreamId next_stream_ = 1;
  CUstream default_stream_ = nullptr;  // stream 0
  EventId next_event_ = 1;

  std::atomic<bool> waits_for_values_{false};  // a stream does, or did

  std::mutex inside_mutex_;
  Status inside_failure_, late_failure_;  // of the host function that runs; of one that has run
};

}  // namespace warpwise::device::gpu
