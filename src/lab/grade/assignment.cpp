#include "lab/grade/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "lab/problem/toml_table.h"

namespace warpwise::lab {
namespace {

constexpr int64_t kDay = 24 * 60 * 60;

double percent(TomlTable& table, std::string_view key) {
  const double value = table.real(key, 0);
  if (!(value >= 0 && value <= 100)) table.mistake(fmt::format("`{}` is a number of percent, from 0 to 100", key));
  return value;
}

std::optional<uint64_t> seed(TomlTable& table) {
  const auto value = table.maybe_number("seed");
  if (!value) return std::nullopt;
  if (*value < 0) table.mistake("`seed` may not be negative");
  return uint64_t(*value);
}

std::optional<int64_t> deadline(TomlTable& table) {
  const auto text = table.maybe_text("deadline");
  if (!text) return std::nullopt;
  const auto seconds = seconds_of_date(*text);
  if (!seconds) table.mistake(fmt::format("`{}` is not a date: 2026-12-31 or 2026-12-31T18:00", *text));
  return seconds;
}

}  // namespace

const AssignedProblem* Assignment::find(std::string_view slug) const {
  auto at = std::find_if(problems.begin(), problems.end(), [&](const AssignedProblem& p) { return p.slug == slug; });
  return at == problems.end() ? nullptr : &*at;
}

double Assignment::points_of(std::string_view slug) const {
  const AssignedProblem* problem = find(slug);
  return problem ? problem->points : kDefaultPoints;
}

uint64_t Assignment::seed_of(std::string_view slug) const {
  const AssignedProblem* problem = find(slug);
  return problem && problem->seed ? *problem->seed : seed;
}

std::optional<int64_t> Assignment::deadline_of(std::string_view slug) const {
  const AssignedProblem* problem = find(slug);
  return problem && problem->deadline ? problem->deadline : deadline;
}

std::optional<int64_t> seconds_of_date(const std::string& text) {
  tm t{};
  int end = 0;
  const auto whole = [&](int fields, int of) { return fields == of && end > 0 && size_t(end) == text.size(); };
  const char* words = text.c_str();
  if (whole(std::sscanf(words, "%4d-%2d-%2d%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &end), 3)) {
    t.tm_hour = 23, t.tm_min = 59, t.tm_sec = 59;
  } else {
    end = 0;
    const int fields = std::sscanf(words, "%4d-%2d-%2dT%2d:%2d%n:%2d%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour,
                                   &t.tm_min, &end, &t.tm_sec, &end);
    if (!whole(fields, 5) && !whole(fields, 6)) return std::nullopt;
  }
  t.tm_year -= 1900, t.tm_mon -= 1;
  const tm asked = t;
  const int64_t seconds = timegm(&t);
  // timegm makes 31 February a day of March.
  const bool exists = t.tm_year == asked.tm_year && t.tm_mon == asked.tm_mon && t.tm_mday == asked.tm_mday &&
                      t.tm_hour == asked.tm_hour && t.tm_min == asked.tm_min && t.tm_sec == asked.tm_sec;
  return exists ? std::optional(seconds) : std::nullopt;
}

std::string text_of_date(int64_t seconds) {
  const time_t time = seconds;
  tm utc{};
  gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min);
}

Result<Assignment> parse_assignment(std::string_view text, const std::string& file, const Catalogue& catalogue) {
  TomlFile parsed = TRY(parse_toml(text, file, "L0001"));
  TomlTable top = parsed.top("the assignment");
  Assignment assignment;
  assignment.title = top.maybe_text("title").value_or("");
  assignment.deadline = deadline(top);
  assignment.penalty_per_day = percent(top, "penalty_per_day");
  assignment.budget_share = percent(top, "budget_share");
  assignment.seed = seed(top).value_or(assignment.seed);
  for (TomlTable& t : top.tables("problem")) {
    AssignedProblem problem;
    const std::string name = t.text("name");
    t.rename(fmt::format("[[problem]] `{}`", name));
    problem.points = t.real("points", kDefaultPoints);
    if (!(problem.points > 0 && std::isfinite(problem.points))) t.mistake("`points` must be greater than 0");
    problem.seed = seed(t);
    problem.deadline = deadline(t);
    t.finish();
    if (!t.good()) break;
    problem.slug = TRY(catalogue.find(name)).slug;
    if (assignment.find(problem.slug)) t.mistake("the problem is there twice");
    assignment.problems.push_back(std::move(problem));
  }
  top.finish();
  TRY(parsed.result());
  return assignment;
}

int days_late(int64_t handed_in, std::optional<int64_t> deadline) {
  if (!deadline || handed_in <= *deadline) return 0;
  return int((handed_in - *deadline + kDay - 1) / kDay);
}

double points_for(const Assignment& assignment, double points, const std::vector<CaseMark>& cases, bool has_budgets,
                  int days_late) {
  if (cases.empty()) return 0;
  double right = 0, within = 0;
  for (const CaseMark& mark : cases) right += mark.right, within += mark.within_budget;
  const double budget = has_budgets ? assignment.budget_share / 100 : 0;
  const double earned = points * ((1 - budget) * right + budget * within) / double(cases.size());
  return earned * std::max(0.0, 1 - assignment.penalty_per_day / 100 * days_late);
}

}  // namespace warpwise::lab
