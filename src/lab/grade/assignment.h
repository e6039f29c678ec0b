// What an assignment asks for, and what a file by a student is worth.
//
//     title = "Homework 3"              # all keys may be left out
//     deadline = "2026-12-31T18:00"     # UTC; a date alone ends with its day
//     penalty_per_day = 10              # percent of a file's points, for each day begun after the deadline
//     budget_share = 25                 # percent of a problem's points that are for its budgets (default 0)
//     seed = 8131                       # of the inputs; students need not know it
//
//     [[problem]]
//     name = "map"
//     points = 10                       # default 100
//     seed = 77                         # instead of the assignment's
//     deadline = "2027-01-07"           # instead of the assignment's
//
// With problems, only their files are graded; without, every file that has the name of a problem is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/problem/catalogue.h"

namespace warpwise::lab {

constexpr double kDefaultPoints = 100;

struct AssignedProblem {
  std::string slug;
  double points = kDefaultPoints;
  std::optional<uint64_t> seed;
  std::optional<int64_t> deadline;  // seconds since 1970
};

struct Assignment {
  std::string title;
  std::optional<int64_t> deadline;  // seconds since 1970
  double penalty_per_day = 0;       // percent, 0 to 100
  double budget_share = 0;          // percent, 0 to 100
  uint64_t seed = 1;
  std::vector<AssignedProblem> problems;  // empty: all

  const AssignedProblem* find(std::string_view slug) const;
  bool asks_for(std::string_view slug) const { return problems.empty() || find(slug); }
  double points_of(std::string_view slug) const;
  uint64_t seed_of(std::string_view slug) const;
  std::optional<int64_t> deadline_of(std::string_view slug) const;
};

// A date ("2026-12-31": its last second) or a date and a time ("2026-12-31T18:00", with seconds if there are any), in
// UTC, as seconds since 1970. Nothing for other text, and for days and hours that do not exist.
std::optional<int64_t> seconds_of_date(const std::string& text);
// The other way: "2026-12-31 18:00 UTC".
std::string text_of_date(int64_t seconds);

// L0001 with file and line for a mistake in the text, L0005 for a problem that does not exist.
Result<Assignment> parse_assignment(std::string_view text, const std::string& file, const Catalogue& catalogue);

// How one case of a problem went.
struct CaseMark {
  std::string name;
  bool right = false;          // the results are right, whatever the budgets say
  bool within_budget = false;  // right, and within the budgets
};

// Days begun after the deadline: 0 up to it, 1 within the first 24 hours.
int days_late(int64_t handed_in, std::optional<int64_t> deadline);

// `has_budgets`: whether the problem has any; otherwise all points are for right results.
double points_for(const Assignment& assignment, double points, const std::vector<CaseMark>& cases, bool has_budgets,
                  int days_late);

}  // namespace warpwise::lab
