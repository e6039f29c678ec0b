// Grades as text, CSV (RFC 4180), JUnit's XML and JSON; html.cpp has the page of HTML.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/markup.h"
#include "lab/grade/grade.h"
#include "lab/grade/report_words.h"

namespace warpwise::lab {
namespace {

using Json = nlohmann::json;

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// Spreadsheets treat a field that begins like a formula as one, so it gets a quote in front.
std::string csv_field(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  for (size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, 1, '"');
  return "\"" + text + "\"";
}

}  // namespace

std::string grades_to_text(const Grades& grades, bool color) {
  std::string out;
  size_t accepted = 0, similar = 0, late = 0;
  size_t person = 6, problem = 7;
  for (const Graded& g : grades.files)
    person = std::max(person, g.person.size()), problem = std::max(problem, g.problem.size());
  for (const Graded& g : grades.files) {
    accepted += g.accepted(), similar += !g.similar_to.empty(), late += g.days_late > 0;
    const std::string verdict = verdict_text(g);
    out += fmt::format("{:<{}}  {:<{}}  {:>11}  {}{}{}{}\n", g.person, person, g.problem, problem,
                       g.of > 0 ? fmt::format("{} of {}", points_text(g.points), points_text(g.of)) : "",
                       color ? fmt::format("\033[{}m{}\033[0m", g.accepted() ? 32 : 31, verdict) : verdict,
                       g.message.empty() ? "" : ": " + g.message, g.days_late ? fmt::format(" ({})", late_text(g)) : "",
                       g.similar_to.empty() ? "" : fmt::format(" (like {})", joined(g.similar_to)));
  }
  out += "\n";
  for (const PersonPoints& p : points_of_people(grades))
    out += fmt::format("{:<{}}  {} of {} points\n", p.person, person, points_text(p.points), points_text(p.of));
  out += fmt::format("\n{} of {} accepted", accepted, grades.files.size());
  if (late) out += fmt::format(", {} late", late);
  if (similar) out += fmt::format(", {} similar to another", similar);
  return out + "\n";
}

std::string grades_to_csv(const Grades& grades) {
  std::string out =
      "person,problem,file,verdict,accepted,late,seconds,similar_to,message,right_cases,cases,days_late,points,of,"
      "counts,"
      "seed\r\n";
  for (const Graded& g : grades.files)
    out += fmt::format("{},{},{},{},{},{},{:.3f},{},{},{},{},{},{:.2f},{:.2f},{},{}\r\n", csv_field(g.person),
                       csv_field(g.problem), csv_field(g.file), g.judged ? name_of(g.verdict) : "not-judged",
                       int(g.accepted()), int(g.days_late > 0), g.seconds, csv_field(joined(g.similar_to)),
                       csv_field(g.message), g.right_cases(), g.cases.size(), g.days_late, g.points, g.of,
                       int(g.counts), g.seed);
  return out;
}

std::string grades_to_junit(const Grades& grades) {
  std::map<std::string, std::vector<const Graded*>> by_person;
  for (const Graded& g : grades.files) by_person[g.person].push_back(&g);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [person, list] : by_person) {
    size_t failures = 0, errors = 0;
    for (const Graded* g : list) failures += g->judged && !g->accepted(), errors += !g->judged;
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", escape_markup(person),
                       list.size(), failures, errors);
    for (const Graded* g : list) {
      out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" time=\"{:.3f}\"",
                         escape_markup(person), escape_markup(g->problem), escape_markup(g->file), g->seconds);
      if (g->accepted())
        out += "/>\n";
      else
        out += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n",
                           g->judged ? "failure" : "error", escape_markup(verdict_text(*g)), escape_markup(g->message));
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

std::string grades_to_json(const Grades& grades) {
  Json out = Json::array();
  for (const Graded& g : grades.files) {
    Json cases = Json::array();
    for (const CaseMark& mark : g.cases)
      cases.push_back({{"name", mark.name}, {"right", mark.right}, {"within_budget", mark.within_budget}});
    out.push_back({{"person", g.person},
                   {"problem", g.problem},
                   {"file", g.file},
                   {"verdict", g.judged ? std::string(name_of(g.verdict)) : "not-judged"},
                   {"accepted", g.accepted()},
                   {"late", g.days_late > 0},
                   {"days_late", g.days_late},
                   {"points", g.points},
                   {"of", g.of},
                   {"counts", g.counts},
                   {"seed", g.seed},
                   {"cases", std::move(cases)},
                   {"seconds", g.seconds},
                   {"similar_to", g.similar_to},
                   {"message", g.message},
                   {"report", g.report}});
  }
  return dump_json(out, 2) + "\n";
}

}  // namespace warpwise::lab
