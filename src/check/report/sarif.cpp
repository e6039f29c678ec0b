#include "check/report/sarif.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/json.h"
#include "check/report/excerpt.h"

namespace warpwise::check::report {
namespace {

using Json = nlohmann::json;

const char* level_of(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "none";
}

// RFC 3986: everything that is not unreserved, or the separator of folders, is escaped.
std::string uri_of(const std::string& file) {
  std::string out;
  for (unsigned char c : file) {
    bool plain = std::isalnum(c) || c == '-' || c == '.' || c == '_' || c == '~' || c == '/';
    if (plain)
      out += char(c);
    else
      out += fmt::format("%{:02X}", c);
  }
  return out;
}

// Files below the current folder are relative to it: code scanning takes that for the root of the repository.
Json artifact_location(const std::string& file) {
  std::string path = short_path(file);
  if (path.starts_with("/")) return {{"uri", "file://" + uri_of(path)}};
  return {{"uri", uri_of(path)}, {"uriBaseId", "SRCROOT"}};
}

Json location(const SourcePlace& place, SourceFiles& sources) {
  Json region = {{"startLine", std::max(1u, place.line)}};
  if (place.column) region["startColumn"] = place.column;
  if (std::string_view line = sources.line(place.file, place.line); !line.empty())
    region["snippet"] = {{"text", std::string(line)}};
  Json out = {{"physicalLocation", {{"artifactLocation", artifact_location(place.file)}, {"region", region}}}};
  if (!place.function.empty())
    out["logicalLocations"] = Json::array({{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
  return out;
}

Json rule_to_json(const Rule& rule) {
  std::string help = fmt::format("{} What to do: {}.", rule.rule, rule.next_step);
  return {
      {"id", rule.code},
      {"name", rule.name},
      {"shortDescription", {{"text", rule.title}}},
      {"fullDescription", {{"text", rule.rule}}},
      {"help",
       {{"text", help},
        {"markdown",
         fmt::format("{}\n\n**What to do:** {}.\n\n`warpwise explain {}` shows a wrong and a right program.", rule.rule,
                     rule.next_step, rule.code)}}},
      {"defaultConfiguration", {{"level", level_of(rule.severity)}}},
      {"properties", {{"tags", Json::array({"cuda", warpwise::name_of(rule.checker)})}, {"precision", "very-high"}}}};
}

// What keeps a program from being checked is a rule like the others: code scanning shows results alone.
Json failure_rule(const DiagnosticInfo& failure) {
  return {{"id", failure.code},
          {"shortDescription", {{"text", failure.title}}},
          {"fullDescription", {{"text", failure.story}}},
          {"help", {{"text", failure.story}}},
          {"defaultConfiguration", {{"level", "error"}}}};
}

// A result for each error of the compiler; where it named no place, one for the program.
std::vector<Json> results_of_failure(const Report& report, SourceFiles& sources) {
  std::vector<CompileError> errors = report.compile_errors;
  if (errors.empty()) errors.push_back({{report.program, 1, 0, ""}, "not checked: " + report.failure});
  std::vector<Json> results;
  for (const CompileError& error : errors)
    results.push_back({{"ruleId", report.failure_code},
                       {"level", "error"},
                       {"message", {{"text", error.message}}},
                       {"locations", Json::array({location(error.place, sources)})}});
  return results;
}

Json result_of(const ReportedFinding& found, const std::vector<Rule>& rules, const Report& report,
               SourceFiles& sources) {
  const Finding& finding = found.finding;
  std::string text = finding.message;
  if (!finding.parties.empty()) text += fmt::format(" ({})", describe_party(finding.parties[0]));
  if (finding.memory) text += fmt::format("; {}", describe_memory(*finding.memory));
  for (const std::string& note : finding.notes) text += fmt::format("; {}", note);
  text += fmt::format(". {}.", help_of(finding));

  Json out = {{"ruleId", finding.code},
              {"level", level_of(finding.severity)},
              {"message", {{"text", text}}},
              {"occurrenceCount", std::max<uint64_t>(1, finding.threads)},
              {"partialFingerprints", {{"warpwiseCause/v1", found.fingerprint}}}};
  for (size_t i = 0; i < rules.size(); ++i)
    if (rules[i].code == finding.code) out["ruleIndex"] = i;
  const SourcePlace* primary = place_of(finding);
  // Code scanning needs a place for each result: the program's name stands for an unknown one.
  SourcePlace unknown{report.program, 1, 0, ""};
  out["locations"] = Json::array({location(primary ? *primary : unknown, sources)});
  int id = 0;
  auto relate = [&](const SourcePlace& place, const std::string& what) {
    Json related = location(place, sources);
    related["id"] = ++id;
    related["message"] = {{"text", what}};
    out["relatedLocations"].push_back(related);
  };
  for (const Party& party : finding.parties)
    if (const SourcePlace* place = place_of(party); place && place != primary) relate(*place, describe_party(party));
  if (finding.memory) {
    for (const SourcePlace& place : finding.memory->allocated_lines)
      if (place.line) {
        relate(place, "allocated here");
        break;
      }
    for (const SourcePlace& place : finding.memory->freed_lines)
      if (place.line) {
        relate(place, "freed here");
        break;
      }
  }
  if (found.suppressed) out["suppressions"] = Json::array({{{"kind", "external"}, {"justification", found.reason}}});
  if (found.known) out["baselineState"] = "unchanged";
  return out;
}

Json notification(const char* level, const std::string& text) {
  return {{"level", level}, {"message", {{"text", text}}}};
}

Json invocation_of(const Report& report) {
  Json notifications = Json::array();
  for (const std::string& what : report.not_checked)
    notifications.push_back(notification("warning", "not checked any more: " + what));
  if (!report.failure.empty())
    notifications.push_back(notification(
        "error", fmt::format("{} was not checked: {}\n{}", report.program, report.failure, report.output)));
  if (report.dropped)
    notifications.push_back(notification("warning", fmt::format("{} more findings were not kept", report.dropped)));
  if (report.left_early) notifications.push_back(notification("note", "the program left without its exit handlers"));
  Json invocation = {{"executionSuccessful", report.not_checked.empty() && report.failure.empty()},
                     {"arguments", Json::array({report.program})},
                     {"toolExecutionNotifications", notifications}};
  // A program that was not started, or that a signal ended, has no exit code.
  if (report.end.signal)
    invocation["exitSignalNumber"] = report.end.signal;
  else if (report.failure.empty())
    invocation["exitCode"] = report.end.exit_code;
  return invocation;
}

}  // namespace

std::string to_sarif(Reports reports) {
  SourceFiles sources;
  std::vector<Rule> rules = all_rules();
  Json rule_list = Json::array(), results = Json::array(), invocations = Json::array();
  for (const Rule& rule : rules) rule_list.push_back(rule_to_json(rule));
  for (const Report& report : reports) {
    for (const ReportedFinding& found : report.findings) results.push_back(result_of(found, rules, report, sources));
    if (const DiagnosticInfo* failure = find_diagnostic(report.failure_code); failure && !report.failure.empty()) {
      size_t index = 0;
      while (index < rule_list.size() && rule_list[index]["id"] != failure->code) ++index;
      if (index == rule_list.size()) rule_list.push_back(failure_rule(*failure));
      for (Json& result : results_of_failure(report, sources)) {
        result["ruleIndex"] = index;
        results.push_back(std::move(result));
      }
    }
    invocations.push_back(invocation_of(report));
  }
  const Report first = reports.empty() ? Report{} : reports[0];
  Json driver = {{"name", "warpwise check"}, {"semanticVersion", first.tool_version}, {"rules", rule_list}};
  Json run = {{"tool", {{"driver", driver}}},
              {"columnKind", "utf16CodeUnits"},
              {"originalUriBaseIds",
               {{"SRCROOT", {{"description", {{"text", "the folder that the program was checked in"}}}}}}},
              {"invocations", invocations},
              {"properties", {{"build", first.build}, {"schedules", first.runs}}},
              {"results", results}};
  Json log = {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({run})}};
  return dump_json(log, 2) + "\n";
}

}  // namespace warpwise::check::report
