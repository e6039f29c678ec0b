// The forms of a report.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "check/report/annotations.h"
#include "check/report/excerpt.h"
#include "check/report/json.h"
#include "check/report/junit.h"
#include "check/report/rule_examples.h"
#include "check/report/same_statement.h"
#include "check/report/sarif.h"
#include "check/report/text.h"
#include "report_example.h"

namespace warpwise::check::report {
namespace {

using Json = nlohmann::json;

size_t lines_of(const std::string& text) { return size_t(std::count(text.begin(), text.end(), '\n')); }

TEST(TextReport, names_both_parties_and_the_next_step) {
  std::string text = to_text(race_example(), false);
  for (const char* part : {"sum.cu:12:5: error[C0201]: threads of a block race on `tile`",
                           "write of 4 bytes by thread (31,0,0) of block (2,0,0) of `sum(float*, int)`",
                           "sum.cu:14:5: note: read of 4 bytes by thread (32,0,0)", "byte 128 of `tile` (1024 bytes)",
                           "992 conflicting accesses", "= rule:", "= help: put __syncthreads()"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// Debug information of g++ and nvcc has no columns.
TEST(TextReport, underlines_the_line_where_no_column_is_known) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "excerpt.cu";
  std::ofstream(file) << "int main() {\n\tfree(ä);  \n}\n";
  SourceFiles sources;
  EXPECT_EQ(sources.excerpt({file, 2, 7, ""}, false), "    2 | \tfree(ä);  \n      | \t     ^\n");
  EXPECT_EQ(sources.excerpt({file, 2, 0, ""}, false), "    2 | \tfree(ä);  \n      | \t~~~~~~~~\n");
  EXPECT_EQ(sources.excerpt({file, 9, 0, ""}, false), "");
  std::filesystem::remove(file);
}

TEST(TextReport, of_a_million_findings_ends_with_a_screen) {
  Report report = example();
  report.findings.clear();
  std::vector<Rule> rules = all_rules();
  for (size_t i = 0; i < 4096; ++i) {
    Finding finding = race_example();
    finding.code = rules[i % rules.size()].code;
    finding.parties[0].code.frames[0].line = uint32_t(i);
    report.findings.push_back({finding, std::to_string(i)});
  }
  report.dropped = 1'000'000;
  TextOptions options;
  options.max_findings = 0;
  std::string summary = to_text(report, options);
  EXPECT_LE(lines_of(summary), 24u) << summary;
  options.max_findings = 10;
  EXPECT_LE(lines_of(to_text(report, options)), 24u + 10 * 14);
}

// What is told first is the cause; others follow from it.
TEST(TextReport, teaches_the_rule_of_the_first_finding) {
  Report report = example();
  Finding trap = make_finding("C0702", "a thread ends the kernel with a trap"), follows = placeless_example();
  trap.notes = {"first line\nsecond line"};
  report.findings = {{trap, "1"}, {follows, "2"}};
  const std::string text = to_text(report, {.max_findings = 10});
  EXPECT_NE(text.find("`warpwise explain C0702` teaches the rule"), text.npos) << text;
  EXPECT_NE(text.find("      = note: first line\n        second line\n"), text.npos) << text;
}

// `*s += a[i];` by all threads.
Finding race_of_one_line(const char* code) {
  Finding finding = race_example();
  const Finding rule = make_finding(code, "threads race on `tile`");
  finding.code = rule.code, finding.severity = rule.severity, finding.message = rule.message;
  finding.parties[1].code = finding.parties[0].code;
  return finding;
}

size_t times(const std::string& text, std::string_view words) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(words, at)) != text.npos; at += words.size()) ++count;
  return count;
}

TEST(TextReport, tells_one_finding_of_one_statement) {
  Report report = example();
  report.findings.clear();
  for (const char* code : {"C0201", "C0203", "C0209", "C0302"}) {
    report.findings.push_back({race_of_one_line(code), code});
    if (std::string_view(code) == "C0302") report.findings.back().finding.parties.resize(1);
  }
  std::string text = to_text(report, {.max_findings = 10});
  EXPECT_EQ(times(text, "sum.cu:12:5: "), 2u) << text;  // its two parties
  EXPECT_TRUE(text.starts_with("sum.cu:12:5: error[C0203]")) << text;
  EXPECT_NE(text.find("= also: 3 more at this line: C0201, C0302, C0209\n"), text.npos) << text;
  EXPECT_EQ(text.find("shown in full"), text.npos) << text;
  EXPECT_NE(text.find("`warpwise explain C0203` teaches the rule"), text.npos) << text;
  EXPECT_NE(text.find("3 errors, 1 warning"), text.npos) << text;
  EXPECT_EQ(Json::parse(to_json(report, FailOn::Error))["findings"].size(), 4u);

  // A suppressed one is not told, nor counted beside others.
  report.findings[1].suppressed = true;
  text = to_text(report, {.max_findings = 10});
  EXPECT_TRUE(text.starts_with("sum.cu:12:5: error[C0201]")) << text;
  EXPECT_NE(text.find("= also: 2 more at this line: C0302, C0209\n"), text.npos) << text;
}

// Another line, another array, another kind of mistake: each has a cause of its own.
TEST(TextReport, keeps_statements_apart) {
  std::vector<Finding> findings(5, race_of_one_line("C0201"));
  findings[1].parties[1].code.frames[0].line = 13;  // of two lines
  for (Party& party : findings[2].parties) party.code.frames[0].line = 13;
  findings[3].memory->name = "other";
  findings[4] = race_of_one_line("C0104");
  std::vector<const Finding*> all;
  for (const Finding& finding : findings) all.push_back(&finding);
  EXPECT_EQ(by_statement(all), (std::vector<std::vector<size_t>>{{0}, {1}, {2}, {3}, {4}}));
}

TEST(TextReport, says_clean_only_when_all_was_checked) {
  Report report = example();
  report.findings.clear();
  EXPECT_NE(to_text(report, {}).find("clean"), std::string::npos);
  report.not_checked = {"global memory: out of memory"};
  std::string text = to_text(report, {});
  EXPECT_EQ(text.find("clean"), std::string::npos) << text;
  EXPECT_NE(text.find("global memory: out of memory"), std::string::npos);
}

TEST(JsonReport, has_what_readers_want) {
  Json json = Json::parse(to_json(example(), FailOn::Error));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["verdict"], "findings");
  EXPECT_EQ(json["counts"]["error"], 2);
  const Json& race = json["findings"][0];
  EXPECT_EQ(race["code"], "C0201");
  EXPECT_EQ(race["checker"], "race");
  EXPECT_EQ(race["file"], "sum.cu");
  EXPECT_EQ(race["line"], 12);
  EXPECT_EQ(race["parties"][1]["thread"], Json::array({32, 0, 0}));
  EXPECT_EQ(race["fingerprint"].get<std::string>().size(), 16u);
}

