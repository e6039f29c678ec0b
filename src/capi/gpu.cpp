#include "capi/gpu.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json.h"
#include "check/records/recorded_run.h"
#include "check/report/consequences.h"
#include "check/report/fingerprint.h"
#include "check/report/json.h"
#include "check/report/text.h"
#include "cuda/runtime/device/open_device.h"
#include "device/device_file.h"
#include "perf/counters/json.h"
#include "perf/counters/records.h"
#include "perf/report/analysis.h"
#include "perf/report/json.h"
#include "perf/report/text.h"

namespace warpwise::capi {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// What reports are about, where those of the command name a program.
constexpr const char* kProgram = "calls of this process";

constexpr const char* kFindingsFile = "findings";
constexpr const char* kCountsFile = "counts";
constexpr const char* kStepsFile = "steps";

// There is one GPU, because the CUDA runtime has one: the process's.
std::atomic<bool>& is_open() {
  static std::atomic<bool> open{false};
  return open;
}

Result<Json> object_of(std::string_view text) {
  if (text.empty()) return Json::object();
  Json json = parse_json<Json>(text);
  if (!json.is_object()) return Error{"U0005", "options are a JSON object"};
  return json;
}

std::string describe(const device::Properties& gpu) {
  const Json json = {{"id", gpu.id},
                     {"name", gpu.name},
                     {"architecture", gpu.major * 10 + gpu.minor},
                     {"multiprocessors", gpu.sm_count},
                     {"memory_bytes", gpu.global_memory_bytes}};
  return dump_json(json);
}

}  // namespace

Result<std::unique_ptr<Gpu>> Gpu::open(std::string_view options) {
  if (is_open().exchange(true)) return Error{"U0030", "the process has a GPU already: close it first"};
  std::unique_ptr<Gpu> gpu(new Gpu);  // closes again where something fails
  gpu->plain_ = dump_json(TRY(object_of(options)));
  TRY(gpu->serve(TRY(exec::parse_options(gpu->plain_))));
  return gpu;
}

Gpu::~Gpu() {
  // The runtime may not keep what calls into this object.
  if (auto plain = cuda::open_virtual_gpu({})) cuda::Process::instance().replace_device(std::move(*plain));
  is_open() = false;
}

unsigned Gpu::architecture() const {
  const device::Properties& gpu = device().properties();
  return gpu.major * 10 + gpu.minor;
}

Result<void> Gpu::serve(const exec::Options& options, std::optional<cuda::BlockToRecord> record) {
  cuda::DeviceOwner owner;
  owner.record = std::move(record);
  owner.stop = &stop_;
  owner.print = [this](std::string_view text) {
    std::lock_guard lock(printing_);
    printed_ += text;
    has_printed_ = !printed_.empty();
  };
  cuda::Process::instance().replace_device(TRY(cuda::open_virtual_gpu(options, std::move(owner))));
  ++generation_;
  // Small arrays share pages that stay mapped while anything lies in them. Without something that stays, a call with an
  // array of 4 KiB takes 68 us instead of 9. Where there is no room for it, calls only take longer.
  device::Address stays = 0;
  (void)device().allocate(1, device::MemoryKind::Device, &stays);
  present_ = options;
  properties_ = describe(device().properties());
  return {};
}

Result<void> Gpu::renew() {
  const exec::Options wanted = present_;
  // Checkers keep what they know of memory at fixed addresses, which a GPU has until it is replaced: by one without.
  if (records_) TRY(serve(TRY(exec::parse_options(plain_))));
  return serve(wanted);
}

std::string Gpu::take_printed() {
  std::lock_guard lock(printing_);
  has_printed_ = false;
  return std::exchange(printed_, {});
}

