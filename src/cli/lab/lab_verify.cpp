// warpwise lab verify: proves problems. warpwise lab new: the files of one to begin with.
#include <fmt/format.h>

#include <cstdio>

#include "base/json.h"
#include "cli/lab/lab.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "device/properties.h"
#include "lab/judge/verify.h"
#include "lab/lesson/lesson.h"
#include "lab/problem/quiz.h"
#include "lab/report/ladder.h"
#include "perf/report/format.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class Verify : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab verify [options] PROBLEM…\n       warpwise lab verify [options] --all");
    app.add_option("names", names_, "problems, folders of them (puzzles), or lessons (lessons/shared)")
        ->type_name("PROBLEM");
    app.add_flag("--all", all_, "all problems");
    app.add_option("--seeds", seeds_, "judge everything with this many seeds (default 1)")
        ->check(CLI::Range(1u, 1000u))
        ->type_name("N");
    app.add_option("--first-seed", first_seed_, "the first of the seeds (default 1)")->type_name("N");
    app.add_option("-j,--jobs", jobs_, "judge this many files at once (default: the number of processors)")
        ->check(CLI::Range(1u, 256u))
        ->type_name("N");
    app.add_flag("--no-sandbox", no_sandbox_, "judge with limits alone, where this machine cannot build the sandbox");
    app.add_flag("--json", json_, "print the results as JSON");
    app.add_flag("--markdown", markdown_, "print docs/problems.md");
    app.add_option("--ladders", ladders_,
                   "judge nothing, and write the modelled times of the solutions (problems/ladders.json)")
        ->type_name("FILE");
    problems_.declare(app);
    app.footer(
        "\nEvery solution must be accepted, every wrong kernel refused for the reason it states. "
        "docs/problem_format.md\n"
        "describes the files.\n"
        "\nExamples:\n"
        "  warpwise lab verify puzzles/map\n"
        "  warpwise lab verify --all --seeds=10\n"
        "  warpwise lab verify --problems=my-pack --all\n"
        "\nExit code: 0 all proved, 1 something is wrong with a problem, 2 wrong option, 3 it could not be done.");
  }

  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    std::vector<lab::Problem> problems = TRY(chosen(catalogue));
    if (!ladders_.empty()) return write_ladders(catalogue, problems);
    Progress progress;
    auto verified =
        TRY(lab::verify(problems,
                        {.seeds = seeds_,
                         .first_seed = first_seed_,
                         .jobs = jobs_,
                         .sandbox = !no_sandbox_,
                         .slugs = catalogue.slugs()},
                        [&](size_t done, size_t of) { progress.show(fmt::format("verifying: {} of {}", done, of)); }));
    progress.clear();
    if (all_) check_quizzes(catalogue, verified), lessons_ = lab::lesson_names(catalogue.root());
    check_lessons(catalogue, verified);
    for (const lab::BrokenProblem& b : broken_)
      verified.push_back(
          {.slug = b.slug, .title = b.slug, .solutions = {}, .wrong = {}, .mistakes = {b.error.message}});
    const std::string text = json_       ? to_json(verified)
                             : markdown_ ? to_markdown(verified)
                                         : to_text(verified, use_color(stdout));
    std::fputs(text.c_str(), stdout);
    if (!lessons_.empty() && !json_ && !markdown_) fmt::print("{} lessons run\n", lessons_.size());
    return std::all_of(verified.begin(), verified.end(), [](const auto& v) { return v.ok(); }) ? kLabAccepted
                                                                                               : kLabRefused;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  Result<std::vector<lab::Problem>> chosen(const lab::Catalogue& catalogue) {
    if (all_ == !names_.empty()) return Error{"U0005", "name problems, or say --all"};
    if (all_) return catalogue.all(&broken_);
    std::vector<lab::Problem> problems;
    for (const std::string& name : names_) {
      constexpr std::string_view kLessons = "lessons/";
      if (name.starts_with(kLessons)) {
        lessons_.push_back(name.substr(kLessons.size()));
        continue;
      }
      bool folder = false;
      for (const std::string& slug : catalogue.slugs())
        if (slug.starts_with(name + "/")) folder = true, problems.push_back(TRY(catalogue.load(slug)));
      if (!folder) problems.push_back(TRY(catalogue.find(name)));
    }
    return problems;
  }

  // Measures all ladders again, and reports where the file beside the problems differs: the model has changed since it
  // was written.
  Result<int> write_ladders(const lab::Catalogue& catalogue, const std::vector<lab::Problem>& problems) const {
    constexpr double kSame = 1.05;
    nlohmann::json all = nlohmann::json::object();
    unsigned different = 0;
    Progress progress;
    for (size_t i = 0; i < problems.size(); ++i) {
      progress.show(fmt::format("climbing: {} of {}", i + 1, problems.size()));
      lab::Ladder ladder = TRY(lab::Ladder::open(problems[i], "", std::string(device::default_device().id)));
      TRY(ladder.measure(jobs_));
      if (ladder.any()) all[problems[i].slug] = parse_json(ladder.to_json());
      const auto kept =
          TRY(lab::Ladder::open(problems[i], catalogue.root(), std::string(device::default_device().id))).steps();
      for (const lab::LadderStep& step : ladder.steps())
        for (const lab::LadderStep& old : kept)
          if (old.file == step.file && (old.seconds > kSame * step.seconds || step.seconds > kSame * old.seconds)) {
            progress.clear();
            fmt::print("{} {}: {}, and ladders.json says {}\n", problems[i].slug, step.file,
                       perf::seconds_text(step.seconds), perf::seconds_text(old.seconds));
            ++different;
          }
    }
    progress.clear();
    TRY(toolchain::write_file(ladders_, dump_json(all, 1) + "\n"));
    return different ? kLabRefused : kLabAccepted;
  }

  // A quiz that says what a program prints must be right about it.
  static void check_quizzes(const lab::Catalogue& catalogue, std::vector<lab::VerifiedProblem>& verified) {
    std::error_code error;
    for (const lab::Chapter& chapter : catalogue.chapters()) {
      const fs::path file = catalogue.quiz_file(chapter.id);
      if (!fs::exists(file, error)) continue;
      auto quiz = lab::load_quiz(file);
      const std::vector<std::string> mistakes =
          quiz ? lab::check_quiz(*quiz) : std::vector<std::string>{quiz.error().message};
      if (!mistakes.empty())
        verified.push_back({.slug = "quizzes/" + chapter.id,
                            .title = chapter.title,
                            .solutions = {},
                            .wrong = {},
                            .mistakes = mistakes});
    }
  }

  // A lesson has no answers: its pictures and questions must have them when its kernels run.
  void check_lessons(const lab::Catalogue& catalogue, std::vector<lab::VerifiedProblem>& verified) const {
    std::error_code error;
    const fs::path warpwise = fs::read_symlink("/proc/self/exe", error);
    for (const std::string& name : lessons_) {
      const auto lesson = lab::load_lesson(lab::lesson_file(catalogue.root(), name));
      const std::vector<std::string> mistakes =
          lesson ? lab::check_lesson(*lesson, warpwise) : std::vector<std::string>{lesson.error().message};
      if (!mistakes.empty())
        verified.push_back(
            {.slug = "lessons/" + name, .title = name, .solutions = {}, .wrong = {}, .mistakes = mistakes});
    }
  }

  std::vector<std::string> names_, lessons_;
  std::string ladders_;
  bool all_ = false, json_ = false, markdown_ = false, no_sandbox_ = false;
  unsigned seeds_ = 1, jobs_ = 0;
  uint64_t first_seed_ = 1;
  ProblemsOption problems_;
  std::vector<lab::BrokenProblem> broken_;
};