TEST(JsonReport, comes_back_as_it_was) {
  Report report = example();
  report.findings[0].suppressed = true;
  report.findings[0].reason = "on purpose";
  report.findings[1].known = true;
  report.not_checked = {"shared memory"};
  report.dropped = 3;
  report.left_early = true;
  report.end = {0, 11};
  report.failure = "a compiler refused";
  report.failure_code = "T0003";
  report.compile_errors = {{{"a.cu", 1, 2, ""}, "no"}};
  report.output = "a.cu:1: no";
  const std::string text = to_json(report, FailOn::Error);
  auto back = report_from_json(text);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(to_json(*back, FailOn::Error), text);
  EXPECT_EQ(back->findings[0].reason, "on purpose");
  for (const char* damaged : {"", "{", "[]", "{\"version\": 1}", "{\"version\": 99, \"findings\": []}"})
    EXPECT_FALSE(report_from_json(damaged).ok()) << damaged;
  auto odd = report_from_json(R"({"version": 1, "findings": [3, {"code": 5}], "exit": [], "dropped": "x"})");
  ASSERT_TRUE(odd.ok());
  EXPECT_TRUE(odd->findings.empty());
}

TEST(Annotations, are_one_line_each) {
  Report report = example();
  report.findings[1].known = true;
  Report bad;
  bad.program = "a,b:c.cu";
  bad.failure = "100% wrong\nin two lines";
  const Report reports[] = {report, bad};
  const std::string text = to_annotations(reports);
  EXPECT_EQ(lines_of(text), 3u) << text;
  EXPECT_NE(text.find("::error file=sum.cu,line=12,col=5,title=C0201::threads of a block race on `tile`%0A"), text.npos)
      << text;
  EXPECT_NE(text.find("::error file=sum.cu,title=C0512::"), text.npos) << "without a place: the program\n" << text;
  EXPECT_NE(text.find("::error file=a%2Cb%3Ac.cu,title=not checked::100%25 wrong%0Ain two lines"), text.npos) << text;
}

