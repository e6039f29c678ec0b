// What a benchmark has found: versions of a computation by shapes.
#pragma once

#include <string>
#include <vector>

#include "bench/ladder/ladder.h"
#include "bench/measure/roof.h"
#include "bench/measure/statistics.h"

namespace warpwise::bench {

// What tables call a version: a step by its name, a peer by its library's, marked as one.
std::string label_of(const Version& version);

enum class Verdict : uint8_t {
  Right,
  Wrong,     // another value, nothing written, an old result, an input changed
  Failed,    // it does not compile, crashed, hung, or an error of CUDA
  NotTaken,  // it says that it does not take the shape
  NotHere,   // it needs another device, or a library that is not there
};
std::string_view name_of(Verdict verdict);  // "right"

// A version with a shape.
struct Cell {
  Verdict verdict = Verdict::Failed;
  std::string why;             // "": right
  bool modelled = false;       // the interval is the model's range, not a measurement's
  Estimate seconds;            // of one call
  bool confident = false;      // the interval is as narrow as was asked for
  std::vector<double> rounds;  // the median of each
  unsigned runs = 0;
};

struct ShapeResult {
  const Shape* shape = nullptr;
  Roof roof;
  std::vector<Roof> roofs;  // of each version
  std::vector<Cell> cells;
};

struct Measurement {
  const Ladder* ladder = nullptr;
  const device::Properties* device = nullptr;
  std::string place;  // "gpu:0", or "modelled"
  std::vector<Version> versions;
  std::vector<ShapeResult> shapes;
  double copy_bytes_per_second = 0;  // measured; 0: it was not
  double event_seconds = 0;          // between two events with nothing between them
  bool warm = false;
  std::string refusal_code, refusal;  // why nothing can be concluded; "": something can
  std::vector<std::string> notes;     // sentences
  std::string driver;

  // Its data do not fit into L2, so that copying has a say.
  bool leaves_l2(const Roof& roof) const { return roof.bytes > double(device->l2_bytes); }
  bool modelled() const { return place == "modelled"; }
  bool all_right() const;
};

}  // namespace warpwise::bench
