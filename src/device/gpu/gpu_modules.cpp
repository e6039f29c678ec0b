// Modules, kernels and variables of a GpuDevice. The driver compiles a module when its variables are declared, managed
// ones among them (make_managed, make_ready), or when something in it is first looked for. Compiling waits for the
// work of all streams: a program whose streams wait for each other would wait for ever, and one that times a kernel
// would time the compiler.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "device/gpu/gpu_device.h"

namespace warpwise::device::gpu {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

// Where a word that stands alone begins in a text, from `from` on; npos: nowhere.
size_t find_word(std::string_view text, std::string_view word, size_t from = 0) {
  for (size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end]))) return at;
  }
  return text.npos;
}

// `.global .align 4 .u32 counter;` becomes `.global .attribute(.managed) .align 4 .u32 counter;`. False: the text
// declares no such variable, or declares it managed already.
bool add_managed_attribute(std::string& ptx, std::string_view variable) {
  constexpr std::string_view kGlobal = ".global";
  for (size_t at = find_word(ptx, variable); at != ptx.npos; at = find_word(ptx, variable, at + 1)) {
    const size_t begins = ptx.find_last_of(";}{\n", at) + 1;
    const size_t global = ptx.find(kGlobal, begins);
    if (global == ptx.npos || global > at) continue;
    if (std::string_view(ptx).substr(begins, at - begins).find(".managed") == std::string_view::npos)
      ptx.insert(global + kGlobal.size(), " .attribute(.managed)");
    return true;
  }
  return false;
}

// The names of all entries of PTX in their order.
std::vector<std::string> entries_of(std::string_view ptx) {
  std::vector<std::string> names;
  constexpr std::string_view kEntry = ".entry";
  for (size_t at = ptx.find(kEntry); at != ptx.npos; at = ptx.find(kEntry, at + 1)) {
    size_t first = ptx.find_first_not_of(" \t\r\n", at + kEntry.size()), last = first;
    while (last < ptx.size() && is_name(ptx[last])) ++last;
    if (first != ptx.npos && last > first && first > at + kEntry.size())
      names.emplace_back(ptx.substr(first, last - first));
  }
  return names;
}

// ".target sm_90, debug" without the word: Clang writes it into code with line tables, and the driver's compiler then
// optimises nothing (a tiled product on an H200: 44 ms, 4.5 ms without it). The tables stay.
void forget_debug_target(std::string& ptx) {
  constexpr std::string_view kTarget = ".target", kDebug = ", debug";
  for (size_t at = find_word(ptx, kTarget); at != ptx.npos; at = find_word(ptx, kTarget, at + 1)) {
    const size_t end = std::min(ptx.find('\n', at), ptx.size());
    if (const size_t debug = ptx.find(kDebug, at); debug < end) ptx.erase(debug, kDebug.size());
  }
}

// The modules of a text, each of which begins with .version: relocatable code (nvcc -rdc=true) has one for each source.
std::vector<std::string> modules_of(const std::string& text) {
  constexpr std::string_view kBegins = "\n.version";
  std::vector<std::string> modules;
  size_t begins = 0;
  // The first one is where the text begins, whatever comes before its .version.
  for (size_t at = text.find(".version"); (at = text.find(kBegins, at)) != text.npos; ++at) {
    modules.push_back(text.substr(begins, at + 1 - begins));
    begins = at + 1;
  }
  modules.push_back(text.substr(begins));
  return modules;
}

}  // namespace

Status GpuDevice::load_module(std::string_view image, std::string_view name, ModuleId* out) {
  if (Status status = context_.enter(); !status.ok()) return status;
  auto module = std::make_unique<Module>();
  module->image = image.substr(0, image.find('\0'));
  forget_debug_target(module->image);
  module->name = name;
  std::lock_guard lock(mutex_);
  *out = next_module_++;
  modules_[*out] = std::move(module);
  return {};
}

Status GpuDevice::module_of(ModuleId id, Module** out) {
  auto found = modules_.find(id);
  if (found == modules_.end()) return {Failure::InvalidValue, fmt::format("there is no module {}", id)};
  *out = found->second.get();
  return {};
}

