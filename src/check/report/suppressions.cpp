#include "check/report/suppressions.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <charconv>

#include "base/suggest.h"

namespace warpwise::check::report {
namespace {

const Rule* find_by_code_or_name(std::string_view word) {
  if (const Rule* rule = find_rule(word)) return rule;
  static const std::vector<Rule> rules = all_rules();
  for (const Rule& rule : rules)
    if (rule.name == word) return &rule;
  return nullptr;
}

bool file_matches(const std::string& pattern, const std::string& file) {
  if (pattern.empty()) return true;
  if (fnmatch(pattern.c_str(), file.c_str(), 0) == 0) return true;
  // A relative pattern matches the end of the path, from a folder's name on.
  for (size_t at = file.find('/'); at != file.npos; at = file.find('/', at + 1))
    if (fnmatch(pattern.c_str(), file.c_str() + at + 1, 0) == 0) return true;
  return false;
}

bool place_matches(const Suppression& s, const std::vector<SourcePlace>& places) {
  for (const SourcePlace& place : places)
    if (file_matches(s.file, place.file) && (s.line == 0 || s.line == place.line)) return true;
  return false;
}

}  // namespace

Result<Suppression> parse_suppression(std::string_view pattern, std::string reason) {
  Suppression out;
  out.text = pattern;
  out.reason = std::move(reason);
  std::string_view code = pattern.substr(0, pattern.find(':'));
  std::string_view rest = code.size() < pattern.size() ? pattern.substr(code.size() + 1) : std::string_view();
  if (code != "*") {
    const Rule* rule = find_by_code_or_name(code);
    if (!rule) {
      std::vector<std::string_view> known;
      static const std::vector<Rule> rules = all_rules();
      for (const Rule& r : rules) known.insert(known.end(), {r.code, r.name});
      return Error{"U0011", fmt::format("there is no rule `{}`{}", code, did_you_mean(code, known))};
    }
    out.code = rule->code;
  }
  size_t colon = rest.rfind(':');
  if (colon != rest.npos) {
    std::string_view number = rest.substr(colon + 1);
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), out.line);
    if (error != std::errc{} || end != number.data() + number.size() || out.line == 0)
      return Error{"U0011", fmt::format("`{}`: `{}` is no line number", pattern, number)};
    rest = rest.substr(0, colon);
  }
  out.file = rest;
  return out;
}

Result<std::vector<Suppression>> parse_suppressions(std::string_view text, const std::string& file_name) {
  std::vector<Suppression> out;
  for (unsigned number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    line.remove_prefix(first);
    size_t space = std::min(line.find_first_of(" \t\r"), line.size());
    size_t reason = line.find_first_not_of(" \t\r", space);
    if (reason == line.npos)
      return Error{"U0011", fmt::format("{}:{}: `{}` has no reason; write it after the pattern", file_name, number,
                                        line.substr(0, space))};
    std::string why(line.substr(reason, line.find_last_not_of(" \t\r") - reason + 1));
    auto one = parse_suppression(line.substr(0, space), std::move(why));
    if (!one) return Error{"U0011", fmt::format("{}:{}: {}", file_name, number, one.error().message)};
    out.push_back(std::move(*one));
  }
  return out;
}

bool matches(const Suppression& s, const Finding& finding) {
  if (!s.code.empty() && s.code != finding.code) return false;
  if (s.file.empty() && s.line == 0) return true;
  for (const Party& party : finding.parties)
    if (place_matches(s, party.code.frames) || place_matches(s, party.host_lines)) return true;
  return finding.memory &&
         (place_matches(s, finding.memory->allocated_lines) || place_matches(s, finding.memory->freed_lines));
}

void apply_suppressions(std::vector<Suppression>& suppressions, Report& report) {
  for (ReportedFinding& found : report.findings)
    for (Suppression& s : suppressions) {
      if (!matches(s, found.finding)) continue;
      s.used = true;
      found.suppressed = true;
      found.reason = s.reason;
      break;
    }
  for (const Suppression& s : suppressions)
    if (!s.used) report.unused_suppressions.push_back(s.text);
}

}  // namespace warpwise::check::report
