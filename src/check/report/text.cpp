#include "check/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "check/report/excerpt.h"
#include "check/report/same_statement.h"

namespace warpwise::check::report {
namespace {

constexpr size_t kSummaryRows = 12;

class TextWriter {
 public:
  explicit TextWriter(bool color) : color_(color) {}

  // `others`: that say the same of the same statement.
  void finding(const Finding& finding, const std::string& others = "") {
    if (first_.empty()) first_ = finding.code;
    const char* sgr = finding.severity == Severity::Error     ? "1;31"
                      : finding.severity == Severity::Warning ? "1;35"
                                                              : "1;36";
    const SourcePlace* primary = place_of(finding);
    line("{}{} {}", paint("1", place(primary)),
         paint(sgr, fmt::format("{}[{}]:", warpwise::name_of(finding.severity), finding.code)),
         paint("1", finding.message));
    if (primary) out_ += sources_.excerpt(*primary, color_);
    for (size_t i = 0; i < finding.parties.size(); ++i) party(finding.parties[i], i == 0);
    if (finding.memory) fact("memory", describe_memory(*finding.memory));
    fact("count", describe_count(finding));
    fact("also", others);
    for (const std::string& note : finding.notes) fact("note", note);
    // The rule is the same for every finding of a code: it is given once.
    if (const Rule* rule = find_rule(finding.code); rule && ruled_.insert(finding.code).second)
      fact("rule", std::string(rule->rule));
    fact("help", help_of(finding));
    out_ += "\n";
  }

  // Those that count, one for each statement, as long as `most` allows. The findings that were told or counted with
  // one; those that were told in full are added to `shown`.
  size_t findings(const Report& report, size_t most, size_t& shown) {
    std::vector<const Finding*> all;
    for (const ReportedFinding& found : report.findings)
      if (found.counts()) all.push_back(&found.finding);
    size_t told = 0;
    for (const std::vector<size_t>& group : by_statement(all)) {
      if (shown == most) break;
      finding(*all[group[0]], describe_others(group, all));
      ++shown, told += group.size();
    }
    return told;
  }

  void summary(const Report& report, size_t shown, size_t told) {
    SeverityCounts counts = count(report);
    size_t suppressed = 0, known = 0;
    std::map<std::string, Row> rows;
    for (const ReportedFinding& found : report.findings) {
      suppressed += found.suppressed;
      known += !found.suppressed && found.known;
      if (!found.counts()) continue;
      Row& row = rows[found.finding.code];
      row.code = found.finding.code;
      row.severity = std::min(row.severity, found.finding.severity);
      ++row.places;
      row.threads += found.finding.threads;
    }
    size_t all = counts[0] + counts[1] + counts[2];
    if (all > told || rows.size() > 1) table(rows);
    if (all > told) left_out(shown, all);
    remarks(report, "");
    // Clean is said of a program that came to its end, checked in everything.
    const char* nothing = !report.not_checked.empty() ? "nothing found, and not everything was checked"
                          : !report.end.ok()          ? "nothing found before it failed"
                                                      : "clean";
    std::string verdict = all == 0 ? paint("1;32", nothing) : paint("1", describe(counts));
    std::string more;
    if (suppressed) more += fmt::format(", {} suppressed", suppressed);
    if (known) more += fmt::format(", {} known before", known);
    line("warpwise check: {}: {}{}", report.program, verdict, more);
    line("  {}; checked: {}{}", report.build, checkers(report.checkers),
         report.runs > 1 ? fmt::format("; {} schedules", report.runs) : std::string());
    if (!first_.empty()) line("  `warpwise explain {}` teaches the rule", first_);
  }

  void left_out(size_t shown, size_t all) {
    line("{} findings shown in full of {}; --max-findings=N shows more, --json=FILE has all", shown, all);
  }

