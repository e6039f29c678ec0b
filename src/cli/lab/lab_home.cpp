// warpwise lab: where you are and what is next. warpwise lab list, next and stats.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "base/json.h"
#include "cli/lab/lab.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "lab/lesson/lesson.h"
#include "lab/progress/path.h"

namespace warpwise::cli {
namespace {

using lab::Problem;
using lab::Standing;
using lab::Standings;
using Json = nlohmann::json;

constexpr int kProgressCells = 10;

std::string bar(size_t done, size_t of) {
  // At least one cell for a count that is not zero.
  const int full = of && done ? std::max(1, int(done * kProgressCells / of)) : 0;
  std::string text;
  for (int i = 0; i < kProgressCells; ++i) text += i < full ? "█" : "░";
  return text;
}

constexpr size_t kTitleColumn = 23, kNextColumn = 6;

// ": " and a sentence that follows `start`; further lines of it begin at `column`.
std::string beside(std::string_view start, std::string_view sentence, size_t column) {
  // Counted as words of the column that are there already.
  const std::string taken(columns_of(start) - column, 'x');
  return in_columns(fmt::format("{}: {}", taken, sentence), column, terminal_width(stdout)).substr(taken.size());
}

std::string status_of(const Standing& s, bool color) {
  if (s.accepted) return styled(color, "32", "solved");
  if (s.attempts) return styled(color, "33", fmt::format("{} attempt{}", s.attempts, s.attempts == 1 ? "" : "s"));
  return "";
}

// The quiz of a chapter whose problems are all solved and whose questions are not answered yet: of `finished`, if that
// is one, and otherwise of the first. It comes before the next problem.
std::string open_quiz(const lab::Catalogue& catalogue, const std::vector<Problem>& problems, const Standings& standings,
                      const std::map<std::string, unsigned>& answered, std::string_view finished = "") {
  std::error_code error;
  std::vector<lab::Chapter> chapters = catalogue.chapters();
  std::stable_partition(chapters.begin(), chapters.end(), [&](const lab::Chapter& c) { return c.id == finished; });
  for (const lab::Chapter& c : chapters) {
    if (answered.contains(c.id) || !std::filesystem::exists(catalogue.quiz_file(c.id), error)) continue;
    const bool solved = std::all_of(problems.begin(), problems.end(), [&](const Problem& p) {
      return p.chapter != c.id || lab::standing_of(standings, p.slug).accepted;
    });
    const bool any = std::any_of(problems.begin(), problems.end(), [&](const Problem& p) { return p.chapter == c.id; });
    if (any && solved)
      return fitted(
          fmt::format("\nThe chapter `{}` is done. A few questions about it: warpwise lab quiz {}\n", c.title, c.id),
          terminal_width(stdout));
  }
  return "";
}

// A chapter's lesson comes before its first problem.
std::string lesson_before(const lab::Catalogue& catalogue, const std::vector<Problem>& problems,
                          const Standings& standings, const Problem& next) {
  std::error_code error;
  if (!std::filesystem::exists(lab::lesson_file(catalogue.root(), next.chapter), error)) return "";
  const bool begun = std::any_of(problems.begin(), problems.end(), [&](const Problem& p) {
    return p.chapter == next.chapter && lab::standing_of(standings, p.slug).attempts != 0;
  });
  return begun ? "" : fmt::format("  warpwise lab lesson {}     explains it step by step\n", next.chapter);
}

void print_next(const lab::Catalogue& catalogue, const std::vector<Problem>& problems, const Standings& standings,
                bool color) {
  const Problem* next = lab::next_problem(problems, standings);
  if (!next) {
    print_fitted(
        "All problems are solved. `warpwise lab list` lists them; each has a ladder of solutions: `warpwise lab "
        "solution PROBLEM`.");
    return;
  }
  const Standing s = lab::standing_of(standings, next->slug);
  const std::string start = fmt::format("Next: {}", next->slug);
  fmt::print("{}{}\n", styled(color, "1", start), beside(start, next->idea, kNextColumn));
  const std::string file = next->slug.substr(next->slug.rfind('/') + 1) + ".cu";
  if (s.attempts)
    print_fitted(fmt::format("      {}, {} ({} attempt{}). `warpwise lab hint {}` helps.", s.last_verdict,
                             how_long_ago(s.last_at), s.attempts, s.attempts == 1 ? "" : "s", next->slug));
  fmt::print("{}", lesson_before(catalogue, problems, standings, *next));
  fmt::print("  warpwise lab show {0}\n  warpwise lab start {0}     writes {1} here\n  warpwise lab submit {1}\n",
             next->slug, file);
}

}  // namespace

Result<int> lab_home(const lab::Catalogue& catalogue) {
  const bool color = use_color(stdout);
  const std::vector<Problem> problems = catalogue.all();
  const lab::Progress progress = TRY(open_progress());
  const Standings standings = TRY(progress.standings());
  const size_t solved = size_t(std::count_if(problems.begin(), problems.end(), [&](const Problem& p) {
    return lab::standing_of(standings, p.slug).accepted;
  }));
  fmt::print("{} {} of {} problems solved\n\n", styled(color, "1", "Warpwise lab:"), solved, problems.size());
  size_t left = problems.size();
  auto chapter_line = [&](const std::string& title, const std::string& about, auto belongs) {
    size_t done = 0, of = 0;
    for (const Problem& p : problems)
      if (belongs(p)) ++of, done += lab::standing_of(standings, p.slug).accepted;
    left -= of;
    if (!of) return;
    const std::string start = fmt::format("  {} {:>2} of {:<2}  {}", bar(done, of), done, of, title);
    fmt::print("{}{}\n", start, about.empty() ? "" : styled(color, "2", beside(start, about, kTitleColumn)));
  };
  for (const lab::Chapter& c : catalogue.chapters())
    chapter_line(c.title, c.about, [&](const Problem& p) { return p.chapter == c.id; });
  if (left)
    chapter_line("Other problems", "", [&](const Problem& p) {
      return std::none_of(catalogue.chapters().begin(), catalogue.chapters().end(),
                          [&](const lab::Chapter& c) { return c.id == p.chapter; });
    });
  fmt::print("{}", open_quiz(catalogue, problems, standings, TRY(progress.right_answers())));
  fmt::print("\n");
  print_next(catalogue, problems, standings, color);
  return kLabAccepted;
}

void print_next_problem(const lab::Catalogue& catalogue, const std::vector<lab::Problem>& problems,
                        const lab::Progress& progress, const std::string& after) {
  auto standings = progress.standings();
  if (!standings) return;
  (*standings)[after].accepted = true;
  const auto solved = std::find_if(problems.begin(), problems.end(), [&](const Problem& p) { return p.slug == after; });
  const std::string_view chapter = solved == problems.end() ? std::string_view() : solved->chapter;
  if (auto answered = progress.right_answers())
    fmt::print("{}", open_quiz(catalogue, problems, *standings, *answered, chapter));
  if (const Problem* next = lab::next_problem(problems, *standings))
    fmt::print("\nNext: {0}{1}\n  warpwise lab start {0}\n", next->slug,
               beside("Next: " + next->slug, next->idea, kNextColumn));
}

namespace {

class List : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab list [options]");
    app.add_option("--level", level_, "only puzzles, or easy, medium or hard challenges")
        ->check(CLI::IsMember({"puzzle", "easy", "medium", "hard"}))
        ->type_name("LEVEL");
    app.add_option("--chapter", chapter_, "only this chapter (its id in curriculum.toml)")->type_name("ID");
    app.add_flag("--open", open_, "only what is not solved");
    app.add_flag("--json", json_, "print the list as JSON");
    problems_.declare(app);
    app.footer(
        "\nCommands take names, and the numbers of the column #: 21, puzzles/1.\n"
        "\nExamples:\n  warpwise lab list\n  warpwise lab list --level=easy --open");
  }
  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    std::vector<lab::BrokenProblem> broken;
    const std::vector<Problem> problems = catalogue.all(&broken);
    const Standings standings = TRY(TRY(open_progress()).standings());
    const bool color = use_color(stdout);
    Table table({"problem", "#", "level", "", "idea"});
    Json json = Json::array();
    for (const Problem& p : problems) {
      const Standing s = lab::standing_of(standings, p.slug);
      if ((!level_.empty() && level_ != name_of(p.level)) || (!chapter_.empty() && chapter_ != p.chapter) ||
          (open_ && s.accepted))
        continue;
      if (json_)
        json.push_back({{"problem", p.slug},
                        {"title", p.title},
                        {"number", p.number},
                        {"level", name_of(p.level)},
                        {"kind", name_of(p.kind)},
                        {"chapter", p.chapter},
                        {"idea", p.idea},
                        {"needs", p.needs},
                        {"signature", p.signature()},
                        {"attempts", s.attempts},
                        {"solved", s.accepted},
                        {"hints", s.hints}});
      else
        table.add({p.slug, std::to_string(p.number), std::string(name_of(p.level)), status_of(s, color), p.idea});
    }
    if (json_)
      fmt::print("{}\n", dump_json(json, 2));
    else
      table.print();
    for (const lab::BrokenProblem& b : broken) report(b.error);
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::string level_, chapter_;
  bool open_ = false, json_ = false;
  ProblemsOption problems_;
};

