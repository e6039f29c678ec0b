#include "check/report/junit.h"

#include <fmt/format.h>

#include "base/markup.h"
#include "check/report/text.h"

namespace warpwise::check::report {
namespace {

struct Case {
  std::string name;
  std::string failure, details;  // failure "": it passed
  std::string output;            // what does not fail it
  const char* type = "finding";  // of the failure
};

bool fails(const Finding& finding, FailOn fail_on) {
  if (fail_on == FailOn::Never) return false;
  return finding.severity == Severity::Error || (fail_on == FailOn::Warning && finding.severity == Severity::Warning);
}

Case case_of(Checker checker, const Report& report, FailOn fail_on) {
  Case out{.name = std::string(warpwise::name_of(checker)), .failure = "", .details = "", .output = ""};
  size_t failures = 0;
  for (const ReportedFinding& found : report.findings) {
    const Rule* rule = find_rule(found.finding.code);
    if (!rule || rule->checker != checker || !found.counts()) continue;
    std::string text = to_text(found.finding, /*color=*/false);
    if (!fails(found.finding, fail_on)) {
      out.output += text;
      continue;
    }
    if (++failures == 1) out.failure = fmt::format("{}: {}", found.finding.code, found.finding.message);
    out.details += text;
  }
  if (failures > 1) out.failure += fmt::format(" (and {} more)", failures - 1);
  return out;
}

std::vector<Case> cases_of(const Report& report, FailOn fail_on) {
  if (!report.failure.empty()) return {{"build", report.failure, report.output, "", "not-checked"}};
  std::vector<Case> cases;
  for (unsigned i = 0; i < kCheckers; ++i)
    if (report.checkers.has(Checker(i))) cases.push_back(case_of(Checker(i), report, fail_on));
  Case program{"program", "", report.output, "", "exit"};
  if (!report.end.ok()) program.failure = fmt::format("the program ended with {}", describe(report.end));
  cases.push_back(std::move(program));
  Case complete{"complete", "", "", "", "incomplete"};
  for (const std::string& what : report.not_checked) {
    complete.failure = "not everything was checked";
    complete.details += what + "\n";
  }
  cases.push_back(std::move(complete));
  return cases;
}

}  // namespace

std::string to_junit(Reports reports, FailOn fail_on) {
  size_t all = 0, all_failures = 0;
  std::string suites;
  for (const Report& report : reports) {
    const std::vector<Case> cases = cases_of(report, fail_on);
    size_t failures = 0;
    std::string body;
    for (const Case& c : cases) {
      body += fmt::format("    <testcase classname=\"warpwise.check.{}\" name=\"{}\">\n", escape_markup(report.program),
                          c.name);
      if (!c.failure.empty()) {
        ++failures;
        body += fmt::format("      <failure message=\"{}\" type=\"{}\">{}</failure>\n", escape_markup(c.failure),
                            c.type, escape_markup(c.details));
      }
      if (!c.output.empty()) body += fmt::format("      <system-out>{}</system-out>\n", escape_markup(c.output));
      body += "    </testcase>\n";
    }
    suites += fmt::format(
        "  <testsuite name=\"warpwise check {}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}  </testsuite>\n",
        escape_markup(report.program), cases.size(), failures, body);
    all += cases.size(), all_failures += failures;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{}\" failures=\"{}\">\n{}</testsuites>\n", all,
      all_failures, suites);
}

}  // namespace warpwise::check::report
