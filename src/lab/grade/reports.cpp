// Grades as text, CSV (RFC 4180), JUnit's XML, JSON and a page of HTML.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "lab/grade/grade.h"

namespace warpwise::lab {
namespace {

using Json = nlohmann::json;

std::string verdict_text(const Graded& g) { return g.judged ? std::string(words_of(g.verdict)) : "not judged"; }

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// Spreadsheets treat a field that begins like a formula as one, so it gets a quote in front.
std::string csv_field(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  for (size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, 1, '"');
  return "\"" + text + "\"";
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML allows no other control characters.
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

}  // namespace

std::string grades_to_text(const std::vector<Graded>& grades, bool color) {
  std::string out;
  size_t accepted = 0, similar = 0, late = 0;
  size_t person = 6, problem = 7;
  for (const Graded& g : grades)
    person = std::max(person, g.person.size()), problem = std::max(problem, g.problem.size());
  for (const Graded& g : grades) {
    accepted += g.accepted(), similar += !g.similar_to.empty(), late += g.late;
    const std::string verdict = verdict_text(g);
    out += fmt::format("{:<{}}  {:<{}}  {}{}{}{}\n", g.person, person, g.problem, problem,
                       color ? fmt::format("\033[{}m{}\033[0m", g.accepted() ? 32 : 31, verdict) : verdict,
                       g.message.empty() ? "" : ": " + g.message, g.late ? " (late)" : "",
                       g.similar_to.empty() ? "" : fmt::format(" (like {})", joined(g.similar_to)));
  }
  out += fmt::format("{} of {} accepted", accepted, grades.size());
  if (late) out += fmt::format(", {} late", late);
  if (similar) out += fmt::format(", {} similar to another", similar);
  return out + "\n";
}

std::string grades_to_csv(const std::vector<Graded>& grades) {
  std::string out = "person,problem,file,verdict,accepted,late,seconds,similar_to,message\r\n";
  for (const Graded& g : grades)
    out += fmt::format("{},{},{},{},{},{},{:.3f},{},{}\r\n", csv_field(g.person), csv_field(g.problem),
                       csv_field(g.file), g.judged ? name_of(g.verdict) : "not-judged", int(g.accepted()), int(g.late),
                       g.seconds, csv_field(joined(g.similar_to)), csv_field(g.message));
  return out;
}

std::string grades_to_junit(const std::vector<Graded>& grades) {
  std::map<std::string, std::vector<const Graded*>> by_person;
  for (const Graded& g : grades) by_person[g.person].push_back(&g);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [person, list] : by_person) {
    size_t failures = 0, errors = 0;
    for (const Graded* g : list) failures += g->judged && !g->accepted(), errors += !g->judged;
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", escaped(person),
                       list.size(), failures, errors);
    for (const Graded* g : list) {
      out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" time=\"{:.3f}\"", escaped(person),
                         escaped(g->problem), escaped(g->file), g->seconds);
      if (g->accepted())
        out += "/>\n";
      else
        out += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n",
                           g->judged ? "failure" : "error", escaped(verdict_text(*g)), escaped(g->message));
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

std::string grades_to_json(const std::vector<Graded>& grades) {
  Json out = Json::array();
  for (const Graded& g : grades)
    out.push_back({{"person", g.person},
                   {"problem", g.problem},
                   {"file", g.file},
                   {"verdict", g.judged ? std::string(name_of(g.verdict)) : "not-judged"},
                   {"accepted", g.accepted()},
                   {"late", g.late},
                   {"seconds", g.seconds},
                   {"similar_to", g.similar_to},
                   {"message", g.message}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string grades_to_html(const std::vector<Graded>& grades, const std::string& title) {
  std::set<std::string> problems;
  std::map<std::string, std::map<std::string, const Graded*>> by_person;
  for (const Graded& g : grades) {
    problems.insert(g.problem);
    const Graded*& cell = by_person[g.person][g.problem];
    if (!cell || g.accepted()) cell = &g;  // of several files for one problem the best counts
  }
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n"
      ":root {{ color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }}\nbody {{ margin: 2rem; }}\ntable {{ "
      "border-collapse: collapse; }}\n"
      "th, td {{ padding: .3rem .7rem; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; }}\n"
      ".yes {{ color: #188038; font-weight: 600; }}\n.no {{ color: #c5221f; font-weight: 600; }}\nsmall {{ display: "
      "block; opacity: .75; max-width: 28rem; }}\n"
      "@media (prefers-color-scheme: dark) {{ .yes {{ color: #81c995; }} .no {{ color: #f28b82; }} "
      "}}\n</style></head><body>\n<h1>{0}</h1>\n<table>\n<tr><th>person</th>",
      escaped(title));
  for (const std::string& p : problems) out += fmt::format("<th>{}</th>", escaped(p));
  out += "<th>accepted</th></tr>\n";
  for (const auto& [person, cells] : by_person) {
    size_t accepted = 0;
    out += fmt::format("<tr><td>{}</td>", escaped(person));
    for (const std::string& p : problems) {
      auto at = cells.find(p);
      if (at == cells.end()) {
        out += "<td>–</td>";
        continue;
      }
      const Graded& g = *at->second;
      accepted += g.accepted();
      out += fmt::format("<td><span class=\"{}\">{}</span>{}{}{}</td>", g.accepted() ? "yes" : "no",
                         escaped(verdict_text(g)), g.late ? " late" : "",
                         g.message.empty() ? "" : "<small>" + escaped(g.message) + "</small>",
                         g.similar_to.empty() ? "" : "<small>much like " + escaped(joined(g.similar_to)) + "</small>");
    }
    out += fmt::format("<td>{} of {}</td></tr>\n", accepted, problems.size());
  }
  return out + "</table>\n</body></html>\n";
}

}  // namespace warpwise::lab