class Next : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab next");
    problems_.declare(app);
    app.footer(
        "\nThe first problem that is not solved, after those that it builds on.\n\nExamples:\n  warpwise lab next");
  }
  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    const std::vector<Problem> problems = catalogue.all();
    const lab::Progress progress = TRY(open_progress());
    const Standings standings = TRY(progress.standings());
    fmt::print("{}", open_quiz(catalogue, problems, standings, TRY(progress.right_answers())));
    print_next(catalogue, problems, standings, use_color(stdout));
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  ProblemsOption problems_;
};

class Stats : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab stats [--json]");
    app.add_flag("--json", json_, "print the figures as JSON");
    app.footer("\nExamples:\n  warpwise lab stats\n  warpwise lab stats --json");
  }
  Result<int> run() override {
    const lab::Progress progress = TRY(lab::Progress::open());
    const std::vector<lab::Attempt> attempts = TRY(progress.attempts("", 0));
    const Standings standings = TRY(progress.standings());
    std::map<std::string, size_t> verdicts;
    std::set<std::string> days;
    size_t judged = 0, samples = 0;
    for (const lab::Attempt& a : attempts) {
      days.insert(a.at.substr(0, 10));
      if (a.samples_only)
        ++samples;
      else
        ++judged, ++verdicts[a.verdict];
    }
    size_t solved = 0, first_try = 0, tries = 0;
    for (const auto& [slug, s] : standings)
      if (s.accepted) ++solved, tries += s.attempts, first_try += s.attempts == 1;
    if (json_) {
      Json out = {{"attempts", judged},
                  {"tests", samples},
                  {"days", days.size()},
                  {"solved", solved},
                  {"solved_at_first_try", first_try},
                  {"verdicts", verdicts}};
      fmt::print("{}\n", dump_json(out, 2));
      return kLabAccepted;
    }
    auto counted = [](size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
    print_fitted(fmt::format("{} solved, {} at the first attempt; {} and {} of the samples on {}",
                             counted(solved, "problem"), first_try ? std::to_string(first_try) : "none",
                             counted(judged, "submission"), counted(samples, "test"), counted(days.size(), "day")));
    std::vector<std::pair<std::string, size_t>> sorted(verdicts.begin(), verdicts.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [verdict, count] : sorted) fmt::print("  {} {:>4}  {}\n", bar(count, judged), count, verdict);
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lab_list() { return std::make_unique<List>(); }
std::unique_ptr<Command> make_lab_next() { return std::make_unique<Next>(); }
std::unique_ptr<Command> make_lab_stats() { return std::make_unique<Stats>(); }

}  // namespace warpwise::cli
