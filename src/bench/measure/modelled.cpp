// The modelled time of a solve: its kernels are counted on the virtual GPU, as `warpwise profile` does, and the model
// makes a time of the counts. With what it fills, and what two events around it add, since those tell the
// time on a GPU.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "bench/measure/measure.h"
#include "bench/worker/worker.h"
#include "perf/counters/records.h"
#include "perf/timing/model_constants.h"
#include "perf/timing/predict.h"
#include "perf/timing/transfer.h"
#include "toolchain/files.h"

namespace warpwise::bench {

namespace fs = std::filesystem;

Result<Estimate> modelled_time(const toolchain::Program& program, const std::vector<bench_worker::Argument>& arguments,
                               const device::Properties& device, const std::string& engine) {
  // Kernels of the worker itself are those of this namespace.
  constexpr std::string_view kOurs = "12bench_worker";
  std::error_code error;
  const auto folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  const fs::path records = folder.path() / "counts";
  nlohmann::json options = parse_json(engine.empty() ? "{}" : engine);
  options["profile"] = records.string();
  Worker worker = TRY(Worker::start(program, {.options = dump_json(options)}));
  TRY(worker.prepare(arguments, {.unchecked = true}));
  TRY(worker.end());
  const perf::Profile profile = perf::read_records(TRY(toolchain::read_file(records)));
  Estimate out;
  const auto add = [&out](double seconds) {
    out.median += seconds, out.interval.low += seconds, out.interval.high += seconds;
  };
  add(perf::kEventsNs * 1e-9);
  // Before it begins, the worker itself fills what the solve writes.
  auto of_worker = std::count_if(arguments.begin(), arguments.end(), [](const bench_worker::Argument& a) {
    return a.role == bench_worker::Role::Output || a.role == bench_worker::Role::Scratch;
  });
  // What a solve copies to the device it copies once, before it is timed.
  for (const perf::HostEvent& event : profile.events)
    if (event.kind == perf::HostEvent::Kind::Fill && of_worker-- <= 0) add(perf::transfer_seconds(event, device));
  bool any = false;
  for (const perf::LaunchCounts& launch : profile.launches) {
    if (launch.symbol.find(kOurs) != launch.symbol.npos) continue;
    const auto predicted = perf::predict(launch, device);
    if (!predicted) return Error{"B0005", fmt::format("the kernel `{}` cannot run on {}", launch.kernel, device.name)};
    // The pause before a launch is no part of what events on a GPU tell.
    const double gap = predicted->gap_seconds;
    out.median += predicted->seconds - gap;
    out.interval.low += std::max(0.0, predicted->low - gap);
    out.interval.high += predicted->high - gap;
    any = true;
  }
  if (!any) return Error{"B0005", "it launches no kernel"};
  return out;
}

}  // namespace warpwise::bench
