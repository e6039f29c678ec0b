#include "lab/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "api/code_on_disk.h"
#include "base/demangled.h"
#include "check/checkers.h"
#include "exec/memory/arena.h"
#include "exec/virtual_device.h"

namespace warpwise::lab {
namespace {

constexpr size_t kMostPrinted = 16 << 10;
constexpr device::StreamId kStream = 0;

Error bench_error(const device::Status& status) { return {"L0009", fmt::format("the device of the judge: {}", status.detail)}; }

Result<void> ok(device::Status status) {
  if (status.ok()) return {};
  return bench_error(status);
}

// The kernel called `entry`, mangled or not.
Result<std::string> find_entry(device::Device& gpu, device::ModuleId module, const std::string& entry, TrialResult& result) {
  std::vector<std::string> names;
  if (device::Status status = gpu.list_kernels(module, &names); !status.ok()) {
    result.failure = status.failure;
    result.detail = status.detail;
    return std::string();
  }
  for (const std::string& name : names)
    if (name == entry || demangled(name).starts_with(entry + "(")) return name;
  std::string others;
  for (const std::string& name : names) others += fmt::format("{}`{}`", others.empty() ? "" : ", ", demangled(name));
  result.bad_entry = true;
  result.detail = fmt::format("there is no kernel `{}`{}", entry, others.empty() ? "" : fmt::format("; the source has {}", others));
  return std::string();
}

// The bytes of a value parameter.
void put_number(std::byte* to, const Trial& trial, const Parameter& p) {
  if (p.role == Role::Size) {
    const int64_t value = trial.shape.names.find(p.name)->second;  // integers are little-endian: the low bytes come first
    std::memcpy(to, &value, bytes_of(p.type));
    return;
  }
  problem::Values(to, 1, p.type).set(0, trial.scalars.find(p.name)->second);
}

class KernelBench {
 public:
  KernelBench(const Trial& trial, const TrialMemory& memory, const BenchOptions& options) : trial_(trial), memory_(memory), options_(options) {}

  Result<TrialResult> run(const std::string& ptx) {
    TRY(open());
    device::ModuleId module = 0;
    TRY(ok(gpu_->load_module(ptx, "submission.ptx", &module)));
    const std::string name = TRY(find_entry(*gpu_, module, trial_.problem->entry, result_));
    if (name.empty()) return std::move(result_);
    device::Launch launch;
    TRY(ok(gpu_->find_kernel(module, name, &launch.kernel)));
    TRY(place_arrays());
    if (!set_parameters(launch)) return std::move(result_);
    const auto& shape = trial_.shape.launch;
    launch.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
    launch.block = {shape.block[0], shape.block[1], shape.block[2]};
    launch.dynamic_shared_bytes = shape.shared_bytes;
    (void)gpu_->allow_dynamic_shared(launch.kernel, shape.shared_bytes);

    const auto started = std::chrono::steady_clock::now();
    device::Status status = gpu_->submit(kStream, std::move(launch));
    if (status.ok()) status = gpu_->wait_all();
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    result_.failure = status.failure;
    result_.detail = status.detail;
    collect();
    return std::move(result_);
  }

 private:
  Result<void> open() {
    sink_ = std::make_shared<CollectingSink>();
    exec::DeviceSetup setup;
    setup.options.device = options_.device;
    setup.options.timeout_seconds = options_.seconds;
    setup.options.quick_compile = options_.watched;
    setup.options.schedule = {trial_.spec->shuffle, trial_.seed};
    setup.cache = api::code_on_disk();
    setup.print = [this](std::string_view text) { result_.printed += text.substr(0, kMostPrinted - std::min(kMostPrinted, result_.printed.size())); };
    if (options_.watched) {
      for (Checker checker : {Checker::Memory, Checker::Init, Checker::Race, Checker::Sync}) setup.options.check.add(checker);
      setup.findings = sink_;
      auto counter = std::make_unique<AccessCounter>();
      counter_ = counter.get();
      setup.observer = check::make_checkers(setup.options.check, *sink_, std::move(counter));
    }
    gpu_ = TRY(exec::VirtualDevice::create(std::move(setup)));
    return {};
  }

