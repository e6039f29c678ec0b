#include "cuda/runtime/module/modules.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/runtime/process.h"

namespace warpwise::cuda {

namespace {

// CUDA's code for a fat binary that cannot be used.
cudaError_t code_of(const Error& error) {
  if (error.code == "R0202") return cudaErrorUnsupportedPtxVersion;
  if (error.code == "R0203") return cudaErrorInvalidKernelImage;
  if (error.code == "R0204") return cudaErrorFileNotFound;
  return cudaErrorNoKernelImageForDevice;
}

}  // namespace

cudaError_t Module::load(device::Device& gpu) {
  std::lock_guard lock(mutex_);
  return load_locked(gpu);
}

cudaError_t Module::load_locked(device::Device& gpu) {
  Copy& copy = here();
  if (copy.state == Copy::State::Loaded) return cudaSuccess;
  if (copy.state == Copy::State::Failed) return fail_with(copy.error, copy.detail);
  auto failed = [&](cudaError_t error, std::string detail) {
    copy.state = Copy::State::Failed;
    copy.error = error;
    copy.detail = std::move(detail);
    return fail_with(copy.error, copy.detail);
  };
  if (Devices::place() != 0 && has_managed_variables())
    return failed(
        cudaErrorNotSupported,
        fmt::format("R0207: code with __managed__ variables runs on device 0 alone, and {} is the current one",
                    OnOtherDevice::present() ? "a real GPU" : fmt::format("device {}", Devices::current())));
  const device::Properties& properties = gpu.properties();
  auto ptx = read_ptx(properties.major * 10 + properties.minor);
  if (!ptx) return failed(code_of(ptx.error()), fmt::format("{}: {}", ptx.error().code, ptx.error().message));
  // Named after the first kernel: the program's file names are not in the binary.
  std::string name = kernels_.empty() ? "module" : kernels_.front().name;
  if (auto status = gpu.load_module(*ptx, name, &copy.id); !status.ok())
    return failed(cuda::code_of(status.failure), status.detail);
  copy.state = Copy::State::Loaded;
  copy.load = ++loads_;
  cudaError_t error = connect_managed_variables(gpu);
  if (error == cudaSuccess) gpu.make_ready(copy.id);
  return error == cudaSuccess ? error : failed(error, thread_error().detail);
}

Result<std::string> Module::read_ptx(unsigned architecture) const {
  if (wrapper_) return read_wrapper(*wrapper_, architecture);
  return ptx_;
}

Kernel* Module::find_kernel(std::string_view name) {
  auto found =
      std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& kernel) { return kernel.name == name; });
  return found == kernels_.end() ? nullptr : &*found;
}

bool Module::has_managed_variables() const {
  return std::any_of(variables_.begin(), variables_.end(),
                     [](const Variable& v) { return v.managed_pointer || v.managed_shadow; });
}

bool Module::has_managed_shadows() const {
  return std::any_of(variables_.begin(), variables_.end(),
                     [](const Variable& v) { return v.managed_shadow != nullptr; });
}

cudaError_t Module::connect_managed_variables(device::Device& gpu) {
  for (const Variable& variable : variables_)
    if (variable.managed_shadow) CUDA_TRY(fail(gpu.make_managed(here().id, variable.name)));
  for (const Variable& variable : variables_) {
    if (!variable.managed_pointer && !variable.managed_shadow) continue;
    device::SymbolInfo symbol;
    CUDA_TRY(fail(gpu.find_symbol(here().id, variable.name, &symbol)));
    if (variable.managed_pointer) *variable.managed_pointer = reinterpret_cast<void*>(symbol.address);
    if (!variable.managed_shadow) continue;
    const size_t size = std::min(variable.size, symbol.size);
    if (Process::instance().shadows.attach(variable.managed_shadow, size, symbol.address,
                                           gpu.maps_managed_pages_twice()))
      gpu.seen_at(symbol.address, size, variable.managed_shadow);
  }
  return cudaSuccess;
}

cudaError_t Module::resolve(device::Device& gpu, Kernel& kernel, device::KernelId* out) {
  std::lock_guard lock(mutex_);
  CUDA_TRY(load_locked(gpu));
  auto& on_device = kernel.on[Devices::place()];
  if (on_device.loaded_in != here().load) {
    device::Status status = gpu.find_kernel(here().id, kernel.name, &on_device.id);
    if (status.failure == device::Failure::NotFound)
      return fail(cudaErrorInvalidDeviceFunction, "the program's PTX has no kernel `{}`", kernel.name);
    CUDA_TRY(fail(status));
    on_device.loaded_in = here().load;
  }
  *out = on_device.id;
  return cudaSuccess;
}

