// The turns of a shape on a GPU. Every version has its process, and a round of each follows a round of the others: what
// drifts (clocks, temperature) drifts for all. The order of a turn is rotated, so that no version always follows the
// same other.
//
// How many runs a round has follows from the first, so that a round takes about as long for a kernel of 5 us as for one
// of 5 ms. A version has enough rounds when the interval of its median is as narrow as was asked for (statistics.h);
// all go on until each has, or until the time is used up, and the report says which.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/measure/entrants.h"
#include "bench/measure/gpu_monitor.h"

namespace warpwise::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A version that takes part in the turns of a shape.
struct Runner {
  Worker worker;
  Cell* cell = nullptr;
  uint32_t runs = 1;         // of a round
  double round_seconds = 0;  // of the last, by the wall clock
  bool out = false;          // wrong or failed
};

using bench_worker::BFloat16Bits;
using bench_worker::E4m3Bits;
using bench_worker::HalfBits;

uint64_t bytes_of_element(bench_worker::Element element) {
  switch (element) {
#define X(name, spelling, type)     \
  case bench_worker::Element::name: \
    return sizeof(type);
    WARPWISE_BENCH_ELEMENTS(X)
#undef X
  }
  return 0;
}

// What a version needs, with the answers to two inputs.
uint64_t bytes_of(const std::vector<bench_worker::Argument>& arguments) {
  uint64_t bytes = 0;
  for (const bench_worker::Argument& a : arguments) {
    if (a.role == bench_worker::Role::Number) continue;
    const bool is_answer = a.role == bench_worker::Role::Output || a.role == bench_worker::Role::Inout;
    bytes += a.count * bytes_of_element(a.element) * (is_answer ? 3 : 1);
  }
  return bytes;
}

void conclude(Cell& cell, double wanted_spread) {
  cell.seconds = estimate(cell.rounds);
  cell.confident = cell.seconds.known && cell.seconds.spread() <= wanted_spread;
}

class Turns {
 public:
  Turns(const Ladder& ladder, const Shape& shape, const MeasureOptions& options, uint64_t memory, uint64_t flush)
      : ladder_(ladder),
        shape_(shape),
        options_(options),
        memory_(memory),
        flush_(flush),
        seed_(options.seed ? options.seed : uint64_t(Clock::now().time_since_epoch().count())) {}

  // Starts a version's worker, which joins the runners unless it fails.
  void admit(const Entrant& entrant, const std::vector<bench_worker::Argument>& arguments, Cell& cell,
             std::vector<Runner>& runners, Measurement& into) {
    options_.progress(fmt::format("{}: preparing {}", shape_.name, entrant.version->name));
    auto worker = Worker::start(entrant.program->program, {.options = options_.engine});
    if (!worker.ok()) return void(cell = failed_cell(worker.error()));
    const auto prepared = worker->prepare(arguments, {.seed = seed_, .memory = memory_, .flush = flush_});
    if (!prepared.ok()) return void(cell = failed_cell(prepared.error()));
    into.event_seconds = prepared->event_seconds;
    cell.verdict = Verdict::Right;
    runners.push_back({std::move(*worker), &cell});
  }

  // B0006, B0007: of the watch.
  Result<void> run(std::vector<Runner>& runners, Watch& watch) {
    for (Runner& r : runners) calibrate(r);
    drop(runners);
    const auto start = Clock::now();
    const double most_seconds = options_.seconds * double(runners.size());
    for (unsigned turn = 0; turn < options_.most_rounds && !runners.empty(); ++turn) {
      options_.progress(fmt::format("{}: round {}", shape_.name, turn + 1));
      std::rotate(runners.begin(), runners.begin() + 1, runners.end());
      for (Runner& r : runners) round(r, true);
      drop(runners);
      TRY(watch.look_between());
      bool all = true;
      for (Runner& r : runners) conclude(*r.cell, options_.wanted_spread), all = all && r.cell->confident;
      if (all || (turn + 1 >= kFewestRounds && since(start) > most_seconds)) break;
    }
    return {};
  }

 private:
  static void drop(std::vector<Runner>& runners) {
    std::erase_if(runners, [](const Runner& r) { return r.out; });
  }

  void round(Runner& r, bool counts) {
    auto done = r.worker.round({.runs = r.runs, .warm = options_.warm, .seed = ++seed_});
    if (!done.ok()) {
      *r.cell = failed_cell(done.error());
      r.out = true;
      return;
    }
    r.round_seconds = done->seconds;
    std::vector<double> times;
    for (const bench_worker::Run& run : done->runs) {
      judge(*r.cell, run, ladder_);
      times.push_back(run.seconds);
    }
    r.out = r.cell->verdict != Verdict::Right;
    if (counts && !r.out) r.cell->rounds.push_back(median_of(times));
  }

  // How many runs make a round of about this length.
  void calibrate(Runner& r) {
    constexpr double kRoundSeconds = 0.05;
    constexpr uint32_t kFewest = 3, kMost = 100;
    r.runs = 2;
    round(r, false);
    if (r.out) return;
    r.runs = uint32_t(std::clamp(2 * kRoundSeconds / std::max(r.round_seconds, 1e-6), double(kFewest), double(kMost)));
  }

  const Ladder& ladder_;
  const Shape& shape_;
  const MeasureOptions& options_;
  const uint64_t memory_, flush_;
  uint64_t seed_;
};

}  // namespace

Result<void> measure_in_turns(std::vector<Entrant>& entrants, const Ladder& ladder, const Shape& shape,
                              const device::Properties& device, const MeasureOptions& options, Watch& watch,
                              Measurement& into, ShapeResult& result) {
  constexpr double kUsableMemory = 0.85;
  const std::vector<bench_worker::Argument> arguments = TRY(arguments_of(ladder, shape));
  result.cells.resize(entrants.size());
  std::vector<size_t> taking_part;
  for (size_t i = 0; i < entrants.size(); ++i)
    if (auto barred = TRY(barred_cell(entrants[i], ladder, shape)))
      result.cells[i] = *barred;
    else
      taking_part.push_back(i);
  if (taking_part.empty()) return {};
  const double memory = kUsableMemory * double(device.global_memory_bytes);
  const double needed = double(bytes_of(arguments) + (kFlushOfL2 + 1) * device.l2_bytes);
  const size_t at_once = std::clamp<size_t>(size_t(memory / needed), 1, taking_part.size());
  if (at_once < taking_part.size())
    into.notes.push_back(
        fmt::format("{}: {} versions at a time, for want of memory: groups do not take turns", shape.name, at_once));
  for (size_t first = 0; first < taking_part.size(); first += at_once) {
    const std::vector<size_t> group(taking_part.begin() + ptrdiff_t(first),
                                    taking_part.begin() + ptrdiff_t(std::min(first + at_once, taking_part.size())));
    Turns turns(ladder, shape, options, uint64_t(memory / double(group.size())), kFlushOfL2 * device.l2_bytes);
    std::vector<Runner> runners;
    for (size_t i : group) turns.admit(entrants[i], arguments, result.cells[i], runners, into);
    watch.know_processes();
    TRY(turns.run(runners, watch));
  }
  return {};
}

}  // namespace warpwise::bench
