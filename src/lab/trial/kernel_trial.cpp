#include "lab/trial/kernel_trial.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "base/demangled.h"
#include "exec/virtual_device.h"

namespace warpwise::lab {
namespace {

// The kernel called `entry`, mangled or not; when there is none, the result says so.
Result<std::string> find_entry(device::Device& gpu, device::ModuleId module, const std::string& entry,
                               TrialResult& result) {
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
  result.detail =
      fmt::format("there is no kernel `{}`{}", entry, others.empty() ? "" : fmt::format("; the source has {}", others));
  return std::string();
}

// False when the kernel takes other parameters.
bool set_parameters(const Problem& problem, const std::vector<uint64_t>& arguments, const device::KernelInfo& info,
                    device::Launch& launch) {
  const auto& parameters = problem.parameters;
  if (info.parameters.size() != parameters.size()) return false;
  launch.parameters.resize(info.parameter_bytes);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const size_t bytes = parameters[i].pointer ? sizeof(device::Address) : bytes_of(parameters[i].type);
    if (info.parameters[i].size != bytes) return false;
    std::memcpy(launch.parameters.data() + info.parameters[i].offset, &arguments[i], bytes);
  }
  return true;
}

}  // namespace

Result<TrialResult> run_kernel_trial(const std::string& ptx, const Trial& trial, const TrialMemory& memory,
                                     const TestDeviceOptions& options) {
  const std::unique_ptr<TestDevice> test_device = TRY(TestDevice::open(trial, memory, options));
  exec::VirtualDevice& gpu = test_device->gpu();
  device::ModuleId module = 0;
  TRY(device_ok(gpu.load_module(ptx, "submission.ptx", &module)));
  const std::string name = TRY(find_entry(gpu, module, trial.problem->entry, test_device->result()));
  if (name.empty()) return std::move(test_device->result());
  device::Launch launch;
  TRY(device_ok(gpu.find_kernel(module, name, &launch.kernel)));
  if (!set_parameters(*trial.problem, test_device->arguments(), gpu.kernel_info(launch.kernel), launch)) {
    test_device->result().bad_entry = true;
    test_device->result().detail = fmt::format("`{}` has other parameters than the problem gives it", demangled(name));
    return std::move(test_device->result());
  }
  const Launch& shape = trial.shape.launch;
  launch.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
  launch.block = {shape.block[0], shape.block[1], shape.block[2]};
  launch.dynamic_shared_bytes = shape.shared_bytes;
  (void)gpu.allow_dynamic_shared(launch.kernel, shape.shared_bytes);  // a refusal comes back from the launch

  const auto started = std::chrono::steady_clock::now();
  device::Status status = gpu.submit(0, std::move(launch));
  if (status.ok()) status = gpu.wait_all();
  test_device->result().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return test_device->finish(std::move(status));
}

}  // namespace warpwise::lab