Result<void> Gpu::watch(std::string_view what) {
  if (records_) return Error{"U0030", "a watch is on already: ask for its report first"};
  Json options = TRY(object_of(plain_)), asked = TRY(object_of(what));
  std::error_code error;
  auto folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  std::optional<cuda::BlockToRecord> record;
  std::optional<RecordingRequest> recording;
  if (asked.contains("trace")) {
    recording = TRY(read_recording_request(asked["trace"]));
    record = recording->block;
    record->file = (folder.path() / kStepsFile).string();
    not_recorded_.reset();
    record->trouble = [this](const Error& error) { not_recorded_ = error; };
    asked.erase("trace");
    asked["threads"] = 1;  // so that blocks run in the same order each time
  } else if (asked.contains("check")) {
    asked["findings"] = (folder.path() / kFindingsFile).string();
  } else if (asked.value("profile", false)) {
    asked["profile"] = (folder.path() / kCountsFile).string();
    asked["profile_exact"] = asked.value("exact", false);
    asked.erase("exact");
  } else {
    return Error{"U0030",
                 "a watch is a check, a profile or a recording: {\"check\": [...]}, {\"profile\": true} or "
                 "{\"trace\": {\"output\": FILE}}"};
  }
  options.update(asked);
  TRY(serve(TRY(exec::parse_options(dump_json(options))), std::move(record)));
  recording_ = std::move(recording);
  records_ = std::move(folder);
  return {};
}

Result<WatchReport> Gpu::report() {
  if (!records_) return Error{"U0030", "there is no watch to report on"};
  // A GPU that is replaced has written all its records.
  const exec::Options watched = present_;
  TRY(serve(TRY(exec::parse_options(plain_))));
  Result<WatchReport> report = recording_            ? report_of_recording(watched)
                               : watched.check.any() ? report_of_check(watched)
                                                     : report_of_profile(watched);
  recording_.reset();
  records_.reset();
  return report;
}

Result<WatchReport> Gpu::report_of_check(const exec::Options& watched) const {
  std::error_code error;
  const fs::path file = records_->path() / kFindingsFile;
  std::string text;
  if (fs::exists(file, error)) text = TRY(toolchain::read_file(file));
  check::RecordedRun run = check::read_records(text);
  check::report::drop_consequences(run.findings);

  check::report::Report report;
  report.tool_version = WARPWISE_VERSION;
  report.program = kProgram;
  report.build = "unoptimised, for checking (Clang)";
  report.checkers = watched.check;
  report.not_checked = std::move(run.not_checked);
  report.dropped = run.dropped;
  report.used_cuda = run.started > 0;
  check::report::SourceFiles sources;
  for (Finding& finding : run.findings) {
    std::string fingerprint = check::report::fingerprint_of(finding, sources);
    report.findings.push_back({std::move(finding), std::move(fingerprint)});
  }
  check::report::sort(report);
  return WatchReport{check::report::to_text(report, {}), check::report::to_json(report, check::report::FailOn::Error)};
}

Result<WatchReport> Gpu::report_of_profile(const exec::Options& watched) const {
  std::error_code error;
  const fs::path file = records_->path() / kCountsFile;
  std::string text;
  if (fs::exists(file, error)) text = TRY(toolchain::read_file(file));
  perf::Profile profile = perf::read_records(text);
  profile.program = kProgram;
  const perf::Analysis analysis = perf::analyse(profile, *TRY(device::device_named(watched.device)));
  auto json = parse_json<nlohmann::ordered_json>(perf::counters_to_json(profile));
  json["model"] = perf::to_json(analysis);
  return WatchReport{perf::to_text(analysis, {}), dump_json(json)};
}

Result<WatchReport> Gpu::report_of_recording(const exec::Options& watched) {
  if (not_recorded_) return *std::exchange(not_recorded_, std::nullopt);
  RecordingText done = TRY(finish_recording(*recording_, (records_->path() / kStepsFile).string(), watched, kProgram));
  return WatchReport{std::move(done.text), std::move(done.json)};
}

}  // namespace warpwise::capi
