#include "exec/loading/loaded_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "exec/device_runtime/device_runtime.h"
#include "exec/launch/register_estimate.h"
#include "exec/loading/jit_engine.h"
#include "exec/memory/host_pages.h"
#include "exec/observer.h"
#include "ptx/link.h"
#include "ptx/parse/parser.h"

namespace warpwise::exec {

using device::Address;
using device::Failure;
using device::Status;

std::string fingerprint_of(std::string_view text) {
  // FNV-1a with the 128-bit parameters of the FNV authors' reference.
  constexpr unsigned __int128 kPrime = (static_cast<unsigned __int128>(1) << 88) + 0x13b;
  unsigned __int128 hash = (static_cast<unsigned __int128>(0x6c62272e07bb0142) << 64) | 0x62b821756295c58d;
  for (unsigned char c : text) hash = (hash ^ c) * kPrime;
  return fmt::format("{:016x}{:016x}", static_cast<uint64_t>(hash >> 64), static_cast<uint64_t>(hash));
}

LoadedModule::LoadedModule(std::string_view image, std::string_view name, const device::Properties& properties,
                           Arena& arena)
    : properties_(properties), arena_(arena) {
  // Images out of a program's data section may carry the zero that ends a C string.
  if (size_t zero = image.find('\0'); zero != std::string_view::npos) image = image.substr(0, zero);
  source_ = std::make_shared<SourceText>(std::string(name), std::string(image));
}

LoadedModule::~LoadedModule() {
  if (globals_) arena_.free(globals_);
}

Status LoadedModule::prepare() {
  std::lock_guard lock(mutex_);
  if (prepared_) return status_;
  prepared_ = true;
  status_ = parse();
  if (status_.ok()) status_ = check_target();
  if (status_.ok()) status_ = place_variables();
  return status_;
}

namespace {

struct Parsed {
  std::shared_ptr<const SourceText> source;
  std::shared_ptr<const ptx::Module> module;
};

// The modules of `parts` as one, which keeps the name of `source`.
std::variant<Parsed, Status> parse_linked(std::shared_ptr<const SourceText> source,
                                          const std::vector<std::string_view>& parts) {
  if (parts.size() > 1) {
    auto linked = ptx::link(parts);
    if (!linked.ok())
      return Status{Failure::InvalidPtx, fmt::format("{}: {}", linked.error().code, linked.error().message)};
    source = std::make_shared<SourceText>(std::string(source->name()), std::move(linked).value());
  }
  Diagnostics diagnostics;
  auto module = ptx::load(source, diagnostics);
  if (!module) return Status{Failure::InvalidPtx, render_text(diagnostics, /*color=*/false)};
  return Parsed{std::move(source), std::make_shared<const ptx::Module>(std::move(*module))};
}

}  // namespace

Status LoadedModule::parse() {
  const std::shared_ptr<const SourceText> image = source_;
  std::vector<std::string_view> parts = ptx::split_modules(image->text());
  auto parsed = parse_linked(image, parts);
  if (const Parsed* alone = std::get_if<Parsed>(&parsed); alone && needs_device_runtime(*alone->module)) {
    parts.push_back(device_runtime_ptx());
    parsed = parse_linked(image, parts);
  }
  if (Status* failed = std::get_if<Status>(&parsed)) return *failed;
  source_ = std::get<Parsed>(parsed).source;
  module_ = std::get<Parsed>(parsed).module;
  return Status::success();
}

// PTX ISA 11.1.2: PTX runs on its own architecture and later ones; with the suffix `a` on that one only,
// with `f` on its family.
Status LoadedModule::check_target() const {
  unsigned device = properties_.major * 10 + properties_.minor;
  bool fits = module_->sm <= device;
  if (module_->target.ends_with('a')) fits = module_->sm == device;
  if (module_->target.ends_with('f')) fits = fits && module_->sm / 10 == properties_.major;
  if (fits) return Status::success();
  return {Failure::InvalidImage,
          fmt::format("the module is for {}, the device {} is sm_{}", module_->target, properties_.name, device)};
}

uint32_t LoadedModule::margin() const {
  return arena_.observer() ? simt::variable_margin(arena_.observer()->watch()) : 0;
}

Status LoadedModule::place_variables() {
  layout_ = ptx::lay_out_globals(*module_, margin());
  if (layout_.bytes == 0) return Status::success();
  const auto& variables = module_->variables;
  bool managed = std::any_of(variables.begin(), variables.end(),
                             [this](const ptx::Variable& v) { return v.managed || made_managed_.contains(v.name); });
  auto base = arena_.allocate(layout_.bytes, managed ? device::MemoryKind::Managed : device::MemoryKind::Device,
                              Owner::Module, "the variables of a module");
  if (!base.ok()) return status_of(base.error());
  globals_ = *base;
  if (HostPages* pages = managed ? arena_.host_pages() : nullptr) pages->add_variables(globals_, layout_.bytes);
  std::memset(engine_view(globals_), 0, layout_.bytes);
  for (size_t v = 0; v < variables.size(); ++v) {
    if (layout_.offset[v] == ptx::kNotPlaced) continue;
    const ptx::Variable& variable = variables[v];
    if (variable.name == kLaunchList) launch_list_ = globals_ + layout_.offset[v];
    if (variable.name == kLaunchError) launch_error_ = globals_ + layout_.offset[v];
    std::byte* at = engine_view(globals_ + layout_.offset[v]);
    if (!variable.initial.empty())
      std::memcpy(at, variable.initial.data(), std::min<uint64_t>(variable.initial.size(), variable.size));
    for (const ptx::Relocation& relocation : variable.relocations) {
      uint64_t value = 0;
      if (relocation.symbol.kind == ptx::SymbolRef::Kind::Function) {
        value = ptx::function_address(relocation.symbol.index);
      } else if (relocation.symbol.index < layout_.offset.size() &&
                 layout_.offset[relocation.symbol.index] != ptx::kNotPlaced) {
        value = globals_ + layout_.offset[relocation.symbol.index];
      } else {
        return {Failure::InvalidPtx,
                fmt::format("the initial value of `{}` is the address of something without one", variable.name)};
      }
      value = (value + static_cast<uint64_t>(relocation.addend)) >> relocation.shift;
      if (relocation.bytes > 8 || relocation.at > variable.size || variable.size - relocation.at < relocation.bytes)
        return {Failure::InvalidPtx,
                fmt::format("the initial value of `{}` is larger than the variable", variable.name)};
      std::memcpy(at + relocation.at, &value, relocation.bytes);
    }
  }
  if (Observer* observer = arena_.observer()) observer->variables_placed(*module_, layout_, globals_);
  return Status::success();
}

Status LoadedModule::make_managed(std::string_view variable) {
  std::lock_guard lock(mutex_);
  if (prepared_) return {Failure::InvalidValue, fmt::format("`{}` has its place already", variable)};
  made_managed_.emplace(variable);
  return Status::success();
}

Status LoadedModule::find_kernel(std::string_view name, LoadedFunction** out) {
  if (Status status = prepare(); !status.ok()) return status;
  std::lock_guard lock(mutex_);
  if (auto found = kernels_.find(name); found != kernels_.end()) {
    *out = found->second.get();
    return Status::success();
  }
  for (uint32_t f = 0; f < module_->functions.size(); ++f) {
    const ptx::Function& function = module_->functions[f];
    if (function.name != name || !function.is_entry || function.is_declaration) continue;
    auto loaded = std::make_unique<LoadedFunction>();
    loaded->module = this;
    KernelImage& image = loaded->image;
    image.module = module_;
    image.module_key = fingerprint_of(source_->text());
    image.kernel = f;
    image.layout = ptx::lay_out_kernel(*module_, f, margin());
    image.globals_layout = &layout_;
    image.globals = globals_;

    device::KernelInfo& info = loaded->info;
    info.name = function.name;
    for (const ptx::Parameter& p : function.parameters)
      info.parameters.push_back({p.offset, static_cast<uint32_t>(p.size), p.align});
    info.parameter_bytes = function.parameter_bytes;
    info.registers = estimate_registers(function);
    // The program gets what it has declared.
    info.static_shared_bytes = (margin() ? ptx::lay_out_kernel(*module_, f) : image.layout).static_shared_bytes;
    info.local_bytes = image.layout.local_bytes;
    for (size_t v = 0; v < module_->variables.size(); ++v)
      if (module_->variables[v].space == ptx::Space::Const)
        info.const_bytes += static_cast<uint32_t>(module_->variables[v].size);
    auto count = [](const ptx::Dim3& d) { return uint64_t{std::max(d.x, 1u)} * std::max(d.y, 1u) * std::max(d.z, 1u); };
    uint64_t most = device::Properties::kMaxThreadsPerBlock;
    if (function.max_threads.x != 0) most = std::min(most, count(function.max_threads));
    if (function.required_threads.x != 0) {
      most = std::min(most, count(function.required_threads));
      info.required_block = {function.required_threads.x, std::max(function.required_threads.y, 1u),
                             std::max(function.required_threads.z, 1u)};
    }
    if (const ptx::Dim3& c = function.required_cluster; c.x != 0)
      info.required_cluster = {c.x, std::max(c.y, 1u), std::max(c.z, 1u)};
    info.max_threads_per_block = static_cast<uint32_t>(most);
    info.ptx_version = module_->version;
    info.sm = module_->sm;
    loaded->dynamic_shared_limit =
        properties_.shared_per_block_bytes - std::min(properties_.shared_per_block_bytes, info.static_shared_bytes);
    *out = loaded.get();
    kernels_.emplace(std::string(name), std::move(loaded));
    return Status::success();
  }
  return {Failure::NotFound, fmt::format("`{}` has no kernel `{}`", source_->name(), name)};
}

Status LoadedModule::list_kernels(std::vector<std::string>* names) {
  if (Status status = prepare(); !status.ok()) return status;
  names->clear();
  for (const ptx::Function& function : module_->functions)
    if (function.is_entry && !function.is_declaration) names->emplace_back(function.name);
  return Status::success();
}

LoadedFunction* LoadedModule::kernel_at(uint64_t address) {
  uint64_t index = address / ptx::function_address(0) - 1;
  if (!module_ || index >= module_->functions.size() || ptx::function_address(static_cast<uint32_t>(index)) != address)
    return nullptr;
  LoadedFunction* function = nullptr;
  return find_kernel(module_->functions[index].name, &function).ok() ? function : nullptr;
}

Status LoadedModule::find_symbol(std::string_view name, device::SymbolInfo* out) {
  if (Status status = prepare(); !status.ok()) return status;
  for (size_t v = 0; v < module_->variables.size(); ++v) {
    if (module_->variables[v].name != name || layout_.offset[v] == ptx::kNotPlaced) continue;
    *out = {globals_ + layout_.offset[v], module_->variables[v].size};
    return Status::success();
  }
  return {Failure::NotFound, fmt::format("`{}` has no variable `{}`", source_->name(), name)};
}

}  // namespace warpwise::exec
