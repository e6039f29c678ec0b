// The table on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/report/report.h"
#include "perf/report/format.h"

namespace warpwise::bench {
namespace {

constexpr const char *kBold = "1", *kRed = "31", *kGreen = "32", *kFaint = "2";

std::string styled(bool color, const char* sgr, const std::string& text) {
  return color ? fmt::format("\033[{}m{}\033[0m", sgr, text) : text;
}

// Columns of a terminal that a text takes: bytes that continue a character take none.
size_t width_of(const std::string& text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}
std::string padded(const std::string& text, size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return right ? blanks + text : text + blanks;
}

std::string sizes_text(const Shape& shape) {
  std::string text;
  for (const auto& [name, value] : shape.sizes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

bool has_copy(const Measurement& m, const ShapeResult& s) { return m.copy_bytes_per_second > 0 && m.leaves_l2(s.roof); }

std::string head_of(const Measurement& m, const ShapeResult& s, bool color) {
  std::string text = fmt::format("\n{}  {}\n", styled(color, kBold, s.shape->name), sizes_text(*s.shape));
  text += fmt::format("roof: {} by {}", perf::seconds_text(s.roof.seconds()),
                      s.roof.by_memory() ? "memory" : name_of(m.ladder->unit));
  text += s.roof.by_memory() ? fmt::format(", {} at {}", perf::bytes_text(s.roof.bytes),
                                           perf::rate_text(m.device->dram_bytes_per_second(), "B"))
                             : fmt::format(", {} at {}", perf::count_text(s.roof.flops),
                                           perf::rate_text(peak_of(m.ladder->unit, *m.device), "FLOP"));
  if (s.roof.by_memory() && !m.leaves_l2(s.roof)) text += " (the data fit into L2, which is faster)";
  if (has_copy(m, s)) text += fmt::format("; copying reaches {}", perf::rate_text(m.copy_bytes_per_second, "B"));
  return text + "\n\n";
}

constexpr size_t kColumns = 8;
enum Column : size_t { kOfCopy = 4, kOfLibrary = 5 };
using Row = std::array<std::string, kColumns>;

// The time of the fastest library; 0: none was measured.
double library_seconds(const Measurement& m, const ShapeResult& s) {
  double least = 0;
  for (size_t i = 0; i < s.cells.size(); ++i) {
    const double seconds = s.cells[i].seconds.median;
    if (m.versions[i].peer.empty() || s.cells[i].verdict != Verdict::Right || seconds <= 0) continue;
    if (least == 0 || seconds < least) least = seconds;
  }
  return least;
}

Row row_of(const Measurement& m, const ShapeResult& s, size_t index, double before, double library) {
  const Cell& cell = s.cells[index];
  const double seconds = cell.seconds.median;
  Row row{label_of(m.versions[index]), "", "", "", "", "", "", ""};
  if (cell.verdict == Verdict::Right && seconds > 0) {
    row[1] = perf::seconds_text(seconds);
    row[2] = cell.modelled ? fmt::format("{} to {}", perf::seconds_text(cell.seconds.interval.low),
                                         perf::seconds_text(cell.seconds.interval.high))
                           : fmt::format("± {:.1f} %{}", 100 * cell.seconds.spread(), cell.confident ? "" : " (!)");
    row[3] = fmt::format("{:.0f} %", 100 * s.roofs[index].seconds() / seconds);
    if (has_copy(m, s)) row[kOfCopy] = fmt::format("{:.0f} %", 100 * s.roof.bytes / seconds / m.copy_bytes_per_second);
    if (library > 0) row[kOfLibrary] = fmt::format("{:.0f} %", 100 * library / seconds);
    if (before > 0) row[6] = fmt::format("{:.2f}", before / seconds);
  }
  row[7] = std::string(name_of(cell.verdict));
  return row;
}

// Versions that calculate other things elsewhere, each with its roof.
std::string apart_of(const Measurement& m, const ShapeResult& s) {
  std::string text;
  for (size_t i = 0; i < m.versions.size(); ++i) {
    const Version& version = m.versions[i];
    if (version.flops.empty()) continue;
    text += fmt::format("  {}: {} operations on {}, roof: {}\n", label_of(version), perf::count_text(s.roofs[i].flops),
                        name_of(version.unit), perf::seconds_text(s.roofs[i].seconds()));
  }
  return text.empty() ? "" : "\n" + text;
}

std::string table_of(const Measurement& m, const ShapeResult& s, bool color) {
  const bool modelled = m.modelled();
  std::vector<Row> rows{{"step", modelled ? "modelled" : "time", modelled ? "range" : "95 %", "of roof", "of copy",
                         "of library", "× before", ""}};
  double before = 0;
  const double library = library_seconds(m, s);
  for (size_t i = 0; i < s.cells.size(); ++i) {
    rows.push_back(row_of(m, s, i, before, library));
    if (s.cells[i].verdict == Verdict::Right && m.versions[i].peer.empty()) before = s.cells[i].seconds.median;
  }
  std::array<size_t, kColumns> widths{};
  for (const Row& row : rows)
    for (size_t c = 0; c < kColumns; ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  std::string text, below;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line = "  ";
    for (size_t c = 0; c + 1 < kColumns; ++c)
      if ((c != kOfCopy || has_copy(m, s)) && (c != kOfLibrary || library > 0))
        line += padded(rows[r][c], widths[c], c > 0) + "  ";
    if (r == 0) {
      text += styled(color, kBold, line) + "\n";
      continue;
    }
    const Cell& cell = s.cells[r - 1];
    const bool bad = cell.verdict == Verdict::Wrong || cell.verdict == Verdict::Failed;
    text += line + styled(color, bad ? kRed : cell.verdict == Verdict::Right ? kGreen : kFaint, rows[r][kColumns - 1]);
    // The first line stands beside the verdict; a compiler's messages follow below the table.
    const size_t end = cell.why.find('\n');
    if (!cell.why.empty()) text += ": " + cell.why.substr(0, end);
    text += "\n";
    if (end != cell.why.npos) below += "\n" + cell.why.substr(end + 1);
  }
  return text + below;
}

}  // namespace

std::string to_text(const Measurement& m, bool color) {
  std::string text =
      fmt::format("{}, {} on {}", m.ladder->title, m.modelled() ? "modelled" : "measured", m.device->name);
  if (!m.modelled()) text += m.warm ? ", L2 warm" : ", L2 flushed";
  text += "\n";
  bool unsure = false;
  for (const ShapeResult& s : m.shapes) {
    if (!m.refusal.empty()) break;
    text += head_of(m, s, color) + table_of(m, s, color) + apart_of(m, s);
    for (const Cell& cell : s.cells)
      unsure = unsure || (cell.verdict == Verdict::Right && !cell.modelled && !cell.confident);
  }
  if (unsure)
    text += "\n(!) rounds or time ran out before the interval was narrow enough: --rounds and --seconds give more\n";
  if (!m.notes.empty()) text += "\n";
  for (const std::string& note : m.notes) text += fmt::format("{}\n", note);
  return text;
}

std::string to_text(const std::vector<Change>& changes, bool color) {
  std::string text = "\nagainst the baseline:\n";
  for (const Change& c : changes) {
    const char* word = c.difference == Difference::Faster   ? "faster"
                       : c.difference == Difference::Slower ? "slower"
                                                            : "no difference";
    const char* sgr = c.difference == Difference::Faster ? kGreen : c.difference == Difference::Slower ? kRed : kFaint;
    text += fmt::format("  {}  {}  {} → {}  {}\n", c.shape, c.version, perf::seconds_text(c.before.median),
                        perf::seconds_text(c.now.median), styled(color, sgr, word));
  }
  return text;
}

}  // namespace warpwise::bench
