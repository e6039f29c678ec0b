// The interface of an engine, which runs kernels. There are two: the compiled one (loading/jit_engine.h) and the plain
// interpreter (interpreter/), which judges the first. Memory, modules, queues and the validation of launches are common
// to both: virtual_device does them once and hands over plain data.
//
//     Machine                    what all launches share: figures, memory, heap, output
//       └─ Engine::prepare       once per kernel and block shape: compile; its failures are not sticky
//       └─ Engine::run           the launch; returns when its last block has ended
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "device/device.h"
#include "device/properties.h"
#include "exec/options.h"
#include "ptx/layout.h"
#include "ptx/module.h"

namespace warpwise::exec {

class Arena;         // memory/arena.h: device memory, and which addresses are valid
class DeviceHeap;    // memory/device_heap.h: malloc() and free() of kernels
class Observer;      // observer.h: checkers, counters, the profiler
class Output;        // output.h: what kernels print, in block order
class TextureTable;  // texture_table.h: textures and surfaces by handle

// What the launches of one device share. The device owns it; engines keep a reference.
struct Machine {
  const device::Properties* properties = nullptr;
  Options options;
  Arena* arena = nullptr;
  DeviceHeap* heap = nullptr;
  Output* output = nullptr;
  const TextureTable* textures = nullptr;
  std::function<void(std::string_view pass, std::string_view text)> dump;  // of the compiler; empty: stderr
  FindingSink* findings = nullptr;  // where checkers report; not null when options.check asks for any
  Observer* observer = nullptr;     // null: there is none
  // Ends kernels when it becomes true, as ^C does, but without a message: the owner of the device asks for it. Null:
  // the owner never does.
  const std::atomic<bool>* stop = nullptr;

  bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }
};

// A kernel of a module whose variables have their place in memory.
struct KernelImage {
  std::shared_ptr<const ptx::Module> module;
  std::string module_key;  // identifies the PTX text in caches
  uint32_t kernel = 0;     // index into Module::functions
  ptx::KernelLayout layout;
  const ptx::GlobalsLayout* globals_layout = nullptr;  // lives as long as the module
  device::Address globals = 0;                         // where the module's variables start

  const ptx::Function& function() const { return module->functions[kernel]; }
};

// One launch, already validated against the device's limits.
struct KernelLaunch {
  const KernelImage* image = nullptr;
  device::Dim3 grid, block, cluster;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;               // all blocks must make progress at the same time
  uint64_t resident_blocks = 1;           // how many the device holds at once (occupancy)
  uint32_t stack_bytes = 0;               // local memory of a thread beyond its frames (CompileOptions::stack_bytes)
  device::Address grid_workspace = 0;     // of a cooperative launch: {bytes, barrier}, for cooperative_groups.h
  std::span<const std::byte> parameters;  // Function::parameter_bytes
  uint64_t grid_id = 0;

  // Linear block index -> ctaid: x fastest.
  device::Dim3 block_at(uint64_t index) const {
    if (index < grid.x) return {static_cast<uint32_t>(index), 0, 0};
    return {static_cast<uint32_t>(index % grid.x), static_cast<uint32_t>(index / grid.x % grid.y),
            static_cast<uint32_t>(index / grid.x / grid.y)};
  }
  // Linear thread index -> tid: x fastest.
  device::Dim3 thread_at(uint32_t index) const {
    return {index % block.x, index / block.x % block.y, index / block.x / block.y};
  }
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Makes `launch` ready to run. Failures: InvalidPtx, NotSupported.
  virtual device::Status prepare(const KernelLaunch& launch) = 0;
  // Runs it. Failures are sticky ones; of several failing blocks the lowest is reported.
  virtual device::Status run(const KernelLaunch& launch) = 0;
  // The image is about to go away: drop what was prepared for it.
  virtual void forget(const KernelImage& image) = 0;
};

}  // namespace warpwise::exec
