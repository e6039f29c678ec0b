#include "bench/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/measure/entrants.h"
#include "bench/measure/gpu_monitor.h"
#include "perf/report/format.h"

namespace warpwise::bench {
namespace {

// One run on the virtual GPU that is compared with the reference's answers, and one that is counted.
Result<Cell> model(const Entrant& entrant, const Ladder& ladder, const Shape& shape, const device::Properties& device,
                   const MeasureOptions& options) {
  constexpr uint32_t kRuns = 2;
  if (auto barred = TRY(barred_cell(entrant, ladder, shape))) return *barred;
  const std::vector<bench_worker::Argument> arguments = TRY(arguments_of(ladder, shape));
  auto worker = Worker::start(entrant.program->program, {.options = options.engine});
  if (!worker.ok()) return failed_cell(worker.error());
  Cell cell;
  cell.verdict = Verdict::Right;
  cell.modelled = true;
  if (auto prepared = worker->prepare(arguments, {.seed = options.seed ? options.seed : 1}); !prepared.ok())
    return failed_cell(prepared.error());
  auto done = worker->round({.runs = kRuns, .warm = options.warm, .seed = options.seed + 1});
  if (!done.ok()) return failed_cell(done.error());
  for (const bench_worker::Run& run : done->runs) judge(cell, run, ladder);
  if (cell.verdict != Verdict::Right || !options.timed) return cell;
  auto seconds = modelled_time(entrant.program->program, arguments, device, options.engine);
  if (!seconds.ok()) return failed_cell(seconds.error());
  cell.seconds = *seconds;
  return cell;
}

// How fast the GPU copies, where a shape moves more than L2 holds: nothing else can be held against it.
Result<void> measure_copy(const std::vector<Entrant>& entrants, const std::vector<const Shape*>& shapes,
                          const MeasureOptions& options, Measurement& out) {
  constexpr uint64_t kTimesL2 = 8;
  bool any = false;
  for (const Shape* shape : shapes) any = any || out.leaves_l2(TRY(roof_of(*out.ladder, *shape, *out.device)));
  for (const Entrant& e : entrants) {
    if (!any || !e.program) continue;
    options.progress("measuring how fast the GPU copies");
    auto worker = Worker::start(e.program->program, {.options = options.engine});
    if (!worker.ok()) continue;
    if (auto copy = worker->copy(kTimesL2 * out.device->l2_bytes, kFlushOfL2 * out.device->l2_bytes); copy.ok()) {
      out.copy_bytes_per_second = *copy;
      break;
    }
  }
  return {};
}

Result<ShapeResult> result_of(const Measurement& m, const Shape& shape) {
  ShapeResult result;
  result.shape = &shape;
  result.roof = TRY(roof_of(*m.ladder, shape, *m.device));
  for (const Version& version : m.versions) result.roofs.push_back(TRY(roof_of(version, *m.ladder, shape, *m.device)));
  return result;
}

// On a GPU, with NVML's eyes where they are.
Result<void> measure_shapes(std::vector<Entrant>& entrants, const std::vector<const Shape*>& shapes,
                            const MeasureOptions& options, Measurement& out) {
  auto monitor = GpuMonitor::open(options.pci);
  Watch watch(monitor.ok() ? monitor->get() : nullptr);
  if (monitor.ok()) out.driver = (*monitor)->driver_version();
  Result<void> done = watch.look_before();
  if (done.ok()) TRY(measure_copy(entrants, shapes, options, out));
  for (const Shape* shape : shapes) {
    if (!done.ok()) break;
    ShapeResult& result = out.shapes.emplace_back(TRY(result_of(out, *shape)));
    done = measure_in_turns(entrants, *out.ladder, *shape, *out.device, options, watch, out, result);
  }
  for (const std::string& note : watch.notes()) out.notes.push_back(note);
  if (out.event_seconds > 0)
    out.notes.push_back(
        fmt::format("two events with nothing between them are {} apart", perf::seconds_text(out.event_seconds)));
  if (done.ok()) return {};
  if (done.error().code != "B0006" && done.error().code != "B0007") return done.error();
  out.refusal_code = done.error().code, out.refusal = done.error().message;
  return {};
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"right", "wrong", "failed", "not taken", "not here"};
  return kNames[size_t(verdict)];
}

std::string label_of(const Version& version) {
  return version.peer.empty() ? version.name : fmt::format("{} (library)", version.peer);
}

bool Measurement::all_right() const {
  for (const ShapeResult& shape : shapes)
    for (const Cell& cell : shape.cells)
      if (cell.verdict == Verdict::Wrong || cell.verdict == Verdict::Failed) return false;
  return refusal.empty();
}

Result<Measurement> measure(const Ladder& ladder, const std::vector<Version>& versions,
                            const std::vector<const Shape*>& shapes, const device::Properties& device,
                            const MeasureOptions& options) {
  Measurement out;
  out.ladder = &ladder;
  out.device = &device;
  out.place = options.gpu ? fmt::format("gpu:{}", *options.gpu) : "modelled";
  out.versions = versions;
  out.warm = options.warm;
  std::vector<Entrant> entrants = TRY(build_entrants(ladder, out.versions, device, options));
  if (options.gpu) {
    TRY(measure_shapes(entrants, shapes, options, out));
    return out;
  }
  for (const Shape* shape : shapes) {
    ShapeResult& result = out.shapes.emplace_back(TRY(result_of(out, *shape)));
    for (const Entrant& e : entrants) {
      options.progress(fmt::format("{}: {}", shape->name, e.version->name));
      result.cells.push_back(TRY(model(e, ladder, *shape, device, options)));
    }
  }
  return out;
}

}  // namespace warpwise::bench
