// What the commands of `warpwise lab` share: which problems, how a judgement is shown, exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "device/properties.h"
#include "lab/judge/judge.h"
#include "lab/problem/catalogue.h"
#include "lab/progress/progress.h"
#include "lab/report/judgement_text.h"

namespace warpwise::cli {

// Exit codes of `lab`, as docs/exit_codes.md lists them.
enum LabCode : int { kLabAccepted = 0, kLabRefused = 1, kLabUsage = 2, kLabFailed = 3 };

// --problems=DIR
class ProblemsOption {
 public:
  void declare(CLI::App& app);
  Result<lab::Catalogue> open() const { return lab::Catalogue::open(folder_); }

 private:
  std::string folder_;
};

// --json, --seed, --device: of everything that judges.
class JudgingOptions {
 public:
  void declare(CLI::App& app);
  // Without --seed each run draws its own.
  lab::JudgeOptions options() const;
  bool json() const { return json_; }
  // How its judgements are printed to standard output.
  lab::TextStyle style() const;

 private:
  std::string device_{device::default_device().id};
  std::string seed_, compiler_ = "clang";
  bool json_ = false, verbose_ = false, no_sandbox_ = false;
};

// The user's progress. Where it cannot be kept, a warning says so, and one takes its place that ends with the process.
Result<lab::Progress> open_progress();
// A choice of a question.
void print_choice(size_t number, std::string_view text);
// Asks at standard output until the answer is the number of a choice; 0 for an empty line, and at the end of the input.
unsigned read_answer(size_t choices);

// Where you are and what is next.
Result<int> lab_home(const lab::Catalogue& catalogue);
// What comes after a problem that has just been solved.
void print_next_problem(const lab::Catalogue& catalogue, const std::vector<lab::Problem>& problems,
                        const lab::Progress& progress, const std::string& after);
// Compares an accepted submission with the problem's ladder, and with the user's best attempt so far (null: it is not
// one of theirs). False: the ladder's times are not known yet.
Result<bool> place_among_others(const lab::Catalogue& catalogue, const lab::Problem& problem, const std::string& device,
                                const lab::Progress* progress, lab::Performance& performance);
// Measures the ladder's times, which takes seconds.
Result<void> measure_ladder(const lab::Catalogue& catalogue, const lab::Problem& problem, const std::string& device,
                            lab::Performance& performance);
// Records a judged file. If that fails, a message says so, and the verdict stands.
void record_attempt(Result<lab::Progress>& progress, const lab::Problem& problem, const lab::Judgement& judgement,
                    const std::filesystem::path& file, const std::string& source, bool samples_only);

#define LAB_COMMAND(name, summary) std::unique_ptr<Command> make_lab_##name();
#include "cli/lab/lab_commands.inc"
#undef LAB_COMMAND

}  // namespace warpwise::cli
