// warpwise lab submit, warpwise lab test: a file is judged.
#include <fmt/format.h>

#include <cstdio>

#include "base/json.h"
#include "cli/lab/fit_width.h"
#include "cli/lab/lab.h"
#include "cli/lab/named_file.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "cli/support/typed_command.h"
#include "lab/report/judgement_text.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

// For programs that follow a judgement: the page does.
void print_case(const lab::CaseReport& report) {
  fmt::print(
      "{}\n",
      dump_json(nlohmann::json{
          {"case", report.name}, {"passed", report.passed}, {"shape", report.shape}, {"seconds", report.seconds}}));
  std::fflush(stdout);
}

class Judging : public Command {
 public:
  explicit Judging(bool samples_only) : samples_only_(samples_only) {}

  void declare(CLI::App& app) override {
    const char* name = command();
    set_usage(app, fmt::format("warpwise lab {} [options] [PROBLEM] FILE.cu", name));
    app.add_option("words", words_, "the problem, where the file has another name, then the file")
        ->type_name("[PROBLEM] FILE")
        ->expected(1, 2);
    problems_.declare(app);
    judging_.declare(app);
    app.add_flag("--events", events_, "print a line of JSON for each case as it ends, and one for the verdict");
    app.add_flag("--no-record", no_record_, "leave the attempt out of your history");
    app.footer(
        fmt::format("\nExamples:\n"
                    "  warpwise lab {0} map.cu\n"
                    "  warpwise lab {0} puzzles/dot my-idea.cu\n"
                    "  warpwise lab {0} --json vector-add solution.cu\n"
                    "\nExit code: 0 accepted, 1 refused, 2 wrong option, 3 it could not be judged.",
                    name));
  }

  Result<int> run() override {
    if (words_.empty()) {
      report(Error{"U0003", fmt::format("which file? For example: warpwise lab {} map.cu", command())});
      return kLabUsage;
    }
    const lab::Catalogue catalogue = TRY(problems_.open());
    const auto [file, source, problem] = TRY(named_submission(words_, catalogue, command()));
    lab::JudgeOptions options = judging_.options();
    options.samples_only = samples_only_;
    options.modelled = !samples_only_;
    if (events_) options.case_ended = print_case;
    Progress progress;
    if (!json() && !events_ && options.compiler == toolchain::CompilerChoice::Nvcc) {
      progress.show("compiling with nvcc, which takes a while");
      options.case_ended = [&, judged = size_t{0}](const lab::CaseReport&) mutable {
        progress.show(fmt::format("{} of {} cases", ++judged, problem.cases.size()));
      };
    }
    std::optional<std::vector<lab::Problem>> problems;  // to say which is next
    auto read_problems = [&] {
      if (!samples_only_ && !json() && !problems) problems = catalogue.all();
    };
    options.meanwhile = read_problems;
    lab::Judgement judgement = TRY(lab::judge(problem, file, options));
    progress.clear();
    // One connection for all that follows: the last one of a database that is closed writes it out.
    std::optional<Result<lab::Progress>> history;
    if (!no_record_) history.emplace(lab::Progress::open());
    const lab::Progress* known = history && history->ok() ? &**history : nullptr;
    bool ladder_later = judgement.performance &&
                        !TRY(place_among_others(catalogue, problem, options.device, known, *judgement.performance));
    if (ladder_later && judging_.json()) {
      TRY(measure_ladder(catalogue, problem, options.device, *judgement.performance));
      ladder_later = false;
    }
    print(problem, judgement);
    if (ladder_later) {
      // The first time: the verdict is there already.
      std::fflush(stdout);
      TRY(measure_ladder(catalogue, problem, options.device, *judgement.performance));
      if (events_)
        print(problem, judgement);
      else
        std::fputs(ladder_text(*judgement.performance, judging_.style()).c_str(), stdout);
    }
    if (history) record_attempt(*history, problem, judgement, file, source, samples_only_);
    if (judgement.accepted() && !json()) {
      read_problems();
      after_acceptance(catalogue, problem, file, known, problems);
    }
    if (!judgement.accepted() && !json()) fmt::print("\n`warpwise lab hint {}` helps.\n", problem.slug);
    return judgement.accepted() ? kLabAccepted : kLabRefused;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  bool json() const { return judging_.json() || events_; }
  void print(const lab::Problem& problem, const lab::Judgement& judgement) const {
    if (!json()) return (void)std::fputs(to_text(problem, judgement, judging_.style()).c_str(), stdout);
    std::string text = to_json(judgement, facts_of(problem, judgement));
    if (events_) text = dump_json(nlohmann::json{{"judgement", parse_json(text)}});
    fmt::print("{}\n", text);
    std::fflush(stdout);
  }
  const char* command() const { return samples_only_ ? "test" : "submit"; }

  // What to do next; of a problem solved for the first time also its lesson.
  void after_acceptance(const lab::Catalogue& catalogue, const lab::Problem& problem, const fs::path& file,
                        const lab::Progress* history, const std::optional<std::vector<lab::Problem>>& problems) const {
    if (samples_only_) {
      Words all{"submit"};
      if (words_.size() == 2) all.push_back(words_[0]);
      all.push_back(file.string());
      fmt::print("\nThe samples pass. All cases: {}\n", typed_command("lab", all));
      return;
    }
    if (auto lesson = toolchain::read_file(problem.folder / "lesson.md"))
      fmt::print("\n{}", terminal_text(fit_width(*lesson, terminal_columns()), use_color(stdout)));
    if (history && problems) print_next_problem(catalogue, *problems, *history, problem.slug);
  }

  const bool samples_only_;
  bool no_record_ = false, events_ = false;
  std::vector<std::string> words_;
  ProblemsOption problems_;
  JudgingOptions judging_;
};

}  // namespace

std::unique_ptr<Command> make_lab_submit() { return std::make_unique<Judging>(false); }
std::unique_ptr<Command> make_lab_test() { return std::make_unique<Judging>(true); }

}  // namespace warpwise::cli
