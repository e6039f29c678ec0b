#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace warpwise::conformance {

std::string as_line(const Row& row) {
  return fmt::format("{:8} {:32} {:7.1f} s {:7.1f} s of processor  {}", word_of(row.outcome.verdict), row.name,
                     row.run_seconds, row.processor_seconds, row.outcome.reason);
}

std::string as_summary(const std::vector<Row>& rows) {
  std::map<Verdict, size_t> counts;
  for (const Row& row : rows) ++counts[row.outcome.verdict];
  std::string text = fmt::format("{} of {} pass", counts[Verdict::Pass], rows.size() - counts[Verdict::Skipped]);
  const char* separator = "; ";
  for (auto [verdict, count] : counts)
    if (verdict != Verdict::Pass && count) {
      text += fmt::format("{}{} {}", separator, count, word_of(verdict));
      separator = ", ";
    }
  return text;
}

std::string as_markdown(const std::vector<Row>& rows) {
  std::vector<Row> sorted = rows;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Row& a, const Row& b) { return a.outcome.verdict > b.outcome.verdict; });
  std::string text = as_summary(rows) +
                     "\n\n| program | verdict | build s | run s | processor s | reason |\n|---|---|---|---|---|---|\n";
  for (const Row& row : sorted) {
    std::string reason = row.outcome.reason;
    for (size_t at = 0; (at = reason.find('|', at)) != reason.npos; at += 2) reason.insert(at, 1, '\\');
    text += fmt::format("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {} |\n", row.name, word_of(row.outcome.verdict),
                        row.build_seconds, row.run_seconds, row.processor_seconds, reason);
  }
  return text;
}

std::string as_json(const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows)
    list.push_back({{"name", row.name},
                    {"verdict", word_of(row.outcome.verdict)},
                    {"reason", row.outcome.reason},
                    {"build_seconds", row.build_seconds},
                    {"run_seconds", row.run_seconds},
                    {"processor_seconds", row.processor_seconds},
                    {"log", row.log.string()}});
  // Programs say what they like, in any encoding.
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace warpwise::conformance
