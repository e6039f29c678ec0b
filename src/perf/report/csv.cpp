#include "perf/report/csv.h"

#include <fmt/format.h>

namespace warpwise::perf {
namespace {

// RFC 4180: quotes around a field with a comma, a quote or a newline.
std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void row(std::string& out, const KernelReport& k, std::string_view file, unsigned line, const Counts& counts) {
  fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{}", csv_cell(k.launch.kernel), k.launches, csv_cell(file),
                 line, k.seconds, k.predicted ? key_of(k.prediction.limiter) : "",
                 k.predicted ? k.prediction.occupancy.fraction : 0);
  for (uint64_t value : counts.value) fmt::format_to(std::back_inserter(out), ",{}", value);
  out += "\r\n";
}

}  // namespace

std::string to_csv(const Analysis& analysis) {
  std::string out = "kernel,launches,file,line,modelled_seconds,limiter,theoretical_occupancy";
  for (unsigned i = 0; i < kCounters; ++i)
    fmt::format_to(std::back_inserter(out), ",{}", info_of(static_cast<Counter>(i)).name);
  out += "\r\n";
  for (const KernelReport& k : analysis.kernels) {
    row(out, k, "", 0, k.launch.totals);
    for (const LineCounts& line : k.launch.lines)
      if (!line.frames.empty()) row(out, k, line.frames.front().file, line.frames.front().line, line.counts);
  }
  return out;
}

}  // namespace warpwise::perf
