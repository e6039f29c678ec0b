#include "check/report/baseline.h"

#include <fmt/format.h>

#include "base/json.h"
#include "check/report/excerpt.h"

namespace warpwise::check::report {

using Json = nlohmann::json;

constexpr int kBaselineVersion = 1;

std::string baseline_of(Reports reports) {
  Json findings = Json::array();
  for (const Report& report : reports)
    for (const ReportedFinding& found : report.findings) {
      if (found.suppressed) continue;
      const SourcePlace* place = place_of(found.finding);
      findings.push_back({{"fingerprint", found.fingerprint},
                          {"code", found.finding.code},
                          {"place", place ? fmt::format("{}:{}", short_path(place->file), place->line) : ""},
                          {"message", found.finding.message}});
    }
  return dump_json(Json{{"version", kBaselineVersion}, {"findings", findings}}, 2) + "\n";
}

Result<std::set<std::string>> parse_baseline(std::string_view text) {
  Json json = parse_json<Json>(text);
  if (!json.is_object() || json.value("version", Json()) != kBaselineVersion || !json.contains("findings") ||
      !json["findings"].is_array())
    return Error{"U0010", "not a baseline of this version"};
  std::set<std::string> out;
  for (const Json& finding : json["findings"])
    if (finding.is_object() && finding.contains("fingerprint") && finding["fingerprint"].is_string())
      out.insert(finding["fingerprint"]);
  return out;
}

void apply_baseline(const std::set<std::string>& baseline, Report& report) {
  for (ReportedFinding& found : report.findings) found.known = baseline.contains(found.fingerprint);
}

}  // namespace warpwise::check::report
