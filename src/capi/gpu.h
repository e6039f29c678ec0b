// The GPU of the process, as the C interface gives it out: opened with options, opened anew for a watch, and opened
// anew after a kernel has failed.
//
//     open ──► plain GPU ──watch──► GPU with checkers, profiler or recorder ──report──► plain GPU
//                                            │ findings, counts, steps
//                                            ▼
//                                     a file of records ──► text, JSON
//
// It stands where the CUDA runtime of this process has its device (cuda/runtime/process.h), so that a library's own
// host code and the calls from outside use one GPU.
#pragma once

#include <atomic>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/result.h"
#include "capi/recording.h"
#include "cuda/runtime/process.h"
#include "exec/options.h"
#include "toolchain/files.h"

namespace warpwise::capi {

struct WatchReport {
  std::string text, json;
};

class Gpu {
 public:
  // U0004, U0005 for options; U0030 while another one is open.
  static Result<std::unique_ptr<Gpu>> open(std::string_view options);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const std::string& properties() const { return properties_; }
  unsigned architecture() const;

  Result<void> watch(std::string_view what);
  Result<WatchReport> report();

  // Everything on the GPU goes, and the next call finds a new one with the same options: what a failed kernel needs.
  Result<void> renew();
  // How many GPUs have served so far.
  uint64_t generation() const { return generation_.load(std::memory_order_relaxed); }

  std::string take_printed();
  bool has_printed() const { return has_printed_.load(std::memory_order_relaxed); }

  // Held by what uses the GPU: one call at a time.
  std::mutex& in_use() { return in_use_; }
  // Ends the kernels of the present call.
  std::atomic<bool>& stop() { return stop_; }

  device::Device& device() const { return *cuda::Process::instance().opened_device(); }

 private:
  Gpu() = default;
  Result<void> serve(const exec::Options& options, std::optional<cuda::BlockToRecord> record = {});
  Result<WatchReport> report_of_check(const exec::Options& watched) const;
  Result<WatchReport> report_of_profile(const exec::Options& watched) const;
  Result<WatchReport> report_of_recording(const exec::Options& watched);

  std::atomic<uint64_t> generation_{0};
  std::mutex in_use_;
  std::atomic<bool> stop_{false};
  std::mutex printing_;
  std::string printed_;
  std::atomic<bool> has_printed_{false};

  std::string plain_;      // the options given to open(), as JSON
  exec::Options present_;  // of the GPU that serves now
  std::string properties_;
  std::optional<toolchain::TemporaryFolder> records_;  // of the watch; nothing: there is none
  std::optional<RecordingRequest> recording_;          // of a watch that records
  std::optional<Error> not_recorded_;                  // and why it has not
};

}  // namespace warpwise::capi
