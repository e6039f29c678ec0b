#include "cuda/runtime/process.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cuda/runtime/open_device.h"

namespace warpwise::cuda {

namespace {

int verbosity_from_environment() {
  const char* options = std::getenv("WARPWISE_OPTIONS");
  if (!options) return 0;
  auto json = nlohmann::json::parse(options, nullptr, /*allow_exceptions=*/false);
  // Malformed options are reported by the device, which reads all of them.
  if (!json.is_object() || !json.contains("verbosity") || !json["verbosity"].is_number_integer()) return 0;
  return json["verbosity"].get<int>();
}

void finish_process() { Process::instance().finish(); }

__attribute__((destructor)) void finish_when_unloaded() { finish_process(); }

}  // namespace

Process::Process() : verbosity_(verbosity_from_environment()) {}

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
    opened_.store(device_.get(), std::memory_order_release);
    std::atexit(finish_process);
  }
  return device_.get();
}

std::string Process::why_no_device() const {
  std::lock_guard lock(opening_);
  return why_no_device_;
}

void Process::finish() {
  if (device::Device* gpu = opened_device()) (void)gpu->wait_all();
  shadows.bring_in_step();
}

void Process::reset(device::Device& gpu) {
  (void)gpu.wait_all();
  captures.forget_all();
  graph_execs.forget_all();
  graphs.forget_all();
  shadows.bring_in_step();
  shadows.detach_all();
  gpu.reset();
  streams.forget_all();
  events.forget_all();
  modules.forget_device();
  host_ranges.forget_allocations();
  pools.forget_all();
  textures.clear();
  arrays.clear();
  limits = {};
  failure_reported_ = false;
}

}  // namespace warpwise::cuda
