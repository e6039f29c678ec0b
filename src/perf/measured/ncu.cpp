#include "perf/measured/ncu.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace warpwise::perf {
namespace {

constexpr std::string_view kOurOwn = "warpwise__", kSum = ".sum";

// A row of RFC 4180: cells in quotes, which are doubled inside of one.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

// "1,048,576" or "3.5e+06"; NaN: not a number, as where a GPU does not have a counter ("n/a").
double number_of(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? value : std::nan("");
}

// "(256, 1, 1)"
bool read_size(std::string_view text, device::Dim3* out) {
  uint32_t numbers[3];
  const char *at = text.data(), *end = at + text.size();
  for (uint32_t& number : numbers) {
    while (at < end && (*at < '0' || *at > '9')) ++at;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return false;
    at = after;
  }
  *out = {numbers[0], numbers[1], numbers[2]};
  return true;
}

}  // namespace

std::vector<std::string> ncu_options(const std::string& file, unsigned launches) {
  std::string metrics;
  for (unsigned c = 0; c < kCounters; ++c) {
    const std::string_view name = info_of(Counter(c)).name;
    if (!name.starts_with(kOurOwn)) metrics += fmt::format("{}{}{}", metrics.empty() ? "" : ",", name, kSum);
  }
  return {"--csv",
          "--page=raw",
          "--print-units=base",
          "--kernel-name-base=mangled",
          "--cache-control=all",
          "--clock-control=none",
          "--replay-mode=kernel",
          "--target-processes=all",
          fmt::format("--launch-count={}", launches),
          "--log-file=" + file,
          "--metrics=" + metrics};
}

NcuTable read_ncu(std::string_view text) {
  std::vector<std::string> head;
  std::string last;  // that it said beside the table
  NcuTable out;
  bool units = false;
  auto column = [&](std::string_view name) { return size_t(std::find(head.begin(), head.end(), name) - head.begin()); };
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.starts_with('"')) {
      if (!line.empty() && head.empty()) last = line;
      continue;
    }
    std::vector<std::string> cells = cells_of(line);
    if (head.empty()) {
      head = std::move(cells);
      units = true;
      continue;
    }
    if (std::exchange(units, false)) continue;  // the row below the head
    cells.resize(head.size() + 1);              // a column that is not there is empty
    HardwareCounts counts;
    counts.value.fill(std::nan(""));
    counts.key.symbol = cells[column("Kernel Name")];
    if (!read_size(cells[column("Grid Size")], &counts.key.grid) ||
        !read_size(cells[column("Block Size")], &counts.key.block))
      return {{}, "its table does not say the sizes of grids and blocks"};
    for (unsigned c = 0; c < kCounters; ++c)
      counts.value[c] = number_of(cells[column(std::string(info_of(Counter(c)).name) + std::string(kSum))]);
    out.launches.push_back(std::move(counts));
  }
  if (head.empty()) out.why_not = last.empty() ? "it has written no table" : last;
  return out;
}

}  // namespace warpwise::perf
