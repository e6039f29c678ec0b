#include "check/report/same_statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

namespace warpwise::check::report {
namespace {

// Kernel, file, line; space, array.
using Statement = std::tuple<std::string, std::string, uint32_t, std::string, std::string, uint64_t>;

// Nothing where a finding is of another kind, or of several lines.
std::optional<Statement> statement_of(const Finding& finding) {
  const Rule* rule = find_rule(finding.code);
  if (!rule || (rule->checker != Checker::Race && rule->checker != Checker::Init)) return std::nullopt;
  if (finding.parties.empty() || !finding.memory) return std::nullopt;
  auto place = [](const Party& party) -> const SourcePlace* {
    return party.kernel.empty() || party.code.frames.empty() ? nullptr : &party.code.frames[0];
  };
  const SourcePlace* first = place(finding.parties[0]);
  if (!first || first->line == 0) return std::nullopt;
  for (const Party& party : finding.parties) {
    const SourcePlace* other = place(party);
    if (!other || other->file != first->file || other->line != first->line || party.kernel != finding.parties[0].kernel)
      return std::nullopt;
  }
  return Statement(finding.parties[0].kernel, first->file, first->line, finding.memory->space, finding.memory->name,
                   finding.memory->base);
}

// The less, the earlier it is told.
size_t rank(const Finding& finding) {
  static constexpr std::string_view kOrder[] = {"C0203", "C0201", "C0202"};
  return size_t(std::find(std::begin(kOrder), std::end(kOrder), finding.code) - std::begin(kOrder));
}

}  // namespace

std::vector<std::vector<size_t>> by_statement(const std::vector<const Finding*>& findings) {
  std::vector<std::vector<size_t>> groups;
  std::map<Statement, size_t> known;
  for (size_t n = 0; n < findings.size(); ++n) {
    const auto statement = statement_of(*findings[n]);
    const auto at = statement ? known.find(*statement) : known.end();
    if (at != known.end()) {
      groups[at->second].push_back(n);
      continue;
    }
    if (statement) known.emplace(*statement, groups.size());
    groups.push_back({n});
  }
  for (std::vector<size_t>& group : groups)
    std::stable_sort(group.begin(), group.end(), [&](size_t a, size_t b) {
      return std::pair(findings[a]->severity, rank(*findings[a])) <
             std::pair(findings[b]->severity, rank(*findings[b]));
    });
  return groups;
}

std::string describe_others(const std::vector<size_t>& group, const std::vector<const Finding*>& findings) {
  std::vector<std::string> codes;
  for (size_t i = 1; i < group.size(); ++i) {
    const std::string& code = findings[group[i]]->code;
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
  }
  return codes.empty() ? "" : fmt::format("{} more at this line: {}", group.size() - 1, fmt::join(codes, ", "));
}

}  // namespace warpwise::check::report
