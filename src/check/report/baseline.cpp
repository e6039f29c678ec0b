#include "check/report/baseline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
  return Json{{"version", kBaselineVersion}, {"findings", findings}}.dump(2, ' ', false,
                                                                          Json::error_handler_t::replace) +
         "\n";
}

Result<std::set<std::string>> parse_baseline(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
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