TEST(Counts, say_accesses_and_never_threads) {
  Finding finding = race_example();
  EXPECT_EQ(describe_count(finding), "992 conflicting accesses; the first is shown");
  finding.threads = 1'234'567;
  EXPECT_EQ(describe_count(finding), "at least 1200000 conflicting accesses; the first is shown");
  finding.threads = 992;
  finding.code = "C0101";
  EXPECT_EQ(describe_count(finding), "992 accesses; the first is shown");
  finding.code = "C0404", finding.parties[0].role = "warp function";
  EXPECT_EQ(describe_count(finding), "992 times; the first is shown");
  finding.threads = 1;
  EXPECT_EQ(describe_count(finding), "");
}

// What the schema of SARIF 2.1.0 requires of the members we write, and code scanning beyond it (a place for each
// result, rules by index).
TEST(SarifReport, has_the_structure_of_the_schema) {
  Report report = example();
  report.findings[1].suppressed = true;
  report.findings[1].reason = "it ends anyway";
  report.not_checked = {"something"};
  Json log = Json::parse(to_sarif(only(report)));
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_TRUE(log["$schema"].is_string());
  ASSERT_EQ(log["runs"].size(), 1u);
  const Json& run = log["runs"][0];
  const Json& driver = run["tool"]["driver"];
  EXPECT_EQ(driver["name"], "warpwise check");
  std::set<std::string> ids;
  const std::set<std::string> levels = {"none", "note", "warning", "error"};
  for (const Json& rule : driver["rules"]) {
    EXPECT_TRUE(ids.insert(rule["id"]).second) << "ids are unique";
    for (const char* member : {"shortDescription", "fullDescription", "help"})
      EXPECT_FALSE(rule[member]["text"].get<std::string>().empty());
    EXPECT_TRUE(levels.contains(rule["defaultConfiguration"]["level"]));
  }
  EXPECT_EQ(ids.size(), all_rules().size());

  ASSERT_EQ(run["results"].size(), 3u);
  for (const Json& result : run["results"]) {
    EXPECT_EQ(driver["rules"][result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
    EXPECT_TRUE(levels.contains(result["level"]));
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
    EXPECT_GE(result["occurrenceCount"], 1);
    ASSERT_EQ(result["locations"].size(), 1u);
    const Json& physical = result["locations"][0]["physicalLocation"];
    std::string uri = physical["artifactLocation"]["uri"];
    EXPECT_EQ(uri.find_first_of(" &?#"), std::string::npos) << uri;
    EXPECT_GE(physical["region"]["startLine"], 1);
    EXPECT_TRUE(run["originalUriBaseIds"].contains(physical["artifactLocation"]["uriBaseId"]));
    EXPECT_EQ(result["partialFingerprints"].size(), 1u);
  }
  EXPECT_EQ(run["results"][0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 14);
  EXPECT_EQ(run["results"][1]["suppressions"][0]["kind"], "external");
  EXPECT_EQ(run["results"][1]["suppressions"][0]["justification"], "it ends anyway");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 1u);
}

TEST(SarifReport, has_a_result_for_each_error_of_a_compiler) {
  Report bad, without_place;
  bad.failure = without_place.failure = "compiling failed";
  bad.failure_code = "T0003", without_place.failure_code = "T0011";
  bad.program = without_place.program = "k.cu";
  bad.compile_errors = {{{"k.cu", 7, 5, ""}, "no such thing"}, {{"k.h", 9, 0, ""}, "nor that"}};
  const Report reports[] = {bad, without_place};
  const Json run = Json::parse(to_sarif(reports))["runs"][0];
  ASSERT_EQ(run["results"].size(), 3u);
  const auto region = [&](size_t i) { return run["results"][i]["locations"][0]["physicalLocation"]["region"]; };
  EXPECT_EQ(region(0)["startLine"], 7);
  EXPECT_EQ(region(0)["startColumn"], 5);
  EXPECT_EQ(region(1)["startLine"], 9);
  EXPECT_FALSE(region(1).contains("startColumn"));
  EXPECT_EQ(run["results"][1]["message"]["text"], "nor that");
  EXPECT_EQ(run["results"][2]["message"]["text"], "not checked: compiling failed");
  for (const Json& result : run["results"])
    EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
}

TEST(SarifReport, has_an_exit_code_where_there_was_one) {
  const auto invocation = [](const Report& report) {
    return Json::parse(to_sarif(only(report)))["runs"][0]["invocations"][0];
  };
  Report report = example();
  report.end = {3, 0};
  EXPECT_EQ(invocation(report)["exitCode"], 3);
  report.end = {0, 11};
  EXPECT_FALSE(invocation(report).contains("exitCode"));
  EXPECT_EQ(invocation(report)["exitSignalNumber"], 11);
  report.end = {0, 0};
  report.failure = "it does not compile";
  EXPECT_FALSE(invocation(report).contains("exitCode"));
}

TEST(RuleExamples, are_there_for_every_rule) {
  for (const Rule& rule : all_rules()) {
    const RuleExample* example = find_example(rule.code);
    ASSERT_NE(example, nullptr) << rule.code;
    EXPECT_FALSE(example->wrong.empty() || example->right.empty() || example->wrong == example->right) << rule.code;
  }
}

TEST(JunitReport, is_xml_with_a_case_per_checker) {
  Report report = example();
  report.program = "a<b>&\"c\"";
  std::string xml = to_junit(only(report), FailOn::Error);
  EXPECT_NE(xml.find("<testsuites tests=\"9\" failures=\"2\">"), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"race\""), std::string::npos);
  EXPECT_NE(xml.find("a&lt;b&gt;&amp;&quot;c&quot;"), std::string::npos);
  EXPECT_NE(xml.find("<failure message=\"C0201: "), std::string::npos);
  // Elements nest: as many closing tags as opening ones.
  for (const char* element : {"testcase", "failure", "system-out", "testsuite>", "testsuites"}) {
    std::string open = std::string("<") + element, close = std::string("</") + element;
    if (open.ends_with(">")) open = "<testsuite ";
    size_t opened = 0, closed = 0;
    for (size_t at = 0; (at = xml.find(open, at)) != xml.npos; ++at) ++opened;
    for (size_t at = 0; (at = xml.find(close, at)) != xml.npos; ++at) ++closed;
    EXPECT_EQ(opened, closed) << element;
  }
  EXPECT_NE(to_junit(only(report), FailOn::Never).find("failures=\"0\""), std::string::npos);
}

}  // namespace
}  // namespace warpwise::check::report
