#include "check/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "check/report/excerpt.h"

namespace warpwise::check::report {

SeverityCounts count(const Report& report) {
  SeverityCounts counts{};
  for (const ReportedFinding& found : report.findings)
    if (found.counts()) ++counts[size_t(found.finding.severity)];
  return counts;
}

void sort(Report& report) {
  std::stable_sort(
      report.findings.begin(), report.findings.end(),
      [](const ReportedFinding& a, const ReportedFinding& b) { return a.finding.severity < b.finding.severity; });
}

Verdict verdict(const Report& report, FailOn fail_on) {
  if (!report.failure.empty()) return Verdict::NotChecked;
  SeverityCounts counts = count(report);
  bool found = counts[size_t(Severity::Error)] || (fail_on == FailOn::Warning && counts[size_t(Severity::Warning)]);
  if (report.dropped) found = true;
  if (found && fail_on != FailOn::Never) return Verdict::Findings;
  if (!report.end.ok()) return Verdict::ProgramFailed;
  if (!report.not_checked.empty()) return Verdict::Incomplete;
  return Verdict::Clean;
}

Verdict verdict(Reports reports, FailOn fail_on) {
  for (Verdict worst : {Verdict::Findings, Verdict::ProgramFailed, Verdict::NotChecked, Verdict::Incomplete})
    if (std::any_of(reports.begin(), reports.end(),
                    [&](const Report& report) { return verdict(report, fail_on) == worst; }))
      return worst;
  return Verdict::Clean;
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Clean:
      return "clean";
    case Verdict::Findings:
      return "findings";
    case Verdict::ProgramFailed:
      return "program-failed";
    case Verdict::Incomplete:
      return "incomplete";
    case Verdict::NotChecked:
      return "not-checked";
  }
  return "incomplete";
}

std::string describe(const ProgramEnd& end) {
  if (end.signal) return fmt::format("signal {} ({})", end.signal, strsignal(end.signal));
  return fmt::format("exit code {}", end.exit_code);
}

const SourcePlace* place_of(const Party& party) {
  for (const SourcePlace& place : party.code.frames)
    if (place.line) return &place;
  for (const SourcePlace& place : party.host_lines)
    if (place.line) return &place;
  return nullptr;
}

const SourcePlace* place_of(const Finding& finding) {
  for (const Party& party : finding.parties)
    if (const SourcePlace* place = place_of(party)) return place;
  if (finding.memory)
    for (const auto* lines : {&finding.memory->allocated_lines, &finding.memory->freed_lines})
      for (const SourcePlace& place : *lines)
        if (place.line) return &place;
  return nullptr;
}

namespace {

std::string at(const std::vector<SourcePlace>& lines) {
  for (const SourcePlace& place : lines) {
    if (place.line) return fmt::format(" at {}:{}", short_path(place.file), place.line);
    if (!place.function.empty()) return fmt::format(" in {}", place.function);
  }
  return "";
}

std::string plural(uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string describe(const SeverityCounts& counts) {
  return fmt::format("{}, {}, {}", plural(counts[0], "error"), plural(counts[1], "warning"), plural(counts[2], "note"));
}

namespace {

// Where an address lies with respect to the allocation or variable it belongs to.
std::string position(const MemoryPlace& memory) {
  if (memory.address < memory.base) return fmt::format("{} before", plural(memory.base - memory.address, "byte"));
  uint64_t offset = memory.address - memory.base;
  if (offset >= memory.size)
    return offset == memory.size ? "just past the end of"
                                 : fmt::format("{} past the end of", plural(offset - memory.size, "byte"));
  return fmt::format("byte {} of", offset);
}

}  // namespace

std::string describe_memory(const MemoryPlace& memory) {
  std::string out;
  bool device_wide = memory.space == "global" || memory.space == "host" || memory.space.empty();
  if (memory.bytes) out = plural(memory.bytes, "byte");
  if (memory.bytes || memory.address) {
    // The address of a block's or a thread's own memory is of no use to a reader.
    bool tells = device_wide || !memory.allocated;
    std::string space = memory.space.empty() ? "" : fmt::format("{} memory", memory.space);
    if (tells)
      out += fmt::format("{}{:#x}{}", out.empty() ? "" : " at ", memory.address, space.empty() ? "" : " of " + space);
    else
      out += fmt::format("{}{}", out.empty() ? "" : " of ", space);
  }
  if (!memory.allocated) return out;
  std::string what = memory.name.empty() ? fmt::format("an allocation of {}", plural(memory.size, "byte"))
                                         : fmt::format("`{}` ({})", memory.name, plural(memory.size, "byte"));
  if (!memory.allocated_by.empty()) what += fmt::format(" by {}", memory.allocated_by);
  out += fmt::format("{}{} {}{}", out.empty() ? "" : ": ", memory.bytes || memory.address ? position(memory) : "all of",
                     what, at(memory.allocated_lines));
  if (memory.freed) out += fmt::format(", freed{}", at(memory.freed_lines));
  return out;
}

std::string describe_party(const Party& party) {
  std::string out = party.role;
  if (!party.detail.empty()) out += fmt::format("{}{}", out.empty() ? "" : " of ", party.detail);
  std::string thread = describe_thread(party);
  if (!thread.empty()) out += fmt::format(" by {}", thread);
  if (!party.kernel.empty()) out += fmt::format("{} `{}`", thread.empty() ? " by kernel" : " of", party.kernel);
  return out;
}

// A thread may do the same any number of times: what is counted are accesses, not threads.
namespace {

// Accesses that have raced very often are not looked at again (check/race/race_checker.h), so large counts are those
// until then.
std::string at_least(uint64_t count) {
  constexpr uint64_t kExact = 100'000;
  if (count < kExact) return fmt::format("{}", count);
  uint64_t unit = 1;
  while (count / unit >= 100) unit *= 10;
  return fmt::format("at least {}", count / unit * unit);
}

}  // namespace

std::string describe_count(const Finding& finding) {
  if (finding.threads <= 1) return "";
  const Rule* rule = find_rule(finding.code);
  const bool by_thread = !finding.parties.empty() && finding.parties[0].thread;
  const std::string_view role = by_thread ? std::string_view(finding.parties[0].role) : "";
  const bool is_access = role == "read" || role == "write" || role == "atomic";
  if (!by_thread || !rule) return fmt::format("{} times", finding.threads);
  if (rule->checker == Checker::Race)
    return fmt::format("{} conflicting accesses; the first is shown", at_least(finding.threads));
  if (is_access) return fmt::format("{} accesses; the first is shown", finding.threads);
  return fmt::format("{} times; the first is shown", finding.threads);
}

std::string help_of(const Finding& finding) {
  if (!finding.help.empty()) return finding.help;
  const Rule* rule = find_rule(finding.code);
  return rule ? std::string(rule->next_step) : "";
}

}  // namespace warpwise::check::report
