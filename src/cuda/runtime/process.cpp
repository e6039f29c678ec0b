#include "cuda/runtime/process.h"

#include <algorithm>
#include <cstdlib>

#include "base/json.h"
#include "cuda/runtime/device/open_device.h"

namespace warpwise::cuda {

namespace {

// The members of WARPWISE_OPTIONS that the runtime reads. The device reads all of them and reports malformed ones.
nlohmann::json options_from_environment() {
  const char* options = std::getenv("WARPWISE_OPTIONS");
  auto json = parse_json(options ? options : "");
  return json.is_object() ? json : nlohmann::json::object();
}

int verbosity_of(const nlohmann::json& options) {
  auto at = options.find("verbosity");
  return at != options.end() && at->is_number_integer() ? at->get<int>() : 0;
}

bool api_is_checked(const nlohmann::json& options) {
  auto at = options.find("check");
  return at != options.end() && at->is_array() && std::find(at->begin(), at->end(), "api") != at->end();
}

int devices_of(const nlohmann::json& options) {
  auto at = options.find("devices");
  return at != options.end() && at->is_number_integer() ? std::clamp(at->get<int>(), 1, kMostDevices) : 1;
}

void finish_process() { Process::instance().finish(); }

__attribute__((destructor)) void finish_when_unloaded() { Process::instance().finish_for_good(); }

}  // namespace

Process::Process() : Process(options_from_environment()) {}

Process::Process(const nlohmann::json& options) : devices(devices_of(options)) {
  verbosity_ = verbosity_of(options);
  if (api_is_checked(options)) checks.start();
}

Process& Process::instance() {
  static Process* process = new Process;
  return *process;
}

device::Device* Process::device() {
  if (device::Device* gpu = opened_device()) return gpu;
  std::lock_guard lock(opening_);
  if (!device_ && why_no_device_.empty()) {
    auto opened = open_process_device();
    if (!opened) {
      why_no_device_ = opened.error().message;
      return nullptr;
    }
    device_ = std::move(opened).value();
    checks.watch(device_->findings());
    opened_.store(device_.get(), std::memory_order_release);
    std::atexit(finish_process);
    modules.load_ahead(*device_);
  }
  return device_.get();
}

std::string Process::why_no_device() const {
  std::lock_guard lock(opening_);
  return why_no_device_;
}

void Process::replace_device(std::unique_ptr<device::Device> gpu) {
  if (device::Device* present = opened_device()) {
    present->end_work();
    end_findings(*present);
    reset(*present);
  } else {
    std::atexit(finish_process);
  }
  std::lock_guard lock(opening_);
  opened_.store(gpu.get(), std::memory_order_release);
  device_ = std::move(gpu);
  why_no_device_.clear();
  verbosity_ = -1;
}

void Process::finish() {
  if (device::Device* gpu = opened_device()) {
    gpu->end_work();
    checks.main_ended(gpu->sticky_failure());
  }
  shadows.synchronise();
}

void Process::finish_for_good() {
  finish();
  device::Device* gpu = checks.has_unread() ? device() : opened_device();
  if (!gpu) return;
  checks.program_ended(gpu->sticky_failure());
  end_findings(*gpu);
}

void Process::reset(device::Device& gpu) {
  // Others in this process use that one, too.
  if (OnOtherDevice::present()) {
    (void)gpu.wait_all();
    return;
  }
  gpu.end_work();
  checks.all_freed();
  captures.forget_all();
  graph_execs.forget_all();
  graphs.forget_all();
  shadows.synchronise();
  shadows.detach_all();
  gpu.reset();
  streams.forget_all();
  events.forget_all();
  modules.forget_device();
  host_ranges.forget_allocations();
  pools.forget_all();
  borrowed.forget_all();
  textures.clear();
  texture_references.forget_bindings();
  arrays.clear();
  limits = {};
  failure_reported_ = false;
}

}  // namespace warpwise::cuda
