// A PTX module on a device: parsed when first asked for, its variables placed and initialised in the arena. Text that
// holds several modules, one after the other, is linked first.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "device/device.h"
#include "device/properties.h"
#include "exec/engine.h"
#include "exec/memory/arena.h"
#include "ptx/layout.h"
#include "ptx/module.h"

namespace warpwise::exec {

class LoadedModule;

// A kernel that has been asked for. Its address is stable while the module is loaded.
struct LoadedFunction {
  LoadedModule* module = nullptr;
  KernelImage image;
  device::KernelInfo info;
  uint32_t dynamic_shared_limit = 0;
};

class LoadedModule {
 public:
  LoadedModule(std::string_view image, std::string_view name, const device::Properties& properties, Arena& arena);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  // Parses and places the module if that has not been done; every call gives the same answer.
  device::Status prepare();
  // The host may use the variable's address, as if the PTX said .attribute(.managed). InvalidValue when the module
  // has been placed already.
  device::Status make_managed(std::string_view variable);
  // Failures: those of prepare(), NotFound.
  device::Status find_kernel(std::string_view name, LoadedFunction** out);
  device::Status find_symbol(std::string_view name, device::SymbolInfo* out);
  device::Status list_kernels(std::vector<std::string>* names);
  // The kernel whose address device code knows by that number; null: none.
  LoadedFunction* kernel_at(uint64_t address);
  // Where kernels leave their launches (device_runtime.h); 0 when they make none.
  device::Address launch_list() const { return launch_list_; }
  device::Address launch_error() const { return launch_error_; }
  const std::map<std::string, std::unique_ptr<LoadedFunction>, std::less<>>& kernels() const { return kernels_; }

 private:
  device::Status parse();
  device::Status check_target() const;
  device::Status place_variables();
  uint32_t margin() const;  // behind variables

  const device::Properties& properties_;
  Arena& arena_;
  std::shared_ptr<const SourceText> source_;
  std::mutex mutex_;
  bool prepared_ = false;
  std::set<std::string, std::less<>> made_managed_;
  device::Status status_;
  std::shared_ptr<const ptx::Module> module_;
  ptx::GlobalsLayout layout_;
  device::Address globals_ = 0;
  device::Address launch_list_ = 0, launch_error_ = 0;
  std::map<std::string, std::unique_ptr<LoadedFunction>, std::less<>> kernels_;
};

// A fingerprint of PTX text for cache keys: 128 bits of FNV-1a, as hex.
std::string fingerprint_of(std::string_view text);

}  // namespace warpwise::exec
