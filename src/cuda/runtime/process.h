// What the runtime keeps for the process: its device (devices.h explains how one device appears as several), and tables
// of the objects to which the program holds handles.
//
// There is one instance, because the C interface has no place to pass it. It is never destroyed: static destructors of
// the program may still call cudaFree after everything else is gone. What must happen at the end of the program
// (submitted work runs, kernel output appears) happens twice: when main returns, while the program's objects still
// live, and when the library is unloaded, for the work that those destructors submitted.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "cuda/runtime/api_checks.h"
#include "cuda/runtime/device/devices.h"
#include "cuda/runtime/device/limits.h"
#include "cuda/runtime/graph/capture.h"
#include "cuda/runtime/graph/graph.h"
#include "cuda/runtime/graph/graph_exec.h"
#include "cuda/runtime/graph/user_object.h"
#include "cuda/runtime/memory/arrays.h"
#include "cuda/runtime/memory/host_ranges.h"
#include "cuda/runtime/memory/managed_shadows.h"
#include "cuda/runtime/memory/pools.h"
#include "cuda/runtime/memory/shared_memory.h"
#include "cuda/runtime/module/modules.h"
#include "cuda/runtime/stream/events.h"
#include "cuda/runtime/stream/streams.h"
#include "cuda/runtime/texture/texture_references.h"
#include "cuda/runtime/texture/textures.h"
#include "device/device.h"

namespace warpwise::cuda {

class Process {
 public:
  static Process& instance();

  // The device; the first call opens it. Null when that failed: why_no_device() gives the reason.
  device::Device* device();
  std::string why_no_device() const;
  // The device, if it has been opened; that of OnOtherDevice where the thread is in one.
  device::Device* opened_device() const {
    if (device::Device* other = OnOtherDevice::present()) return other;
    return opened_.load(std::memory_order_acquire);
  }

  // Runs the submitted work. Never opens the device.
  void finish();
  // The same when no more code of the program will run.
  void finish_for_good();
  // cudaDeviceReset of the last device in use: everything on it and every handle is destroyed; registered modules stay.
  void reset(device::Device& gpu);

  // Everything on the present device and every handle is destroyed, and `gpu` takes its place; registered modules stay.
  // For a host that opens its devices itself (src/capi) and reads why a call failed: nothing is written to stderr from
  // here on. No other thread may be in a call.
  void replace_device(std::unique_ptr<device::Device> gpu);

  // How much to write to stderr: -1 nothing, 0 failed launches and kernels, 1 every failing call. The member
  // "verbosity" of WARPWISE_OPTIONS.
  int verbosity() const { return verbosity_; }
  // True once after each reset: all calls return a sticky error, and one report of it is enough.
  bool first_report_of_failure() { return !failure_reported_.exchange(true); }
  // True once for each text.
  bool first_report_of(const std::string& text) {
    std::lock_guard lock(reported_mutex_);
    return reported_.insert(text).second;
  }

  Devices devices;
  Streams streams;
  Events events;
  Modules modules;
  ManagedShadows shadows;
  HostRanges host_ranges;
  Pools pools;
  BorrowedMemory borrowed;
  Arrays arrays;
  Textures textures;
  TextureReferences texture_references;
  Limits limits;
  UserObjects user_objects;
  Graphs graphs;
  GraphExecs graph_execs;
  Captures captures;
  ApiChecks checks;

 private:
  Process();
  explicit Process(const nlohmann::json& options);

  std::mutex reported_mutex_;
  std::set<std::string> reported_;
  mutable std::mutex opening_;
  std::unique_ptr<device::Device> device_;
  std::string why_no_device_;
  std::atomic<device::Device*> opened_{nullptr};
  std::atomic<bool> failure_reported_{false};
  int verbosity_ = 0;
};

}  // namespace warpwise::cuda
