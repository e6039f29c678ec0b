#include "check/report/json.h"

#include <nlohmann/json.hpp>

#include "check/records.h"
#include "check/report/excerpt.h"

namespace warpwise::check::report {

using Json = nlohmann::json;

namespace {

constexpr int kReportVersion = 1;

Json to_json(const ReportedFinding& found) {
  const Finding& finding = found.finding;
  // The finding as it travels in records, and what a reader wants without looking through parties.
  Json out = Json::parse(finding_to_json(finding));
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

}  // namespace

std::string to_json(const Report& report, FailOn fail_on) {
  SeverityCounts counts = count(report);
  Json checkers = Json::array(), findings = Json::array();
  for (unsigned i = 0; i < kCheckers; ++i)
    if (report.checkers.has(Checker(i))) checkers.push_back(warpwise::name_of(Checker(i)));
  for (const ReportedFinding& found : report.findings) findings.push_back(to_json(found));
  Json out = {{"version", kReportVersion},
              {"tool", {{"name", "warpwise"}, {"version", report.tool_version}}},
              {"program", report.program},
              {"build", report.build},
              {"checkers", checkers},
              {"schedules", report.runs},
              {"verdict", name_of(verdict(report, fail_on))},
              {"counts", {{"error", counts[0]}, {"warning", counts[1]}, {"note", counts[2]}}},
              {"exit", {{"code", report.end.exit_code}, {"signal", report.end.signal}}},
              {"used_cuda", report.used_cuda},
              {"left_early", report.left_early},
              {"not_watched", report.not_watched},
              {"dropped", report.dropped},
              {"findings", findings}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpwise::check::report
