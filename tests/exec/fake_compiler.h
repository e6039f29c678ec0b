// A compiler that hands out the test kernels of kernels/kernels.cpp by name, and a machine to run them on.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "exec/loading/jit_engine.h"
#include "exec/memory/arena.h"
#include "exec/memory/device_heap.h"
#include "kernels.h"
#include "ptx/parse/parser.h"

namespace warpwise::exec {

class FakeCompiler : public simt::Compiler {
 public:
  Result<simt::CompiledKernel> compile(const ptx::Module& module, uint32_t kernel,
                                       const simt::CompileOptions& options) override {
    ++compiled;
    std::string name(module.functions[kernel].name);
    if (name == "unsupported_kernel") return Error{"P0900", "`tcgen05.mma` is not executed yet"};
    if (no_vectors.contains(name) && options.mode != simt::Mode::Independent)
      return Error{"X0002", "LLVM cannot compile it: Cannot select: X"};
    simt::CompiledKernel result;
    result.abi_version = simt::kAbiVersion;
    result.mode = name.ends_with("_thread") ? simt::Mode::Independent : simt::Mode::Simt;
    result.object = kernels_object();
    result.entry = name;
    result.local_bytes = 64;
    result.static_shared_bytes = static_shared_bytes;
    // All code belongs to the first instruction; a vector is the upper half of its warp.
    result.sites = {{0, 0, 0, 16}};
    result.order_sensitive = order_sensitive.contains(name);
    result.any_order = any_order;
    tiers.push_back(options.tier);
    if (options.may_assume.ranges) result.assumed.ranges = assumed;
    assumes_last = options.may_assume.ranges;
    return result;
  }
  std::string fingerprint(const simt::CompileOptions&) const override { return "fake"; }

  int compiled = 0;
  bool assumes_last = false;      // what was compiled last
  bool any_order = false;         // CompiledKernel::any_order
  std::vector<simt::Tier> tiers;  // of all that was compiled
  uint32_t static_shared_bytes = 4096;
  simt::LaunchRanges assumed;
  std::set<std::string> order_sensitive{"order_kernel"};
  std::set<std::string> no_vectors;  // kernels that can be compiled thread by thread alone
};

inline CompilerSource source_of(FakeCompiler& compiler) {
  return {[&compiler]() -> Result<simt::Compiler*> { return &compiler; }, "fake"};
}

// The memory, the engine and one kernel.
class TestMachine {
 public:
  explicit TestMachine(Options options = {}, uint64_t memory = uint64_t{1} << 30)
      : options_(std::move(options)),
        arena(memory),
        heap(arena, 1 << 20),
        output([this](std::string_view text) { printed += text; }) {
    machine.properties = &device::default_device();
    machine.options = options_;
    machine.arena = &arena;
    machine.heap = &heap;
    machine.output = &output;
    engine = std::make_unique<JitEngine>(machine, source_of(compiler), nullptr);
  }

  // Runs a test kernel; `parameters` are packed at their natural alignment.
  template <class... T>
  device::Status run(const char* kernel, device::Dim3 grid, device::Dim3 block, T... parameters) {
    KernelLaunch launch = prepare(kernel, grid, block);
    (pack(parameters), ...);
    launch.parameters = parameters_;
    return engine->run(launch);
  }

  KernelLaunch prepare(const char* kernel, device::Dim3 grid, device::Dim3 block) {
    auto module = std::make_shared<ptx::Module>();
    module->functions.resize(1);
    module->functions[0].name = kernel;
    module->functions[0].is_entry = true;
    if (auto parsed = ptx::load(std::make_shared<SourceText>("lane.ptx", kLaneModule), diagnostics_)) {
      module->source = parsed->source;  // which the instructions' spans point into
      module->functions[0].instructions = parsed->functions[0].instructions;
    }
    image = {};
    image.module = module;
    parameters_.clear();
    KernelLaunch launch;
    launch.image = &image;
    launch.grid = grid;
    launch.block = block;
    launch.resident_blocks = 8;
    launch.grid_id = ++grids_;
    engine->forget(image);
    return launch;
  }

  device::Address allocate(size_t bytes) {
    auto address = arena.allocate(bytes, device::MemoryKind::Device).value();
    std::memset(engine_view(address), 0, bytes);
    return address;
  }
  template <class T>
  T* view(device::Address address) {
    return reinterpret_cast<T*>(engine_view(address));
  }

 private:
  template <class T>
  void pack(T value) {
    size_t at = (parameters_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    parameters_.resize(at + sizeof(T));
    std::memcpy(parameters_.data() + at, &value, sizeof(T));
  }
  static constexpr const char* kLaneModule =
      ".version 8.5\n.target sm_90\n.address_size 64\n.entry k() { .reg .u64 %a; .reg .f32 %f; ld.global.f32 %f, [%a]; "
      "ret; }";
  Options options_;
  Diagnostics diagnostics_;
  std::vector<std::byte> parameters_;
  uint64_t grids_ = 0;

 public:
  std::string printed;
  Machine machine;
  Arena arena;
  DeviceHeap heap;
  Output output;
  FakeCompiler compiler;
  KernelImage image;
  std::unique_ptr<JitEngine> engine;
};

}  // namespace warpwise::exec
