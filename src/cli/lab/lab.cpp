// warpwise lab COMMAND …: finds the command below `lab` and runs it.
#include "cli/lab/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

#include "base/suggest.h"
#include "cli/lab/own_temporaries.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "lab/report/judgement_text.h"
#include "lab/report/ladder.h"

namespace warpwise::cli {
namespace {

constexpr CommandRow kLabCommands[] = {
#define LAB_COMMAND(name, summary) {#name, summary, make_lab_##name},
#include "cli/lab/lab_commands.inc"
#undef LAB_COMMAND
};

// Commands that compile and run what others have written.
bool runs_code(std::string_view command) {
  constexpr std::string_view kOnes[] = {"test", "submit", "trace", "watch", "grade", "verify", "lesson"};
  return std::find(std::begin(kOnes), std::end(kOnes), command) != std::end(kOnes);
}

class Lab : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab [COMMAND] [options]");
    for (const CommandRow& row : kLabCommands) {
      CLI::App* sub = app.add_subcommand(std::string(row.name), std::string(row.summary));
      set_layout(*sub);
      sub->group("Commands");
      sub->set_help_flag("-h,--help", "this text");
      parts_.push_back({sub, row.make()});
      parts_.back().command->declare(*sub);
    }
    problems_.declare(app);
    app.require_subcommand(0, 1);
    app.footer(
        "\nExamples:\n"
        "  warpwise lab                           where you are and what is next\n"
        "  warpwise lab start puzzles/map         writes map.cu here, for you to fill in\n"
        "  warpwise lab test map.cu               the sample cases\n"
        "  warpwise lab submit map.cu             the verdict\n"
        "\n`warpwise lab COMMAND --help` explains a command.\n"
        "\nExit code: 0 accepted, or done; 1 refused; 2 wrong option; 3 it could not be judged.");
  }

  Result<Words> own_words(const CLI::App&, Words words) override {
    for (const std::string& word : words) {
      if (word.starts_with("-")) continue;
      std::vector<std::string_view> names;
      for (const CommandRow& row : kLabCommands) names.push_back(row.name);
      if (std::find(names.begin(), names.end(), word) == names.end())
        return Error{"U0003", fmt::format("`lab` has no command `{}`{}", word, did_you_mean(word, names))};
      break;
    }
    return words;
  }

  Result<int> run() override {
    for (const Part& part : parts_)
      if (part.app->parsed()) {
        failure_ = part.command->failure_code();
        if (runs_code(part.app->get_name())) TRY(use_own_temporaries());
        return part.command->run();
      }
    return lab_home(TRY(problems_.open()));
  }
  int failure_code() const override { return failure_; }
  int usage_code() const override { return kLabUsage; }

 private:
  struct Part {
    CLI::App* app;
    std::unique_ptr<Command> command;
  };
  std::vector<Part> parts_;
  ProblemsOption problems_;
  int failure_ = kLabFailed;
};

}  // namespace

void ProblemsOption::declare(CLI::App& app) {
  app.add_option("--problems", folder_,
                 "take the problems of this folder (default: those of Warpwise; WARPWISE_PROBLEMS)")
      ->type_name("DIR");
}

void JudgingOptions::declare(CLI::App& app) {
  app.add_option("--device", device_, "the GPU to model (`warpwise devices` lists them)")->type_name("NAME");
  app.add_option("--seed", seed_, "make the inputs from this number: the same seed, the same verdict")->type_name("N");
  app.add_option("--compiler", compiler_, "clang (default), or nvcc for sources that need headers of NVIDIA's toolkit")
      ->check(CLI::IsMember({"clang", "nvcc"}))
      ->type_name("NAME");
  app.add_flag("--no-sandbox", no_sandbox_,
               "run host code of submissions with limits alone, where this machine cannot build the sandbox");
  app.add_flag("--json", json_, "print the verdict as JSON");
  app.add_flag("-v,--verbose", verbose_, "show every case and its budgets");
}

lab::TextStyle JudgingOptions::style() const { return {use_color(stdout), verbose_, terminal_width(stdout)}; }

lab::JudgeOptions JudgingOptions::options() const {
  lab::JudgeOptions options;
  options.device = device_;
  options.sandbox = !no_sandbox_;
  if (compiler_ == "nvcc") options.compiler = toolchain::CompilerChoice::Nvcc;
  auto [end, bad] = std::from_chars(seed_.data(), seed_.data() + seed_.size(), options.seed);
  // Short enough to type again.
  if (seed_.empty())
    options.seed = std::random_device()() % 1'000'000;
  else if (bad != std::errc{} || end != seed_.data() + seed_.size())
    options.seed = std::hash<std::string>()(seed_);
  return options;
}

Result<lab::Progress> open_progress() {
  auto progress = lab::Progress::open();
  if (progress) return progress;
  fmt::print(stderr, "{} your progress is not kept: {}\n\n", styled(use_color(stderr), "1;35", "warning:"),
             progress.error().message);
  return lab::Progress::in_memory();
}

Result<bool> place_among_others(const lab::Catalogue& catalogue, const lab::Problem& problem, const std::string& device,
                                const lab::Progress* progress, lab::Performance& performance) {
  if (progress)
    if (auto best = progress->fastest(problem.slug, performance.device_id); best && *best)
      performance.best_before = lab::EarlierTry{(*best)->id, *(*best)->modelled_seconds};
  const lab::Ladder ladder = TRY(lab::Ladder::open(problem, catalogue.root(), device));
  if (ladder.known()) performance.ladder = ladder.steps();
  return ladder.known();
}

Result<void> measure_ladder(const lab::Catalogue& catalogue, const lab::Problem& problem, const std::string& device,
                            lab::Performance& performance) {
  lab::Ladder ladder = TRY(lab::Ladder::open(problem, catalogue.root(), device));
  TRY(ladder.measure(0));
  performance.ladder = ladder.steps();
  return {};
}

void record_attempt(Result<lab::Progress>& progress, const lab::Problem& problem, const lab::Judgement& judgement,
                    const std::filesystem::path& file, const std::string& source, bool samples_only) {
  lab::Attempt attempt;
  attempt.problem = judgement.problem;
  attempt.verdict = name_of(judgement.verdict);
  attempt.samples_only = samples_only;
  attempt.seed = judgement.seed;
  attempt.seconds = judgement.seconds;
  attempt.file = file.filename();
  attempt.source = source;
  attempt.judgement = to_json(judgement, facts_of(problem, judgement));
  if (judgement.performance)
    attempt.modelled_seconds = judgement.performance->seconds, attempt.device = judgement.performance->device_id;
  auto kept = progress ? progress->add(std::move(attempt)) : Result<int64_t>(progress.error());
  if (!kept) report(kept.error(), "the verdict stands, but it is not recorded in your history");
}

std::unique_ptr<Command> make_lab() { return std::make_unique<Lab>(); }

}  // namespace warpwise::cli