// A problem to begin with. It is complete, so `lab verify` accepts everything except what only its author can write.
struct NewFile {
  const char* name;
  const char* text;
};
constexpr NewFile kNewFiles[] = {
#define NEW_FILE(name, text) {name, text},
#include "cli/lab/lab_new_files.inc"
#undef NEW_FILE
};

class New : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab new FOLDER");
    app.add_option("folder", folder_, "a new folder: problems/puzzles/my-problem")->required()->type_name("FOLDER");
    app.footer(
        "\nMakes the files of a problem that works; make it yours. docs/problem_format.md describes them.\n"
        "\nExamples:\n"
        "  warpwise lab new my-pack/triple\n"
        "  warpwise lab verify --problems=my-pack triple");
  }
  Result<int> run() override {
    std::error_code error;
    if (fs::exists(folder_, error)) return Error{"U0002", fmt::format("`{}` is there already", folder_)};
    for (const NewFile& file : kNewFiles) {
      const fs::path path = fs::path(folder_) / file.name;
      fs::create_directories(path.parent_path(), error);
      if (error)
        return Error{"U0002", fmt::format("cannot make `{}`: {}", path.parent_path().string(), error.message())};
      TRY(toolchain::write_file(path, file.text));
    }
    const fs::path path = fs::path(folder_);
    const std::string name = path.filename().empty() ? path.parent_path().filename() : path.filename();
    const fs::path parent = path.filename().empty() ? path.parent_path().parent_path() : path.parent_path();
    fmt::print("{} has a problem that works. Make it yours, then:\n  warpwise lab verify --problems={} {}\n", folder_,
               parent.empty() ? "." : parent.string(), name);
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::string folder_;
};

}  // namespace

std::unique_ptr<Command> make_lab_verify() { return std::make_unique<Verify>(); }
std::unique_ptr<Command> make_lab_new() { return std::make_unique<New>(); }

}  // namespace warpwise::cli
