// The recordings of include/warpwise/trace.h on src/trace.
#include "warpwise/trace.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "api/handles.h"
#include "base/result.h"
#include "toolchain/files.h"
#include "trace/complete.h"
#include "trace/queries.h"
#include "trace/trace_file.h"

namespace warpwise {

namespace fs = std::filesystem;

struct TraceState {
  TraceInfo info;
  std::string path;
  std::optional<toolchain::TemporaryFolder> folder;  // of a recording that was not opened by its name
  std::unique_ptr<trace::TraceFile> file;
};

namespace {

Dim3 dim_of(const Index3& index) { return {index.x, index.y, index.z}; }

Result<std::shared_ptr<TraceState>> open_trace(const std::string& path) {
  auto state = std::make_shared<TraceState>();
  state->path = path;
  state->file = TRY(trace::TraceFile::open(path));
  const trace::Recording& r = state->file->recording();
  state->info = {r.kernel, dim_of(r.grid), dim_of(r.block_shape), dim_of(r.block), {}, r.notes};
  for (const trace::WarpInfo& warp : r.warps)
    state->info.warps.push_back({warp.threads, warp.steps, warp.first, warp.count});
  return state;
}

TraceStep step_of(const trace::StepView& view, const trace::Recording& r) {
  const trace::PlacedStep& placed = view.placed;
  const trace::Site& site = r.sites[placed.step.site];
  TraceStep step;
  step.number = placed.number, step.phase = placed.phase, step.clock = view.modelled_clock;
  step.active = placed.step.active, step.on = placed.step.on;
  step.instruction = site.ptx, step.kind = trace::name_of(site.kind);
  if (const auto& frames = r.lines[site.line]; !frames.empty()) step.file = frames[0].file, step.line = frames[0].line;
  for (const trace::Access& access : placed.step.accesses)
    step.accesses.push_back({TraceSpace(access.space), access.mask, access.addresses});
  for (const trace::LaneValues& values : placed.step.values) step.values.push_back({values.mask, values.bits});
  step.sectors = view.cost.sectors, step.ideal_sectors = view.cost.ideal_sectors;
  step.wavefronts = view.cost.wavefronts, step.ideal_wavefronts = view.cost.ideal_wavefronts;
  return step;
}

}  // namespace

Result<Trace> Kernel::record_with(const LaunchShape& shape, const RecordOptions& options,
                                  std::span<const Argument> arguments) const {
  DeviceState& device = *state_->module->device;
  if (!device.recorder) return Error{"U0005", "the device does not record: open it with Options::recording"};
  if (options.block.x >= shape.grid.x || options.block.y >= shape.grid.y || options.block.z >= shape.grid.z)
    return Error{"V0007", fmt::format("the grid is {}x{}x{}", shape.grid.x, shape.grid.y, shape.grid.z)};
  std::error_code error;
  toolchain::TemporaryFolder folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  const std::string raw = (folder.path() / "steps").string(), whole = (folder.path() / "launch.wwt").string();
  // What was submitted before is not recorded.
  TRY(result_of(device.gpu->wait(kQueue)));
  const uint64_t block =
      options.block.x + uint64_t{shape.grid.x} * (options.block.y + uint64_t{shape.grid.y} * options.block.z);
  device.recorder->arm({.path = raw,
                        .block = block,
                        .first = options.first_step,
                        .limit = std::min(std::max<uint64_t>(options.steps, 1), trace::kMostSteps),
                        .value_lines = options.value_lines});
  Result<void> ran = launch_with(shape, arguments);
  if (ran) ran = result_of(device.gpu->wait(kQueue));
  const Result<void> recorded = device.recorder->disarm();
  if (!ran) return ran.error();
  TRY(Result<void>(recorded));
  trace::Completion completion;
  completion.program = fs::read_symlink("/proc/self/exe", error).filename().string();
  completion.device = device.info.id, completion.schedule = "in-order";
  completion.choice = trace::Choice::Asked;
  completion.read_source = [](const std::string& file) -> std::optional<std::string> {
    auto text = toolchain::read_file(file);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };
  TRY(trace::complete(raw, whole, completion));
  auto state = TRY(open_trace(whole));
  state->folder.emplace(std::move(folder));
  return Trace(std::move(state));
}

Result<Trace> Trace::open(const std::string& path) { return Trace(TRY(open_trace(path))); }

const TraceInfo& Trace::info() const { return state_->info; }

Result<std::vector<TraceStep>> Trace::steps(std::uint32_t warp, std::uint64_t first, std::uint64_t count) const {
  trace::Queries ask(*state_->file);
  std::vector<TraceStep> steps;
  const uint64_t end = first + count < first ? ~uint64_t{0} : first + count;
  for (uint64_t at = first; at < end;) {
    const std::vector<trace::StepView> views = TRY(ask.steps(warp, at, end - at));
    if (views.empty()) break;
    for (const trace::StepView& view : views) steps.push_back(step_of(view, state_->file->recording()));
    at = views.back().placed.number + 1;
  }
  return steps;
}

Result<void> Trace::save(const std::string& path) const {
  return toolchain::write_file(path, TRY(toolchain::read_file(state_->path)));
}

}  // namespace warpwise