Status GpuDevice::compile(Module& module) {
  if (module.handle || !module.failure.ok()) return module.failure;
  std::array<char, 16384> log{};
  const CUresult result = compile_text(module, std::span(log).first(log.size() - 1));
  if (result == kSuccess) return {};
  module.handle = nullptr;
  module.failure = context_.check(result, fmt::format("compiling the PTX of `{}`", module.name));
  std::string_view said(log.data());
  while (!said.empty() && std::isspace(static_cast<unsigned char>(said.back()))) said.remove_suffix(1);
  if (!said.empty()) module.failure.detail += fmt::format(":\n{}", said);
  return module.failure;
}

CUresult GpuDevice::compile_text(Module& module, std::span<char> log) const {
  if (const std::vector<std::string> texts = modules_of(module.image); texts.size() > 1)
    return link_texts(module, texts, log);
  int options[] = {kJitErrorLog, kJitErrorLogBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  return driver().load_module(&module.handle, module.image.c_str(), std::size(options), options, values);
}

CUresult GpuDevice::link_texts(Module& module, std::span<const std::string> texts, std::span<char> log) const {
  const Driver& gpu = driver();
  if (!gpu.begin_link || !gpu.add_to_link || !gpu.complete_link || !gpu.end_link) return kNotSupported;
  int options[] = {kJitErrorLog, kJitErrorLogBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  CUlinkState link = nullptr;
  CUresult result = gpu.begin_link(std::size(options), options, values, &link);
  if (result != kSuccess) return result;
  for (const std::string& text : texts) {
    // (The driver takes the text as it takes a string in C: with the zero at its end. It does not write to it.)
    if (result == kSuccess)
      result = gpu.add_to_link(link, kJitInputPtx, const_cast<char*>(text.c_str()), text.size() + 1,
                               module.name.c_str(), 0, nullptr, nullptr);
  }
  void* image = nullptr;  // the link's own
  size_t bytes = 0;
  if (result == kSuccess) result = gpu.complete_link(link, &image, &bytes);
  if (result == kSuccess) result = gpu.load_module(&module.handle, image, 0, nullptr, nullptr);
  const CUresult ended = gpu.end_link(link);
  if (result != kSuccess || ended == kSuccess) return result;
  (void)gpu.unload_module(module.handle);
  return ended;
}

void GpuDevice::make_ready(ModuleId id) {
  if (!context_.enter().ok()) return;
  std::lock_guard lock(mutex_);
  Module* module = nullptr;
  if (!module_of(id, &module).ok() || !compile(*module).ok()) return;
  // A driver may put off the loading of each kernel to its first use, and waits for all work then.
  if (!driver().load_function) return;
  for (const std::string& name : entries_of(module->image)) {
    CUfunction function = nullptr;
    if (driver().get_function(&function, module->handle, name.c_str()) == kSuccess)
      (void)driver().load_function(function);
  }
}

Status GpuDevice::unload_module(ModuleId id) {
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = wait_all(); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  Module* module = nullptr;
  if (Status status = module_of(id, &module); !status.ok()) return status;
  for (const auto& [name, kernel] : module->kernels) kernels_.erase(kernel);
  const CUmodule handle = module->handle;
  modules_.erase(id);
  return handle ? context_.check(driver().unload_module(handle), "unloading a module") : Status{};
}

Status GpuDevice::inspect(CUfunction function, std::string_view name, KernelInfo* info) const {
  Status status;
  auto attribute = [&](int number) -> uint32_t {
    int value = 0;
    if (status.ok())
      status = context_.check(driver().function_attribute(&value, number, function), "asking for a kernel");
    return static_cast<uint32_t>(value);
  };
  info->name = name;
  info->max_threads_per_block = attribute(0);
  info->static_shared_bytes = attribute(1);
  info->const_bytes = attribute(2);
  info->local_bytes = attribute(3);
  info->registers = attribute(4);
  info->ptx_version = attribute(5);
  info->sm = attribute(6);
  if (context_.description().properties.major >= 9) {
    info->required_cluster = {attribute(11), attribute(12), attribute(13)};
    if (info->required_cluster.count() == 0) info->required_cluster = {0, 0, 0};
  }
  if (!status.ok()) return status;
  for (size_t i = 0;; ++i) {
    size_t offset = 0, bytes = 0;
    const CUresult result = driver().parameter_info(function, i, &offset, &bytes);
    if (result == kInvalidValue) break;  // there are no more
    if (result != kSuccess) return context_.check(result, "asking for a kernel's parameters");
    info->parameters.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(bytes), 1});
    info->parameter_bytes = std::max(info->parameter_bytes, static_cast<uint32_t>(offset + bytes));
  }
  return {};
}

