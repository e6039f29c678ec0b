// What a GPU is capable of, measured: small kernels, each of which keeps one part of it busy or waits for one part
// (program/), run on the GPU, and their results as figures of a device.
//
//     probe program ──► lines ──► readings ──► figures of devices (device/figures.inc) ──► a file for --device=
//
// The figures are those that the timing model knows (device/machine.h), in its definitions: a rate of lanes is what the
// pipe takes in a clock of its own, DRAM's latency what a loop that reads new memory waits beyond L2's, and so on.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "bench/measure/gpu_monitor.h"
#include "device/gpu/describe.h"

namespace warpwise::bench {

// Values of one probe: the median counts, the extremes are told.
struct Spread {
  double median = 0, low = 0, high = 0;
  unsigned runs = 0;
};
Spread spread_of(std::vector<double> values);

// What a probe has told.
struct Reading {
  std::string probe;
  std::optional<Spread> per_second, seconds, clocks, hertz;
};

// The GPU kept busy for a while.
struct Load {
  std::string name;
  double per_second = 0, hertz = 0;
  double watts = 0;  // 0: NVML does not tell
};

struct Readings {
  std::map<std::string, Reading, std::less<>> probes;
  std::vector<Load> loads;
  double idle_watts = 0;           // 0: NVML does not tell
  std::vector<std::string> notes;  // sentences
};

struct ProbeOptions {
  double microseconds = 200;  // that a difference of two times should last
  unsigned repeats = 7;
  double load_seconds = 1;
  std::string engine;  // WARPWISE_OPTIONS of the program
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Compiles and runs the program. B0004 when it does not compile, B0005 when it ends before it is done, B0006 and B0007
// when the GPU is busy or held back, so that nothing that it does can be taken for what it is capable of.
Result<Readings> run_probes(const device::gpu::Description& gpu, const ProbeOptions& options);

// A figure of the device as it was measured.
struct MeasuredFigure {
  std::string name;  // of figures.inc
  Spread value;
};
// Those that the readings give. Tensor cores that are made for warpgroups (compute capability 9.0 and 10.x) are not
// reached by `mma`: their rates remain those of `gpu`, and the share that `mma` reaches is measured.
std::vector<MeasuredFigure> figures_of(const Readings& readings, const device::Properties& gpu);

// The text of the device file.
Result<std::string> device_file_of(const Readings& readings, const device::gpu::Description& gpu,
                                   const std::string& date);

}  // namespace warpwise::bench