  // Inputs are copied, as a program would. Poison is put there behind the checkers' back: nobody has written to an output.
  Result<void> place_arrays() {
    for (size_t i = 0; i < trial_.arrays.size(); ++i) {
      const TrialArray& array = trial_.arrays[i];
      const Parameter& p = *array.parameter;
      device::Address base = 0;
      TRY(ok(gpu_->allocate(std::max<size_t>(array.bytes(), 1), device::MemoryKind::Device, &base)));
      bases_.push_back(base);
      if (array.bytes() == 0) continue;
      if (p.is_made() || p.zeroed) {
        const size_t bytes = array.bytes();
        TRY(ok(gpu_->submit(kStream, device::CopyToDevice{base, array.before.data(), {.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}})));
        TRY(ok(gpu_->wait_all()));
      } else {
        std::memcpy(exec::engine_view(base), array.before.data(), array.bytes());
      }
      if (counter_) counter_->watch_array({base, array.bytes(), bytes_of(p.type), memory_.writers[i]});
    }
    return {};
  }

  // False when the kernel takes other parameters.
  bool set_parameters(device::Launch& launch) {
    const device::KernelInfo& info = gpu_->kernel_info(launch.kernel);
    const auto& parameters = trial_.problem->parameters;
    bool fits = info.parameters.size() == parameters.size();
    for (size_t i = 0; fits && i < parameters.size(); ++i)
      fits = info.parameters[i].size == (parameters[i].pointer ? sizeof(device::Address) : bytes_of(parameters[i].type));
    if (!fits) {
      result_.bad_entry = true;
      result_.detail = fmt::format("`{}` has other parameters than the problem gives it", demangled(info.name));
      return false;
    }
    launch.parameters.resize(info.parameter_bytes);
    size_t array = 0;
    for (size_t i = 0; i < parameters.size(); ++i) {
      std::byte* to = launch.parameters.data() + info.parameters[i].offset;
      if (parameters[i].pointer) std::memcpy(to, &bases_[array++], sizeof(device::Address));
      else put_number(to, trial_, parameters[i]);
    }
    return true;
  }

  void collect() {
    for (size_t i = 0; i < bases_.size(); ++i)
      if (!memory_.after[i].empty()) std::memcpy(memory_.after[i].data(), exec::engine_view(bases_[i]), memory_.after[i].size());
    result_.ran = true;
    result_.findings = sink_->findings();
    result_.not_watched = sink_->not_watched();
    for (Finding& finding : result_.findings) name_array(finding);
    if (!counter_) return;
    result_.measured = counter_->measured();
    result_.sites = counter_->sites();
  }

  // The allocations of a trial have names: those of the parameters.
  void name_array(Finding& finding) const {
    if (!finding.memory || !finding.memory->allocated || !finding.memory->name.empty()) return;
    MemoryPlace& memory = *finding.memory;
    for (size_t i = 0; i < bases_.size(); ++i) {
      if (memory.base != bases_[i]) continue;
      const TrialArray& array = trial_.arrays[i];
      memory.name = array.parameter->name;
      const std::string anonymous = fmt::format("an allocation of {} bytes", memory.size);
      const std::string named = fmt::format("`{}` ({} element{}, {} bytes)", memory.name, array.count, array.count == 1 ? "" : "s", memory.size);
      if (size_t at = finding.message.find(anonymous); at != finding.message.npos) finding.message.replace(at, anonymous.size(), named);
    }
  }

  const Trial& trial_;
  const TrialMemory& memory_;
  const BenchOptions& options_;
  TrialResult result_;
  std::shared_ptr<CollectingSink> sink_;
  AccessCounter* counter_ = nullptr;  // the device's
  std::unique_ptr<exec::VirtualDevice> gpu_;
  std::vector<device::Address> bases_;  // by array
};

}  // namespace

Result<TrialResult> run_kernel_trial(const std::string& ptx, const Trial& trial, const TrialMemory& memory, const BenchOptions& options) {
  return KernelBench(trial, memory, options).run(ptx);
}

}  // namespace warpwise::lab