cudaError_t Module::resolve(device::Device& gpu, const Variable& variable, device::SymbolInfo* out) {
  std::lock_guard lock(mutex_);
  CUDA_TRY(load_locked(gpu));
  device::Status status = gpu.find_symbol(here().id, variable.name, out);
  if (status.failure == device::Failure::NotFound)
    return fail(cudaErrorInvalidSymbol, "the program's PTX has no variable `{}`", variable.name);
  return fail(status);
}

void Module::unload(device::Device& gpu) {
  std::lock_guard lock(mutex_);
  if (Copy& other = copies_[kPlaceOfOther]; other.state == Copy::State::Loaded) {
    (void)OnOtherDevice::known()->unload_module(other.id);
    other.state = Copy::State::NotLoaded;
  }
  for (Copy& copy : copies_) {
    if (copy.state == Copy::State::Loaded) {
      (void)gpu.wait_all();
      ManagedShadows& shadows = Process::instance().shadows;
      shadows.synchronise();
      for (const Variable& variable : variables_) shadows.remove(variable.managed_shadow);
      (void)gpu.unload_module(copy.id);
    }
    copy.state = Copy::State::NotLoaded;
  }
}

void Module::forget() {
  std::lock_guard lock(mutex_);
  for (Copy& copy : copies_)
    if (&copy != &copies_[kPlaceOfOther]) copy.state = Copy::State::NotLoaded;
  for (Kernel& kernel : kernels_) {
    std::fill_n(kernel.on.begin(), kPlaceOfOther, Kernel::OnDevice{});
    kernel.max_dynamic_shared.reset();
    kernel.carveout = -1;
    kernel.non_portable_cluster = false;
  }
}

Module* Modules::add(const FatBinaryWrapper* wrapper) {
  auto owned = std::make_unique<Module>(wrapper);
  Module* module = owned.get();
  std::unique_lock lock(mutex_);
  modules_.emplace(module, std::move(owned));
  return module;
}

cudaError_t Modules::add_loaded(device::Device& gpu, std::string ptx, Module** out) {
  auto module = std::make_unique<Module>(std::move(ptx));
  CUDA_TRY(module->load(gpu));
  std::vector<std::string> names;
  if (auto status = gpu.list_kernels(module->here().id, &names); !status.ok()) {
    (void)gpu.unload_module(module->here().id);
    return fail(status);
  }
  *out = module.get();
  std::unique_lock lock(mutex_);
  modules_.emplace(module.get(), std::move(module));
  for (std::string& name : names) {
    Kernel& kernel = (*out)->kernels_.emplace_back();
    kernel.module = *out;
    kernel.name = std::move(name);
    kernels_[&kernel] = &kernel;
  }
  return cudaSuccess;
}

void Modules::load_ahead(device::Device& gpu) {
  if (!gpu.wants_modules_ahead()) return;
  const ThreadError before = thread_error();
  std::shared_lock lock(mutex_);
  for (const auto& [handle, module] : modules_) (void)module->load(gpu);
  thread_error() = before;
}

void Modules::remove(Module* module) {
  if (device::Device* gpu = Process::instance().opened_device()) module->unload(*gpu);
  std::unique_lock lock(mutex_);
  auto belongs = [&](const auto& entry) { return entry.second->module == module; };
  std::erase_if(kernels_, belongs);
  std::erase_if(variables_, belongs);
  modules_.erase(module);
}

void Modules::add_kernel(Module* module, const void* host, const char* name) {
  std::unique_lock lock(mutex_);
  Kernel& kernel = module->kernels_.emplace_back();
  kernel.module = module;
  kernel.name = name;
  kernel.host = host;
  kernels_[host] = &kernel;
  kernels_[&kernel] = &kernel;
}

void Modules::add_variable(Module* module, Variable variable) {
  std::unique_lock lock(mutex_);
  variable.module = module;
  Variable& added = module->variables_.emplace_back(std::move(variable));
  variables_[added.host] = &added;
}

Kernel* Modules::find_kernel(const void* function) const {
  std::shared_lock lock(mutex_);
  auto found = kernels_.find(function);
  return found == kernels_.end() ? nullptr : found->second;
}

const Variable* Modules::find_variable(const void* host) const {
  std::shared_lock lock(mutex_);
  if (auto found = variables_.find(host); found != variables_.end()) return found->second;
  // In code that nvcc compiled, `&variable` is already the device address of the managed variable.
  for (const auto& [registered, variable] : variables_)
    if (variable->managed_pointer && host && *variable->managed_pointer == host) return variable;
  return nullptr;
}

Module* Modules::find_module(const void* module) const {
  std::shared_lock lock(mutex_);
  auto found = modules_.find(module);
  return found == modules_.end() ? nullptr : found->second.get();
}

void Modules::forget_device() {
  std::shared_lock lock(mutex_);
  for (auto& [address, module] : modules_) module->forget();
}

}  // namespace warpwise::cuda
