// The device code of the program: what has been registered (registration.cpp), and what has been loaded.
//
// Registration runs in constructors before main, for every translation unit, and most programs use few of their
// kernels. Therefore registration only records names. A module is read, passed to the device and searched when one of
// its kernels or variables is first needed. cudaDeviceReset discards all that; the registered names stay, and the
// module is loaded again on its next use. Each device (devices.h) that uses a module has its own copy of it, because
// each has its own variables.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "cuda/runtime/device/devices.h"
#include "cuda/runtime/error.h"
#include "cuda/runtime/module/fatbinary.h"
#include "device/device.h"

namespace warpwise::cuda {
class Module;
}

// A __global__ function. The handle cudaKernel_t is its address.
struct CUkern_st {
  warpwise::cuda::Module* module = nullptr;
  std::string name;            // mangled
  const void* host = nullptr;  // the stub that stands for it in host code

  // The mutex of the module guards the remaining members.
  struct OnDevice {
    uint64_t loaded_in = 0;  // the module load that `id` belongs to; 0: not looked up
    warpwise::device::KernelId id = 0;
  };
  std::array<OnDevice, warpwise::cuda::kMostPlaces> on;
  std::optional<uint32_t> max_dynamic_shared;  // cudaFuncSetAttribute; unset: CUDA's default
  int carveout = -1;                           // of shared memory, in percent; remembered, not used
  bool non_portable_cluster = false;           // clusters of more than 8 blocks are allowed
  std::optional<std::string> host_section;     // the section of its stub, once it has been looked up (cluster_dims.h)
};

namespace warpwise::cuda {

using Kernel = CUkern_st;

// A __device__, __constant__ or __managed__ variable.
struct Variable {
  Module* module = nullptr;
  std::string name;
  const void* host = nullptr;  // its stand-in in host code
  size_t size = 0;
  void** managed_pointer = nullptr;  // where host code reads a managed variable's address
  void* managed_shadow = nullptr;    // what host code uses as the managed variable (managed_shadows.h)
};

class Module {
 public:
  explicit Module(const FatBinaryWrapper* wrapper) : wrapper_(wrapper) {}
  explicit Module(std::string ptx) : ptx_(std::move(ptx)) {}

  // Whether the host uses shadows of managed variables, which need their values before main.
  bool has_managed_shadows() const;
  // Whether it has managed variables at all.
  bool has_managed_variables() const;

  // Makes sure that the current device has the module. A failure is remembered and returned again.
  cudaError_t load(device::Device& gpu);
  // The kernel on the current device; loads the module.
  cudaError_t resolve(device::Device& gpu, Kernel& kernel, device::KernelId* out);
  cudaError_t resolve(device::Device& gpu, const Variable& variable, device::SymbolInfo* out);
  // Changes a kernel's settings under the module's lock.
  template <class Change>
  void update(Kernel& kernel, Change&& change) {
    std::lock_guard lock(mutex_);
    change(kernel);
  }

  // In the order of registration; for a module that the program loaded, in the order of its text.
  const std::deque<Kernel>& kernels() const { return kernels_; }
  Kernel* find_kernel(std::string_view name);

  void unload(device::Device& gpu);
  // The device has dropped the module.
  void forget();

 private:
  friend class Modules;
  cudaError_t load_locked(device::Device& gpu);
  cudaError_t connect_managed_variables(device::Device& gpu);

  Result<std::string> read_ptx(unsigned architecture) const;

  const FatBinaryWrapper* wrapper_ = nullptr;  // null: the program loaded `ptx_`
  std::string ptx_;
  std::deque<Kernel> kernels_;      // handles stay valid while it grows
  std::deque<Variable> variables_;  // written only by registration

  std::mutex mutex_;
  struct Copy {
    enum class State : uint8_t { NotLoaded, Loaded, Failed } state = State::NotLoaded;
    uint64_t load = 0;  // number of this load among all loads of the module
    device::ModuleId id = 0;
    cudaError_t error = cudaSuccess;
    std::string detail;
  };
  Copy& here() { return copies_[Devices::place()]; }
  std::array<Copy, kMostPlaces> copies_;
  uint64_t loads_ = 0;
};

class Modules {
 public:
  Module* add(const FatBinaryWrapper* wrapper);
  // A module that the program loads explicitly (the driver's cuModuleLoad). On success it is on the device and all its
  // kernels are known.
  cudaError_t add_loaded(device::Device& gpu, std::string ptx, Module** out);
  void remove(Module* module);
  void add_kernel(Module* module, const void* host, const char* name);
  void add_variable(Module* module, Variable variable);

  // By the address of the host stub, or a cudaKernel_t. Null for anything else.
  Kernel* find_kernel(const void* function) const;
  const Variable* find_variable(const void* host) const;
  Module* find_module(const void* module) const;
  void forget_device();
  // Gives all modules to a device that wants them ahead. What fails is kept for the first use of the module.
  void load_ahead(device::Device& gpu);

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<const void*, std::unique_ptr<Module>> modules_;
  std::unordered_map<const void*, Kernel*> kernels_;  // by host stub and by handle
  std::unordered_map<const void*, Variable*> variables_;
};

}  // namespace warpwise::cuda
