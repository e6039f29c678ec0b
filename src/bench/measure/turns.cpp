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
#include "bench/measure/management.h"

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

class Turns {
 public:
  Turns(const Ladder& ladder, const MeasureOptions& options, uint64_t seed)
      : ladder_(ladder), options_(options), seed_(seed) {}

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

 private:
  const Ladder& ladder_;
  const MeasureOptions& options_;
  uint64_t seed_;
};

void conclude(Cell& cell, double wanted_spread) {
  cell.seconds = estimate(cell.rounds);
  cell.confident = cell.seconds.known && cell.seconds.spread() <= wanted_spread;
}

}  // namespace

Result<void> measure_in_turns(std::vector<Entrant>& entrants, const Ladder& ladder, const Shape& shape,
                              const device::Properties& device, const MeasureOptions& options, Watch& watch,
                              Measurement& into, ShapeResult& result) {
  constexpr double kUsableMemory = 0.85;
  const std::vector<bench_worker::Argument> arguments = TRY(arguments_of(ladder, shape));
  const uint64_t seed =
      options.seed ? options.seed : uint64_t(Clock::now().time_since_epoch().count()) * 0x9e3779b97f4a7c15u;
  result.cells.resize(entrants.size());
  size_t taking_part = 0;
  for (const Entrant& e : entrants) taking_part += !TRY(barred_cell(e, ladder, shape));
  const uint64_t memory =
      uint64_t(kUsableMemory * double(device.global_memory_bytes)) / std::max<size_t>(taking_part, 1);

  std::vector<Runner> runners;
  Turns turns(ladder, options, seed);
  for (size_t i = 0; i < entrants.size(); ++i) {
    Cell& cell = result.cells[i];
    if (auto barred = TRY(barred_cell(entrants[i], ladder, shape))) {
      cell = *barred;
      continue;
    }
    options.progress(fmt::format("{}: preparing {}", shape.name, entrants[i].version->name));
    auto worker = Worker::start(entrants[i].program->program, {.options = options.engine});
    if (!worker.ok()) {
      cell = failed_cell(worker.error());
      continue;
    }
    if (auto prepared = worker->prepare(arguments, {.seed = seed, .memory = memory}); !prepared.ok()) {
      cell = failed_cell(prepared.error());
      continue;
    } else {
      into.event_seconds = prepared->event_seconds;
    }
    cell.verdict = Verdict::Right;
    runners.push_back({std::move(*worker), &cell});
  }
  watch.know_processes();
  for (Runner& r : runners) turns.calibrate(r);
  std::erase_if(runners, [](const Runner& r) { return r.out; });

  const auto start = Clock::now();
  const double most_seconds = options.seconds * double(std::max<size_t>(runners.size(), 1));
  for (unsigned turn = 0; turn < options.most_rounds && !runners.empty(); ++turn) {
    options.progress(fmt::format("{}: round {}", shape.name, turn + 1));
    std::rotate(runners.begin(), runners.begin() + 1, runners.end());
    for (Runner& r : runners) turns.round(r, true);
    std::erase_if(runners, [](const Runner& r) { return r.out; });
    TRY(watch.look_between());
    bool all = true;
    for (Runner& r : runners) conclude(*r.cell, options.wanted_spread), all = all && r.cell->confident;
    if (all || (turn + 1 >= kFewestRounds && since(start) > most_seconds)) break;
  }
  return {};
}

}  // namespace warpwise::bench
