// A measurement for people and for programs: a table, JSON, CSV, a page with plots; and what has changed since an
// earlier one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/measurement.h"
#include "perf/report/provenance.h"

namespace warpwise::bench {

// One table for each shape, what it says to be read from left to right: step, time, how sure, share of the roof, of
// copying, times the step before, right or wrong.
std::string to_text(const Measurement& measurement, bool color);
nlohmann::ordered_json to_json(const Measurement& measurement, const perf::Provenance& provenance);
std::string to_csv(const Measurement& measurement);
// One file that opens without a network.
std::string to_html(const Measurement& measurement, const perf::Provenance& provenance);

// A version and shape that both measurements have.
struct Change {
  std::string shape, version;
  Estimate before, now;
  Difference difference = Difference::None;
};
// `baseline`: what to_json() gave. B0008: no such file; B0009: another device, place or ladder, with which nothing can
// be compared.
Result<std::vector<Change>> compare_with(const Measurement& measurement, std::string_view baseline);
std::string to_text(const std::vector<Change>& changes, bool color);

}  // namespace warpwise::bench
