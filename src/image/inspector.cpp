#include "image/inspector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/sanitized.h"
#include "check/checkers.h"
#include "device/device_file.h"
#include "toolchain/files.h"
#include "trace/complete.h"
#include "trace/queries.h"
#include "trace/recorder.h"
#include "trace/trace_file.h"

namespace warpwise::image {

namespace {

constexpr double kLongestCheck = 60 * kSlowdown;

// The allocations are the parameters: their names say more than their sizes.
void name_array(Finding& finding, const Painter& painter) {
  if (!finding.memory || !finding.memory->allocated || !finding.memory->name.empty()) return;
  MemoryPlace& memory = *finding.memory;
  if (memory.base == painter.picture()) memory.name = "out";
  for (size_t n = 0; n < painter.arrays().size(); ++n)
    if (memory.base == painter.arrays()[n]) memory.name = painter.passes().arrays[n].name;
  if (memory.name.empty()) return;
  for (const std::string& anonymous :
       {fmt::format("an allocation of {} bytes", memory.size), std::string("an allocation")})
    if (const size_t at = finding.message.find(anonymous); at != finding.message.npos)
      return void(finding.message.replace(at, anonymous.size(), fmt::format("`{}`", memory.name)));
}

std::vector<Run> runs_of(const std::vector<bool>& marked) {
  std::vector<Run> runs;
  for (uint32_t n = 0; n < marked.size(); ++n) {
    if (!marked[n]) continue;
    if (runs.empty() || runs.back().first + runs.back().count != n) runs.push_back({n, 0});
    ++runs.back().count;
  }
  return runs;
}

uint64_t linear(const Index3& at, const std::array<uint32_t, 3>& of) {
  return at.x + uint64_t{of[0]} * (at.y + uint64_t{of[1]} * at.z);
}
std::array<uint32_t, 3> grid_of(const Shape& shape) {
  return {(shape.width + shape.block_x - 1) / shape.block_x, (shape.height + shape.block_y - 1) / shape.block_y, 1};
}
std::array<uint32_t, 3> threads_of(const Shape& shape) { return {shape.block_x, shape.block_y, 1}; }
Index3 index_of(uint64_t linear, const std::array<uint32_t, 3>& of) {
  return {uint32_t(linear % of[0]), uint32_t(linear / of[0] % of[1]), uint32_t(linear / of[0] / of[1])};
}

std::string kernel_of(const Party& party) { return party.kernel.substr(0, party.kernel.find('(')); }

// The elements at which the parties of a race met, and of every finding the pixels that its threads wrote.
std::vector<Run> pixels_of(const Checked& checked, const PixelAccesses& accesses, const Painter& painter) {
  const Shape& shape = painter.shape();
  const std::array<uint32_t, 3> grid = grid_of(shape), threads = threads_of(shape);
  std::vector<bool> marked(shape.pixels());
  for (const Finding& finding : checked.findings) {
    if (finding.parties.size() == 2)
      for (const uint32_t pixel : accesses.collisions(finding.parties[0].code, finding.parties[1].code))
        marked[pixel] = true;
    for (const Party& party : finding.parties) {
      if (!party.block || !party.thread) continue;
      const uint64_t block = linear(*party.block, grid) + 1, thread = linear(*party.thread, threads);
      for (size_t n = 0; n < checked.writers.size(); ++n) {
        const Visitor& writer = checked.writers[n];
        if (writer.block == block && writer.thread == thread) marked[n] = true;
      }
    }
  }
  return runs_of(marked);
}

// The thread that is looked at.
struct Seen {
  size_t pass = 0;
  Index3 block, thread;
  uint32_t line = 0;                         // where it wrote the pixel
  std::optional<device::Address> address{};  // of the pixel
};

Result<size_t> pass_named(const Passes& passes, const std::string& name) {
  for (size_t n = 0; n < passes.list.size(); ++n)
    if (passes.list[n].name == name) return n;
  return Error{"I0006", fmt::format("there is no kernel `{}`", name)};
}

// The step of the warp in which the lane stored to the address: the last one, since it left what is seen.
Result<uint64_t> step_of_store(trace::TraceFile& file, uint32_t warp, unsigned lane, device::Address address) {
  std::optional<uint64_t> found;
  const trace::WarpInfo& info = file.recording().warps[warp];
  for (const trace::PlacedStep& placed : TRY(file.steps(warp, info.first, info.count)))
    for (const trace::Access& access : placed.step.accesses)
      if (access.space == trace::Space::Global && (access.mask >> lane & 1) != 0 && access.addresses[lane] == address &&
          file.recording().sites[placed.step.site].kind == trace::SiteKind::Store)
        found = placed.number;
  if (found) return *found;
  return Error{"I0006", "the recording of the block ends before the pixel is written"};
}

}  // namespace

Result<Checked> Inspector::check(const Moment& moment, unsigned frames, std::string_view state) const {
  const auto sink = std::make_shared<CollectingSink>();
  auto owned = std::make_unique<PixelAccesses>();
  PixelAccesses& accesses = *owned;
  exec::DeviceSetup setup;
  setup.options.device = device_;
  setup.options.timeout_seconds = kLongestCheck;
  setup.options.only_tier = exec::OnlyTier::Quick;
  for (const Checker checker : {Checker::Memory, Checker::Init, Checker::Race, Checker::Sync, Checker::Assert})
    setup.options.check.add(checker);
  setup.print = [](std::string_view) {};
  setup.findings = sink;
  setup.observer = check::make_checkers(setup.options.check, *sink, std::move(owned));
  const auto painter = TRY(Painter::open(piece_.ptx, piece_.source, piece_.shape, std::move(setup)));
  if (!state.empty()) TRY(painter->restore(state));

  accesses.watch_array(painter->picture(), piece_.shape.pixels(), kBytesOfPixel);
  for (size_t n = 0; n < painter->arrays().size(); ++n)
    accesses.watch_array(painter->arrays()[n], piece_.shape.pixels(), painter->passes().arrays[n].bytes);

  Checked checked;
  Moment now = moment;
  constexpr float kSecondsOfFrame = 1 / 30.0f;
  for (unsigned n = 0; n < frames && checked.failure.empty(); ++n, ++now.frame, now.time += kSecondsOfFrame)
    if (const auto painted = painter->paint(now); !painted) checked.failure = painted.error().message;
  checked.findings = sink->findings(), checked.not_checked = sink->not_checked(), checked.sites = accesses.sites();
  checked.writers.assign(accesses.writers().begin(), accesses.writers().end());
  for (Finding& finding : checked.findings) {
    name_array(finding, *painter);
    const Rule* rule = find_rule(finding.code);
    if (rule && finding.help.empty()) finding.help = rule->next_step;
  }
  checked.pixels = pixels_of(checked, accesses, *painter);
  return checked;
}

Result<Recorded> Inspector::record(const Moment& moment, std::string_view state, const Wish& wish,
                                   const std::filesystem::path& file) const {
  const Checked checked = TRY(check(moment, 1, state));
  const device::Properties& properties = *TRY(device::device_named(device_));
  const trace::RecordingObserver recording = trace::make_recorder(properties);
  exec::DeviceSetup setup;
  setup.options.device = device_;
  setup.options.timeout_seconds = kLongestCheck;
  setup.options.only_tier = exec::OnlyTier::Quick;
  setup.options.threads = 1;  // blocks in the same order each time
  setup.print = [](std::string_view) {};
  setup.observer = recording.observer;
  const auto painter = TRY(Painter::open(piece_.ptx, piece_.source, piece_.shape, std::move(setup)));
  if (!state.empty()) TRY(painter->restore(state));

  Seen seen;
  const Shape& shape = piece_.shape;
  const std::array<uint32_t, 3> grid = grid_of(shape), threads = threads_of(shape);
  if (wish.finding) {
    const Party* party = nullptr;
    if (*wish.finding < checked.findings.size())
      for (const Party& one : checked.findings[*wish.finding].parties)
        if (!party && one.block && one.thread) party = &one;
    if (!party) return Error{"I0006", "the checkers have no such finding in this frame"};
    seen.pass = TRY(pass_named(painter->passes(), kernel_of(*party)));
    seen.block = *party->block, seen.thread = *party->thread;
    if (!party->code.frames.empty()) seen.line = party->code.frames[0].line;
  } else {
    if (wish.x >= shape.width || wish.y >= shape.height) return Error{"I0006", "the picture has no such pixel"};
    const size_t pixel = size_t{wish.y} * shape.width + wish.x;
    const Visitor& writer = checked.writers[pixel];
    if (writer.block == 0 || writer.site == 0)
      return Error{"I0006", fmt::format("no thread writes the pixel ({}, {})", wish.x, wish.y)};
    const PixelAccesses::Site& site = checked.sites[writer.site - 1];
    seen.pass = size_t(site.launch);  // the kernels run once each, in their order
    seen.block = index_of(writer.block - 1, grid), seen.thread = index_of(writer.thread, threads);
    if (!site.code.frames.empty()) seen.line = site.code.frames[0].line;
    seen.address = painter->picture() + pixel * kBytesOfPixel;
  }

  const std::string steps = file.string() + ".steps";
  recording.recorder->arm({.path = steps,
                           .symbol = "",
                           .launch = seen.pass,
                           .block = linear(seen.block, grid),
                           .value_lines = seen.line != 0 ? std::vector{seen.line} : std::vector<uint32_t>{}});
  const auto painted = painter->paint(moment);
  if (const auto recorded = recording.recorder->disarm(); !recorded)
    return painted ? recorded.error() : painted.error();

  trace::Completion c;
  c.program = piece_.file.filename().string(), c.command = "warpwise serve", c.tool = WARPWISE_VERSION;
  c.device = properties.id, c.schedule = "in-order", c.choice = trace::Choice::Asked, c.checked = true;
  c.findings = checked.findings;
  c.notes.push_back(fmt::format("frame {} at {:.2f} s, computed once more", moment.frame, moment.time));
  // No other file is read, whatever the code claims to come from.
  c.read_source = [this](const std::string& name) -> std::optional<std::string> {
    std::error_code error;
    if (std::filesystem::absolute(name, error).lexically_normal() != piece_.file) return std::nullopt;
    return piece_.source;
  };
  TRY(trace::complete(steps, file.string(), c));
  std::error_code gone;
  std::filesystem::remove(steps, gone);

  const auto whole = TRY(trace::TraceFile::open(file.string()));
  const uint64_t thread = linear(seen.thread, threads);
  constexpr unsigned kLanes = 32;
  Recorded out{.warp = uint32_t(thread / kLanes), .block = seen.block, .thread = seen.thread};
  out.kernel = painter->passes().list[seen.pass].name;
  if (seen.address)
    out.step = TRY(step_of_store(*whole, out.warp, unsigned(thread % kLanes), *seen.address));
  else
    out.warp = whole->recording().open_warp, out.step = whole->recording().open_step;
  return out;
}

}  // namespace warpwise::image