  // A program of several, after its findings.
  void program(const Report& report) {
    if (!report.failure.empty())
      line("{}: {} not checked: {}", report.program, paint("1;31", "error:"), report.failure);
    if (report.failure.empty()) remarks(report, report.program + ": ");
    if (report.failure.empty() && report.end.ok()) return;
    for (std::string_view left = report.output; !left.empty();) {
      const size_t end = std::min(left.find('\n'), left.size());
      line("    {}", left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    out_ += "\n";
  }

  void overview(Reports reports) {
    size_t widest = 0, clean = 0;
    for (const Report& report : reports) widest = std::max(widest, report.program.size());
    for (const Report& report : reports) {
      const SeverityCounts counts = count(report);
      const bool found = counts[0] + counts[1] + counts[2] != 0;
      std::string what = !report.failure.empty() ? "not checked: " + report.failure : found ? describe(counts) : "";
      if (report.failure.empty() && !report.end.ok())
        what += fmt::format("{}it ended with {}", what.empty() ? "" : "; ", describe(report.end));
      if (!report.not_checked.empty()) what += fmt::format("{}not everything was checked", what.empty() ? "" : "; ");
      clean += what.empty();
      line("  {:<{}}  {}", report.program, widest, what.empty() ? paint("1;32", "clean") : what);
    }
    line("warpwise check: {}, {} clean", plural(reports.size(), "program"), clean);
  }

  std::string take() { return std::move(out_); }

 private:
  // What limits the worth of a report, and what it has besides findings. `where`: "scan.cu: ", of several programs.
  void remarks(const Report& report, const std::string& where) {
    const std::string warning = where + paint("1;35", "warning:"), note = where + paint("1;36", "note:");
    if (report.dropped) line("{}and {} more that were not kept", where, report.dropped);
    for (const std::string& what : report.not_checked) line("{} not checked any more: {}", warning, what);
    for (const std::string& text : report.unused_suppressions)
      line("{} the suppression `{}` matched nothing", note, text);
    if (!report.used_cuda) line("{} the program never used the device: there was nothing to check", note);
    if (report.left_early)
      line("{} the program left without its exit handlers: leaks and unread errors are not known", note);
    if (!report.end.ok()) line("{}{} the program ended with {}", where, paint("1;31", "error:"), describe(report.end));
  }

  struct Row {
    std::string code;
    Severity severity = Severity::Note;
    size_t places = 0;
    uint64_t threads = 0;
  };

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_ += '\n';
  }
  void fact(const char* name, const std::string& text) {
    if (text.empty()) return;
    // Further lines of a text stand below its first.
    std::string below;
    for (char c : text) below += c == '\n' ? "\n        " : std::string(1, c);
    line("      = {}: {}", name, below);
  }
  std::string paint(const char* sgr, std::string_view text) const {
    return color_ ? fmt::format("\033[{}m{}\033[0m", sgr, text) : std::string(text);
  }
  static std::string plural(size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }

  static std::string place(const SourcePlace* place) {
    if (!place) return "";
    if (!place->column) return fmt::format("{}:{}: ", short_path(place->file), place->line);
    return fmt::format("{}:{}:{}: ", short_path(place->file), place->line, place->column);
  }

  void party(const Party& party, bool primary) {
    const SourcePlace* at = place_of(party);
    if (primary) {
      fact("by", describe_party(party));
    } else {
      line("{}{} {}", place(at), paint("1;36", "note:"), describe_party(party));
      if (at) out_ += sources_.excerpt(*at, color_);
    }
    // The frames around the place, from the inside out.
    const auto& frames = party.code.frames.empty() ? party.host_lines : party.code.frames;
    for (const SourcePlace& frame : frames) {
      if (&frame == at) {
        if (frames.size() > 1 && !frame.function.empty()) fact("in", frame.function);
        continue;
      }
      if (!frame.line) continue;
      fact("called at", fmt::format("{}:{}{}", short_path(frame.file), frame.line,
                                    frame.function.empty() ? "" : fmt::format(" in {}", frame.function)));
    }
    if (!at && !party.code.instruction.empty()) fact("instruction", fmt::format("`{}`", party.code.instruction));
    if (!party.code.frames.empty() && !party.host_lines.empty()) {
      const SourcePlace& launch = party.host_lines[0];
      fact("launched", fmt::format("at {}:{}", short_path(launch.file), launch.line));
    }
  }

  void table(const std::map<std::string, Row>& by_code) {
    std::vector<Row> rows;
    for (const auto& [code, row] : by_code) rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return std::pair(a.severity, ~a.threads) < std::pair(b.severity, ~b.threads);
    });
    line("{}", paint("1", "code    severity   places      times  rule"));
    for (size_t i = 0; i < std::min(rows.size(), kSummaryRows); ++i) {
      const Rule* rule = find_rule(rows[i].code);
      line("{:7} {:9} {:7} {:10}  {}", rows[i].code, warpwise::name_of(rows[i].severity), rows[i].places,
           rows[i].threads, rule ? rule->title : "");
    }
    if (rows.size() > kSummaryRows) line("and {} more rules", rows.size() - kSummaryRows);
  }

  static std::string checkers(CheckerSet set) {
    std::string out;
    for (unsigned i = 0; i < kCheckers; ++i)
      if (set.has(Checker(i))) out += fmt::format("{}{}", out.empty() ? "" : ", ", warpwise::name_of(Checker(i)));
    return out;
  }

  bool color_;
  std::string out_;
  SourceFiles sources_;
  std::set<std::string> ruled_;
  std::string first_;  // the code of the finding that is told first
};

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) {
  TextWriter writer(options.color);
  size_t shown = 0;
  const size_t told = writer.findings(report, options.max_findings, shown);
  writer.summary(report, shown, told);
  return writer.take();
}

std::string to_text(Reports reports, const TextOptions& options) {
  TextWriter writer(options.color);
  size_t shown = 0, told = 0, all = 0;
  for (const Report& report : reports) {
    const SeverityCounts counts = count(report);
    all += counts[0] + counts[1] + counts[2];
    told += writer.findings(report, options.max_findings, shown);
    writer.program(report);
  }
  if (all > told) writer.left_out(shown, all);
  writer.overview(reports);
  return writer.take();
}

std::string to_text(const Finding& finding, bool color) {
  TextWriter writer(color);
  writer.finding(finding);
  return writer.take();
}

}  // namespace warpwise::check::report
