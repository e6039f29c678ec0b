#include "check/report/json.h"

#include <type_traits>

#include "base/json.h"
#include "check/records/finding_json.h"
#include "check/report/excerpt.h"

namespace warpwise::check::report {

using Json = nlohmann::json;

namespace {

constexpr int kReportVersion = 1;

Json to_json(const ReportedFinding& found) {
  const Finding& finding = found.finding;
  // The finding as it travels in records, and what a reader needs without a search through the parties.
  Json out = parse_json<Json>(finding_to_json(finding));
  if (const Rule* rule = find_rule(finding.code)) {
    out["rule"] = rule->name;
    out["checker"] = warpwise::name_of(rule->checker);
  }
  if (const SourcePlace* place = place_of(finding)) {
    out["file"] = short_path(place->file);
    out["line"] = place->line;
    out["column"] = place->column;
    out["function"] = place->function;
  }
  out["help"] = help_of(finding);
  out["fingerprint"] = found.fingerprint;
  if (found.suppressed) out["suppressed"] = found.reason;
  if (found.known) out["known"] = true;
  return out;
}

Json counts_to_json(const SeverityCounts& counts) {
  return {{"error", counts[0]}, {"warning", counts[1]}, {"note", counts[2]}};
}

Json tool_to_json(const std::string& version) { return {{"name", "warpwise"}, {"version", version}}; }

Json report_to_json(const Report& report, FailOn fail_on) {
  Json checkers = Json::array(), findings = Json::array();
  for (unsigned i = 0; i < kCheckers; ++i)
    if (report.checkers.has(Checker(i))) checkers.push_back(warpwise::name_of(Checker(i)));
  for (const ReportedFinding& found : report.findings) findings.push_back(to_json(found));
  Json out = {{"version", kReportVersion},
              {"tool", tool_to_json(report.tool_version)},
              {"program", report.program},
              {"build", report.build},
              {"checkers", checkers},
              {"schedules", report.runs},
              {"verdict", name_of(verdict(report, fail_on))},
              {"counts", counts_to_json(count(report))},
              {"exit", {{"code", report.end.exit_code}, {"signal", report.end.signal}}},
              {"used_cuda", report.used_cuda},
              {"left_early", report.left_early},
              {"not_checked", report.not_checked},
              {"dropped", report.dropped},
              {"findings", findings}};
  if (!report.failure.empty()) out["failure"] = report.failure;
  if (!report.failure_code.empty()) out["failure_code"] = report.failure_code;
  for (const CompileError& error : report.compile_errors)
    out["compile_errors"].push_back({{"file", short_path(error.place.file)},
                                     {"line", error.place.line},
                                     {"column", error.place.column},
                                     {"message", error.message}});
  if (!report.output.empty()) out["output"] = report.output;
  return out;
}

std::string dump(const Json& json) { return dump_json(json, 2) + "\n"; }

// --- reading: a member of another kind is as if it were not there

template <class T>
T value_of(const Json& json, const char* key, T otherwise) {
  const auto at = json.find(key);
  if (at == json.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>) return at->is_string() ? at->template get<T>() : otherwise;
  if constexpr (std::is_same_v<T, bool>) return at->is_boolean() ? at->template get<T>() : otherwise;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return at->is_number_integer() ? at->template get<T>() : otherwise;
}

const Json& member(const Json& json, const char* key) {
  static const Json none = Json::object();
  const auto at = json.find(key);
  return at != json.end() ? *at : none;
}

std::vector<std::string> texts_of(const Json& json, const char* key) {
  std::vector<std::string> out;
  for (const Json& item : member(json, key))
    if (item.is_string()) out.push_back(item);
  return out;
}

}  // namespace

std::string to_json(const Report& report, FailOn fail_on) { return dump(report_to_json(report, fail_on)); }

std::string to_json(Reports reports, FailOn fail_on) {
  Json programs = Json::array();
  SeverityCounts counts{};
  for (const Report& report : reports) {
    programs.push_back(report_to_json(report, fail_on));
    const SeverityCounts own = count(report);
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += own[i];
  }
  return dump({{"version", kReportVersion},
               {"tool", tool_to_json(reports.empty() ? "" : reports[0].tool_version)},
               {"verdict", name_of(verdict(reports, fail_on))},
               {"counts", counts_to_json(counts)},
               {"programs", programs}});
}

Result<Report> report_from_json(std::string_view text) {
  const Json json = parse_json<Json>(text);
  if (!json.is_object() || value_of(json, "version", 0) != kReportVersion || !json.contains("findings"))
    return Error{"U0010", "not a report of this version"};
  Report report;
  report.tool_version = value_of(member(json, "tool"), "version", std::string());
  report.program = value_of(json, "program", std::string());
  report.build = value_of(json, "build", std::string());
  for (const std::string& name : texts_of(json, "checkers"))
    if (const auto checker = find_checker(name)) report.checkers.add(*checker);
  report.runs = value_of(json, "schedules", 1u);
  report.end.exit_code = value_of(member(json, "exit"), "code", 0);
  report.end.signal = value_of(member(json, "exit"), "signal", 0);
  report.used_cuda = value_of(json, "used_cuda", true);
  report.left_early = value_of(json, "left_early", false);
  report.not_checked = texts_of(json, "not_checked");
  report.dropped = value_of(json, "dropped", uint64_t{0});
  report.failure = value_of(json, "failure", std::string());
  report.failure_code = value_of(json, "failure_code", std::string());
  for (const Json& item : member(json, "compile_errors"))
    if (item.is_object())
      report.compile_errors.push_back(
          {{value_of(item, "file", std::string()), value_of(item, "line", 0u), value_of(item, "column", 0u), ""},
           value_of(item, "message", std::string())});
  report.output = value_of(json, "output", std::string());
  for (const Json& item : member(json, "findings")) {
    auto finding = finding_from_json(dump_json(item));
    if (!finding) continue;
    ReportedFinding found{std::move(*finding), value_of(item, "fingerprint", std::string())};
    found.suppressed = item.contains("suppressed");
    found.reason = value_of(item, "suppressed", std::string());
    found.known = value_of(item, "known", false);
    report.findings.push_back(std::move(found));
  }
  return report;
}

}  // namespace warpwise::check::report
