// What there is to read about a problem: warpwise lab show, start, hint, solution.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/lab/fit_width.h"
#include "cli/lab/lab.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "lab/problem/hints.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using lab::Problem;

std::string file_name_of(const Problem& problem) { return problem.slug.substr(problem.slug.rfind('/') + 1) + ".cu"; }

// A command about one problem.
class AboutProblem : public Command {
 public:
  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    return about(TRY(catalogue.find(name_)));
  }
  int failure_code() const override { return kLabFailed; }

 protected:
  void declare_problem(CLI::App& app) {
    app.add_option("problem", name_, "a problem (`warpwise lab list`)")->required()->type_name("PROBLEM");
    problems_.declare(app);
  }
  virtual Result<int> about(const Problem& problem) = 0;

 private:
  std::string name_;
  ProblemsOption problems_;
};

class Show : public AboutProblem {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab show PROBLEM");
    declare_problem(app);
    app.footer("\nExamples:\n  warpwise lab show map\n  warpwise lab show challenges/matmul | less");
  }

 private:
  Result<int> about(const Problem& p) override {
    const bool color = use_color(stdout);
    const std::string statement = TRY(toolchain::read_file(p.folder / "statement.md"));
    fmt::print("{}  {}\n\n{}\n", styled(color, "1", p.title),
               styled(color, "2", fmt::format("{} · {} {}", p.slug, name_of(p.level), p.number)),
               terminal_text(fit_width(statement, terminal_columns()), color));
    const size_t width = terminal_width(stdout);
    fmt::print("{}\n{}\n", styled(color, "1", "Signature"), fitted(fmt::format("    {};", p.signature()), width));
    fmt::print("{}\n", styled(color, "1", "Samples"));
    for (const lab::CaseSpec& c : p.cases) {
      if (!c.sample) continue;
      std::string sizes;
      for (const auto& [name, range] : c.sizes)
        sizes += fmt::format(
            "{}{} = {}", sizes.empty() ? "" : ", ", name,
            range.low == range.high ? std::to_string(range.low) : fmt::format("{} to {}", range.low, range.high));
      fmt::print("{}\n", fitted(fmt::format("    {}{}{}", c.name, sizes.empty() ? "" : ": ", sizes), width));
    }
    if (p.budget.empty()) return kLabAccepted;
    fmt::print("{}\n", styled(color, "1", "Budget"));
    for (const lab::BudgetRule& rule : p.budget)
      fmt::print("{}\n", fitted(fmt::format("    {}: {} {}", words_of(rule.counter),
                                            rule.least ? "at least" : "at most", rule.limit),
                                width));
    return kLabAccepted;
  }
};

class Start : public AboutProblem {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab start [options] PROBLEM");
    declare_problem(app);
    app.add_option("-o", output_, "write this file (default: PROBLEM.cu, here)")->type_name("FILE");
    app.add_flag("--force", force_, "overwrite the file if it exists");
    app.footer("\nExamples:\n  warpwise lab start map\n  warpwise lab start challenges/matmul -o mm.cu");
  }

 private:
  Result<int> about(const Problem& p) override {
    const std::string starter = TRY(toolchain::read_file(p.folder / "starter.cu"));
    const std::string file = output_.empty() ? file_name_of(p) : output_;
    std::error_code error;
    if (!force_ && fs::exists(file, error))
      return Error{"U0002", fmt::format("`{}` exists already: --force overwrites it, -o chooses another name", file)};
    TRY(toolchain::write_file(file, starter));
    const bool named = file == file_name_of(p);
    fmt::print("{} is ready.\n  warpwise lab show {}\n  warpwise lab test {}{}\n  warpwise lab submit {}{}\n", file,
               p.slug, named ? "" : p.slug + " ", file, named ? "" : p.slug + " ", file);
    return kLabAccepted;
  }

  std::string output_;
  bool force_ = false;
};

