// The page of a graded class: the table, then each full verdict with its source, then similar files side by side. One
// file without scripts, so that it can be kept, sent and opened anywhere.
#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "lab/grade/assignment.h"
#include "lab/grade/grade.h"
#include "lab/grade/report_words.h"

namespace warpwise::lab {
namespace {

// A source that is longer is cut: a page with hundreds of files must still open.
constexpr size_t kMostShown = 64 << 10;

constexpr const char* kStyle =
    ":root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }\n"
    "body { margin: 2rem; }\n"
    "table { border-collapse: collapse; }\n"
    "th, td { padding: .3rem .7rem; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; }\n"
    ".yes { color: #188038; font-weight: 600; }\n"
    ".no { color: #c5221f; font-weight: 600; }\n"
    "small { display: block; opacity: .75; max-width: 28rem; }\n"
    "pre { font: 13px/1.35 ui-monospace, monospace; overflow-x: auto; }\n"
    "h3 { margin: 2rem 0 .3rem; }\n"
    ".pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }\n"
    ".pair div { min-width: 0; }\n"
    "mark { background: #fbbc0455; color: inherit; }\n"
    "@media (prefers-color-scheme: dark) { .yes { color: #81c995; } .no { color: #f28b82; } }\n";

std::string_view shown_part(std::string_view source) { return source.substr(0, kMostShown); }

std::string_view cut_note(std::string_view source) {
  return source.size() > kMostShown ? "\n… the rest is not shown" : "";
}

// The lines of a source, those that are shared marked.
std::string marked(std::string_view source, const std::vector<bool>& lines) {
  std::string out;
  const std::string_view shown = shown_part(source);
  size_t line = 0;
  for (size_t at = 0; at < shown.size(); ++line) {
    const size_t end = std::min(shown.find('\n', at), shown.size());
    const std::string text = escape_markup(shown.substr(at, end - at));
    out += line < lines.size() && lines[line] ? fmt::format("<mark>{}</mark>\n", text) : text + "\n";
    at = end + 1;
  }
  return out + std::string(cut_note(source));
}

class Page {
 public:
  explicit Page(const Grades& grades) : grades_(grades) {}

  std::string run() {
    head();
    table();
    verdicts();
    pairs();
    return out_ + "</body></html>\n";
  }

 private:
  void head() {
    out_ += fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n{1}"
        "</style></head><body>\n<h1>{0}</h1>\n<p>Graded {2} by Warpwise {3}, for the device {4}.</p>\n",
        escape_markup(grades_.title), kStyle, text_of_date(grades_.at), escape_markup(grades_.version),
        escape_markup(grades_.device));
  }

  void table() {
    out_ += "<table>\n<tr><th>person</th>";
    for (const auto& [problem, points] : grades_.worth)
      out_ += fmt::format("<th>{} ({})</th>", escape_markup(problem), points_text(points));
    out_ += "<th>accepted</th><th>points</th></tr>\n";
    for (const PersonPoints& person : points_of_people(grades_)) {
      out_ += fmt::format("<tr><td>{}</td>", escape_markup(person.person));
      size_t accepted = 0;
      for (const auto& [problem, points] : grades_.worth) cell(person.person, problem, accepted);
      out_ += fmt::format("<td>{} of {}</td><td>{} of {}</td></tr>\n", accepted, grades_.worth.size(),
                          points_text(person.points), points_text(person.of));
    }
    out_ += "</table>\n";
    for (size_t i = 0; i < grades_.files.size(); ++i)
      if (!grades_.files[i].judged)
        out_ += fmt::format("<p><a href=\"#file-{}\">{}</a> was not judged: {}</p>\n", i,
                            escape_markup(grades_.files[i].file), escape_markup(grades_.files[i].message));
  }

  void cell(const std::string& person, const std::string& problem, size_t& accepted) {
    for (size_t i = 0; i < grades_.files.size(); ++i) {
      const Graded& g = grades_.files[i];
      if (!g.counts || g.person != person || g.problem != problem) continue;
      accepted += g.accepted();
      out_ += fmt::format("<td>{} <a class=\"{}\" href=\"#file-{}\">{}</a>{}{}{}</td>", points_text(g.points),
                          g.accepted() ? "yes" : "no", i, escape_markup(verdict_text(g)),
                          g.days_late ? " " + late_text(g) : "",
                          g.message.empty() ? "" : "<small>" + escape_markup(g.message) + "</small>",
                          g.similar_to.empty() ? "" : "<small>much like " + names(g.similar_to) + "</small>");
      return;
    }
    out_ += "<td>–</td>";
  }

  static std::string names(const std::vector<std::string>& files) {
    return escape_markup(fmt::format("{}", fmt::join(files, ", ")));
  }

  void verdicts() {
    out_ += "<h2>Every verdict</h2>\n";
    for (size_t i = 0; i < grades_.files.size(); ++i) {
      const Graded& g = grades_.files[i];
      out_ += fmt::format("<h3 id=\"file-{}\">{}</h3>\n", i, escape_markup(g.file));
      if (!g.judged) {
        out_ += fmt::format("<p>not judged: {}</p>\n", escape_markup(g.message));
        continue;
      }
      out_ += fmt::format(
          "<p>{} of {} points: {} of {} cases right, {} within the budgets{}. Again: <code>warpwise lab "
          "submit --seed={} --device={} {} FILE</code></p>\n",
          points_text(g.points), points_text(g.of), g.right_cases(), g.cases.size(),
          std::count_if(g.cases.begin(), g.cases.end(), [](const CaseMark& m) { return m.within_budget; }),
          g.days_late ? ", " + late_text(g) : "", g.seed, escape_markup(grades_.device), escape_markup(g.problem));
      std::string missed;
      for (const CaseMark& mark : g.cases)
        if (!mark.within_budget)
          missed +=
              fmt::format("{}{} ({})", missed.empty() ? "" : ", ", mark.name, mark.right ? "over budget" : "not right");
      if (!missed.empty()) out_ += fmt::format("<p>Cases that were missed: {}</p>\n", escape_markup(missed));
      out_ += fmt::format("<pre>{}</pre>\n<details><summary>source</summary><pre>{}{}</pre></details>\n",
                          escape_markup(g.report), escape_markup(shown_part(g.source)), cut_note(g.source));
    }
  }

  void pairs() {
    if (grades_.alike.empty()) return;
    out_ +=
        "<h2>Similar files</h2>\n<p>Marked lines are in both files, and neither in the starter nor in our solutions. "
        "Short kernels that solve one problem can look alike by themselves.</p>\n";
    for (const AlikePair& pair : grades_.alike) {
      const Graded &a = grades_.files[pair.first], &b = grades_.files[pair.second];
      out_ += fmt::format(
          "<h3>{} and {}: {:.0f} %</h3>\n<div class=\"pair\"><div><a href=\"#file-{}\">{}</a><pre>{}</pre>"
          "</div><div><a href=\"#file-{}\">{}</a><pre>{}</pre></div></div>\n",
          escape_markup(a.person), escape_markup(b.person), pair.share * 100, pair.first, escape_markup(a.file),
          marked(a.source, pair.first_lines), pair.second, escape_markup(b.file), marked(b.source, pair.second_lines));
    }
  }

  const Grades& grades_;
  std::string out_;
};

}  // namespace

std::string grades_to_html(const Grades& grades) { return Page(grades).run(); }

}  // namespace warpwise::lab
