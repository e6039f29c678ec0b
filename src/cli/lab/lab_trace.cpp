// warpwise lab trace: what the warps of a block did in the case that was refused, as a recording.
//
// The file is judged once more, with the seed that is given: that finds the case, its smallest form and the guilty
// block. Then the same trial runs under a recorder, in a child of the judge as all trials do.
#include <fmt/format.h>

#include <cstdio>

#include "cli/lab/lab.h"
#include "cli/lab/named_file.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class LabTrace : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab trace [options] [PROBLEM] FILE.cu");
    app.add_option("words", words_, "the problem, where the file has another name, then the file")
        ->type_name("[PROBLEM] FILE")
        ->expected(1, 2);
    app.add_option("-o", output_, "write this file (default: the source's name with .wwt, here)")->type_name("FILE");
    app.add_flag("--samples", samples_only_, "look at the sample cases only");
    app.add_option("--like", like_, "")->group("");  // for the page: the case of another recording
    problems_.declare(app);
    judging_.declare(app);
    app.footer(
        "\nOf an accepted file the first case that fills warps is recorded, if there is one, else the first.\n"
        "\nExamples:\n"
        "  warpwise lab trace map.cu\n"
        "  warpwise view map.wwt\n"
        "  warpwise lab trace --seed=8131 puzzles/map my-idea.cu"
        "\n\nExit code: 0 there is a recording; 2 wrong option; 3 there is none.");
  }

  Result<int> run() override {
    if (words_.empty()) {
      report(Error{"U0003", "which file? For example: warpwise lab trace map.cu"});
      return kLabUsage;
    }
    const lab::Catalogue catalogue = TRY(problems_.open());
    const auto [file, source, problem] = TRY(named_submission(words_, catalogue, "trace"));
    lab::JudgeOptions options = judging_.options();
    options.samples_only = samples_only_, options.likely_refused = true;
    const fs::path output = output_.empty() ? fs::path(file).filename().replace_extension(".wwt") : fs::path(output_);
    options.recording.file = output, options.recording.tool = WARPWISE_VERSION;
    options.recording.command = fmt::format("warpwise lab trace --seed={} {}", options.seed, problem.slug);
    if (!like_.empty()) options.recording.like = TRY(lab::recorded_case_from_json(like_));
    const lab::Judgement judgement = TRY(lab::judge(problem, file, options));
    fmt::print("{}: {}{}\nNext: warpwise view {}\n", output.string(), words_of(judgement.verdict),
               judgement.refusal ? fmt::format(", case `{}`", judgement.refusal->case_name) : "", output.string());
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::vector<std::string> words_;
  std::string output_, like_;
  bool samples_only_ = false;
  ProblemsOption problems_;
  JudgingOptions judging_;
};

}  // namespace

std::unique_ptr<Command> make_lab_trace() { return std::make_unique<LabTrace>(); }

}  // namespace warpwise::cli