Status GpuDevice::find_kernel(ModuleId id, std::string_view name, KernelId* out) {
  if (Status status = context_.enter(); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  Module* module = nullptr;
  if (Status status = module_of(id, &module); !status.ok()) return status;
  if (Status status = compile(*module); !status.ok()) return status;
  if (auto known = module->kernels.find(name); known != module->kernels.end()) {
    *out = known->second;
    return {};
  }
  auto kernel = std::make_unique<Kernel>();
  const std::string text(name);
  const CUresult result = driver().get_function(&kernel->function, module->handle, text.c_str());
  if (result == kNotFound)
    return {Failure::NotFound, fmt::format("module `{}` has no kernel `{}`", module->name, name)};
  if (result != kSuccess) return context_.check(result, fmt::format("looking for kernel `{}`", name));
  if (Status status = inspect(kernel->function, name, &kernel->info); !status.ok()) return status;
  *out = next_kernel_++;
  module->kernels.emplace(text, *out);
  kernels_[*out] = std::move(kernel);
  return {};
}

Status GpuDevice::find_symbol(ModuleId id, std::string_view name, SymbolInfo* out) {
  if (Status status = context_.enter(); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  Module* module = nullptr;
  if (Status status = module_of(id, &module); !status.ok()) return status;
  if (Status status = compile(*module); !status.ok()) return status;
  auto known = module->symbols.find(name);
  if (known == module->symbols.end()) {
    const std::string text(name);
    CUdeviceptr address = 0;
    size_t bytes = 0;
    const CUresult result =
        name.empty() ? kNotFound : driver().get_global(&address, &bytes, module->handle, text.c_str());
    if (result == kNotFound)
      return {Failure::NotFound, fmt::format("module `{}` has no variable `{}`", module->name, name)};
    if (result != kSuccess) return context_.check(result, fmt::format("looking for variable `{}`", name));
    unsigned managed = 0;
    if (Status status = context_.check(driver().pointer_attribute(&managed, kPointerIsManaged, address),
                                       fmt::format("asking for variable `{}`", name));
        !status.ok())
      return status;
    const Allocation made{address, bytes, managed ? MemoryKind::Managed : MemoryKind::Device};
    known = module->symbols.emplace(text, made).first;
  }
  *out = {known->second.base, known->second.size};
  return {};
}

Status GpuDevice::list_kernels(ModuleId id, std::vector<std::string>* names) {
  if (Status status = context_.enter(); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  Module* module = nullptr;
  if (Status status = module_of(id, &module); !status.ok()) return status;
  if (Status status = compile(*module); !status.ok()) return status;
  // A declaration without a body, or a name in a comment, is no kernel for the driver.
  for (std::string& name : entries_of(module->image)) {
    CUfunction function = nullptr;
    if (driver().get_function(&function, module->handle, name.c_str()) != kSuccess) continue;
    if (std::find(names->begin(), names->end(), name) == names->end()) names->push_back(std::move(name));
  }
  return {};
}

Status GpuDevice::make_managed(ModuleId id, std::string_view variable) {
  std::lock_guard lock(mutex_);
  Module* module = nullptr;
  if (Status status = module_of(id, &module); !status.ok()) return status;
  if (module->handle)
    return {Failure::InvalidValue, fmt::format("`{}` becomes managed too late: its module is in use", variable)};
  if (add_managed_attribute(module->image, variable)) return {};
  return {Failure::NotFound, fmt::format("module `{}` has no variable `{}`", module->name, variable)};
}

const KernelInfo& GpuDevice::kernel_info(KernelId kernel) const {
  static const KernelInfo none;
  std::lock_guard lock(mutex_);
  auto found = kernels_.find(kernel);
  return found == kernels_.end() ? none : found->second->info;
}

Status GpuDevice::allow_dynamic_shared(KernelId id, uint32_t bytes) {
  if (Status status = context_.enter(); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  auto found = kernels_.find(id);
  if (found == kernels_.end()) return {Failure::InvalidValue, fmt::format("there is no kernel {}", id)};
  return context_.check(
      driver().set_function_attribute(found->second->function, kMaxDynamicShared, static_cast<int>(bytes)),
      fmt::format("allowing {} bytes of dynamic shared memory", bytes));
}

}  // namespace warpwise::device::gpu
