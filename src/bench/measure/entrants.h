// The versions of a measurement on their way through it: built, asked whether they take a shape, judged.
#pragma once

#include "bench/measure/measure.h"
#include "bench/worker/worker.h"

namespace warpwise::bench {

// What is read to flush a cache, by its size.
constexpr uint64_t kFlushOfL2 = 2;

struct Entrant {
  const Version* version = nullptr;
  std::optional<WorkerProgram> program;
  Verdict barred = Verdict::Right;  // from every shape, and why
  std::string why;
};

// Builds each version; one that does not compile is barred.
Result<std::vector<Entrant>> build_entrants(const Ladder& ladder, const std::vector<Version>& versions,
                                            const device::Properties& device, const MeasureOptions& options);

// The cell of an entrant that does not run with this shape; none if it does.
Result<std::optional<Cell>> barred_cell(const Entrant& entrant, const Ladder& ladder, const Shape& shape);

// Notes a run in its cell: what is wrong, in words.
void judge(Cell& cell, const bench_worker::Run& run, const Ladder& ladder);
// A version that crashed, hung or could not go on.
Cell failed_cell(const Error& error);

// The turns of a shape on a GPU. Versions that do not fit into its memory side by side take turns in groups.
class Watch;
Result<void> measure_in_turns(std::vector<Entrant>& entrants, const Ladder& ladder, const Shape& shape,
                              const device::Properties& device, const MeasureOptions& options, Watch& watch,
                              Measurement& into, ShapeResult& result);

}  // namespace warpwise::bench
