// Opens the process's device: the virtual GPU as WARPWISE_OPTIONS describes it, with compiled kernels kept in the
// toolchain's cache, a real GPU where it says so ("on"), or a device in another process, where
// WARPWISE_DEVICE_DESCRIPTOR names a socket to it. This is the only file of the runtime that depends on more than
// device/device.h.
#include "cuda/runtime/device/open_device.h"

#include <fmt/format.h>

#include <cstdlib>

#include "api/code_on_disk.h"
#include "check/checkers.h"
#include "check/records/record_sink.h"
#include "device/device_file.h"
#include "device/gpu/gpu.h"
#include "device/remote/client.h"
#include "exec/observer.h"
#include "exec/options.h"
#include "exec/virtual_device.h"
#include "perf/counters/profiler.h"
#include "perf/counters/records.h"
#include "trace/recorder.h"

namespace warpwise::cuda {
namespace {

// With "profile" a real GPU times launches; it counts nothing in them.
class LaunchRecords final : public device::gpu::LaunchObserver {
 public:
  explicit LaunchRecords(std::unique_ptr<perf::RecordWriter> writer) : writer_(std::move(writer)) {}
  void launched(const device::gpu::TimedLaunch& launch) override {
    writer_->write(
        perf::MeasuredLaunch{{launch.kernel, launch.grid, launch.block}, launch.dynamic_shared_bytes, launch.seconds});
  }
  void ended() override { writer_->finish(); }

 private:
  std::unique_ptr<perf::RecordWriter> writer_;
};

Result<std::unique_ptr<device::Device>> open_gpu(unsigned ordinal, const exec::Options& options) {
  if (options.check.any() || !options.trace.empty())
    return Error{"R0604", "checkers and recordings need the virtual GPU, and \"on\" asks for a real one"};
  if (options.devices != 1)
    return Error{"R0604",
                 fmt::format("a program has one real GPU, not {}; the virtual GPU can be several", options.devices)};
  device::gpu::Setup setup{.ordinal = ordinal};
  if (!options.profile.empty()) {
    const auto gpu = TRY(device::gpu::find(ordinal));
    setup.launches = std::make_shared<LaunchRecords>(TRY(perf::RecordWriter::open(options.profile, gpu->properties)));
  }
  return device::gpu::open(setup);
}

}  // namespace

Result<std::unique_ptr<device::Device>> open_process_device() {
  if (const char* socket = std::getenv(device::remote::kDescriptorVariable))
    return device::remote::connect(std::atoi(socket));
  const exec::Options options = TRY(exec::options_from_environment());
  if (const auto ordinal = TRY(device::gpu::read_place(options.on))) return open_gpu(*ordinal, options);
  return open_virtual_gpu(options);
}

Result<std::unique_ptr<device::Device>> open_virtual_gpu(const exec::Options& options, DeviceOwner owner) {
  exec::DeviceSetup setup;
  setup.options = options;
  setup.print = std::move(owner.print);
  setup.stop = owner.stop;
  if (setup.options.check.any() && !setup.options.findings.empty()) {
    setup.findings = TRY(check::RecordSink::open(setup.options.findings, setup.options.check));
    setup.observer = check::make_checkers(setup.options.check, *setup.findings);
  }
  if (!setup.options.profile.empty() && !setup.observer) {
    const device::Properties* device = TRY(device::device_named(setup.options.device));
    setup.observer = exec::Observer::of(
        TRY(perf::make_profiler({.records = setup.options.profile, .exact = setup.options.profile_exact}, *device)));
  }
  if (!setup.options.trace.empty() && !setup.observer) {
    const exec::Options& o = setup.options;
    const trace::RecordingObserver recording = trace::make_recorder(*TRY(device::device_named(setup.options.device)));
    trace::RecordRequest request{o.trace,       o.trace_kernel, o.trace_launch, o.trace_block,
                                 o.trace_first, o.trace_steps,  o.trace_values};
    recording.recorder->arm(std::move(request));
    setup.observer = recording.observer;
  }
  if (owner.record && !setup.observer) {
    BlockToRecord& o = *owner.record;
    const trace::RecordingObserver recording = trace::make_recorder(*TRY(device::device_named(setup.options.device)));
    recording.recorder->arm({.path = std::move(o.file),
                             .symbol = "",
                             .launch = o.launch,
                             .first = o.first_step,
                             .limit = o.steps,
                             .value_lines = std::move(o.value_lines),
                             .kernel = std::move(o.kernel),
                             .at = Index3{o.block[0], o.block[1], o.block[2]},
                             .trouble = std::move(o.trouble)});
    setup.observer = recording.observer;
  }
  setup.cache = api::code_on_disk();
  return std::unique_ptr<device::Device>(TRY(exec::VirtualDevice::create(std::move(setup))));
}

Result<std::unique_ptr<device::Device>> open_real_gpu(unsigned ordinal) {
  return device::gpu::open({.ordinal = ordinal});
}

void use_as_default_stream(device::Device& gpu, void* stream) { device::gpu::use_as_default_stream(gpu, stream); }

void end_findings(device::Device& gpu) {
  if (auto* virtual_gpu = dynamic_cast<exec::VirtualDevice*>(&gpu); virtual_gpu && virtual_gpu->observer())
    virtual_gpu->observer()->program_ends();
  if (auto* records = dynamic_cast<check::RecordSink*>(gpu.findings())) records->finish();
}

}  // namespace warpwise::cuda