class Hint : public AboutProblem {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab hint PROBLEM [NUMBER]");
    declare_problem(app);
    app.add_option("number", number_, "show this hint (default: the first not seen)")
        ->check(CLI::Range(1u, 99u))
        ->type_name("NUMBER");
    app.footer("\nExamples:\n  warpwise lab hint map\n  warpwise lab hint map 1");
  }

 private:
  Result<int> about(const Problem& p) override {
    const std::vector<std::string> hints = lab::hints_of(TRY(toolchain::read_file(p.folder / "hints.md")));
    lab::Progress progress = TRY(open_progress());
    const unsigned seen = TRY(progress.standings())[p.slug].hints;
    const unsigned number = number_ ? number_ : std::min<unsigned>(seen + 1, unsigned(hints.size()));
    if (number == 0 || number > hints.size())
      return Error{"L0005", fmt::format("`{}` has {} hints", p.slug, hints.size())};
    TRY(progress.note_look(p.slug, number));
    const bool color = use_color(stdout);
    fmt::print("{}\n{}", styled(color, "1", fmt::format("{}, hint {} of {}", p.slug, number, hints.size())),
               terminal_text(fit_width(hints[number - 1], terminal_columns()), color));
    if (!number_ && seen == hints.size())
      print_fitted(fmt::format("That was the last one. `warpwise lab solution {}` shows how it is done.", p.slug));
    return kLabAccepted;
  }

  unsigned number_ = 0;
};

class Solution : public AboutProblem {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab solution [options] PROBLEM [STEP]");
    declare_problem(app);
    app.add_option("step", step_, "show this step of the ladder (default: the first)")
        ->check(CLI::Range(1u, 99u))
        ->type_name("STEP");
    app.add_flag("--insist", insist_, "show it although the problem is not solved yet");
    app.footer("\nExamples:\n  warpwise lab solution map\n  warpwise lab solution matmul 3 --insist");
  }

 private:
  Result<int> about(const Problem& p) override {
    lab::Progress progress = TRY(open_progress());
    if (!insist_ && !TRY(progress.standings())[p.slug].accepted) {
      print_fitted(fmt::format(
          "{} is not solved yet. `warpwise lab hint {}` helps; `warpwise lab solution --insist {}` shows it anyway.",
          p.slug, p.slug, p.slug));
      return kLabRefused;
    }
    std::vector<fs::path> ladder;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(p.folder / "solutions", error))
      if (entry.path().extension() == ".cu") ladder.push_back(entry.path());
    std::sort(ladder.begin(), ladder.end());
    if (step_ > ladder.size() || ladder.empty())
      return Error{"L0005", fmt::format("`{}` has {} solutions", p.slug, ladder.size())};
    TRY(progress.note_look(p.slug, 0));
    const unsigned step = step_ ? step_ : 1;
    const bool color = use_color(stdout);
    for (size_t i = 0; i < ladder.size(); ++i) {
      const std::string text = TRY(toolchain::read_file(ladder[i]));
      const std::string_view about = std::string_view(text).substr(0, text.find('\n'));
      fmt::print("{} {}. {}\n", i + 1 == step ? "▸" : " ", i + 1,
                 about.substr(std::min(about.size(), about.find(": ") + 2)));
    }
    const std::string text = TRY(toolchain::read_file(ladder[step - 1]));
    fmt::print("\n{}", text.substr(std::min(text.size(), text.find('\n') + 1)));
    if (ladder.size() > 1)
      fmt::print("\n{}\n", styled(color, "2", fmt::format("`warpwise lab solution {} N` shows step N", p.slug)));
    return kLabAccepted;
  }

  unsigned step_ = 0;
  bool insist_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lab_show() { return std::make_unique<Show>(); }
std::unique_ptr<Command> make_lab_start() { return std::make_unique<Start>(); }
std::unique_ptr<Command> make_lab_hint() { return std::make_unique<Hint>(); }
std::unique_ptr<Command> make_lab_solution() { return std::make_unique<Solution>(); }

}  // namespace warpwise::cli
