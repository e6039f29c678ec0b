// warpwise lab grade: what a class handed in, with a verdict and points for each file.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "cli/lab/lab.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "lab/grade/grade.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLog = ".warpwise-grades.jsonl";
constexpr size_t kBarCells = 30;

class Grade : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab grade [options] DIR");
    app.add_option("folder", folder_, "a folder with a folder, a .zip, a Git repository or a .cu file for each person")
        ->required()
        ->type_name("DIR");
    app.add_option("--problem", options_.problem,
                   "the problem of all files (default: each file has the name of its problem)")
        ->type_name("PROBLEM");
    app.add_option("--report", report_, "text, csv, junit, html or json (default text)")
        ->check(CLI::IsMember({"text", "csv", "junit", "html", "json"}))
        ->type_name("FORM");
    app.add_option("-o", output_, "write the report to this file (default: standard output)")->type_name("FILE");
    app.add_option("--assignment", assignment_,
                   "problems, points, deadline, penalty and seeds from this file (docs/lab.md)")
        ->type_name("FILE.toml");
    app.add_option("--seed", seed_, "make the inputs from this number, which students need not know (default 1)")
        ->type_name("N");
    app.add_option("--deadline", deadline_,
                   "files that were handed in later are late: 2026-12-31 or 2026-12-31T18:00, in UTC")
        ->type_name("DATE");
    app.add_option("--penalty", penalty_, "take this much off for each day begun after the deadline (default 0)")
        ->check(CLI::Range(0.0, 100.0))
        ->type_name("PERCENT");
    app.add_option("--budget-share", budget_share_, "this much of the points is for keeping budgets (default 0)")
        ->check(CLI::Range(0.0, 100.0))
        ->type_name("PERCENT");
    app.add_option("--device", options_.device, "the GPU to model")->type_name("NAME");
    app.add_option("--compiler", compiler_,
                   "clang (default), or nvcc for sources that need headers of NVIDIA's toolkit")
        ->check(CLI::IsMember({"clang", "nvcc"}))
        ->type_name("NAME");
    app.add_option("-j,--jobs", options_.jobs, "judge this many files at once (default: the number of processors)")
        ->check(CLI::Range(1u, 256u))
        ->type_name("N");
    app.add_flag("--fresh", fresh_, "judge everything again: forget the results of earlier runs");
    app.add_flag("--no-sandbox", no_sandbox_, "run host code of submissions with limits alone");
    problems_.declare(app);
    app.footer(fmt::format(
        "\nEach verdict is recorded in DIR/{} at once, so an interrupted run continues where it stopped.\n"
        "Points are for the cases that are right, and with --budget-share for those within the budgets. Late is\n"
        "what was committed, or changed, after the deadline. Files by different people that are nearly the same\n"
        "are marked; code from the starter and our solutions does not count.\n"
        "\nExamples:\n"
        "  warpwise lab grade submissions                      submissions/ada/map.cu, submissions/bob/map.cu, …\n"
        "  warpwise lab grade --problem=matmul homework --report=csv -o grades.csv\n"
        "  warpwise lab grade submissions --report=html -o grades.html --deadline=2026-12-31T18:00 --penalty=10\n"
        "  warpwise lab grade submissions --assignment=homework3.toml --report=html -o grades.html\n"
        "\nExit code: 0 all accepted, 1 some refused, 2 wrong option, 3 it could not be done.",
        kLog));
  }

  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    options_.sandbox = !no_sandbox_;
    if (compiler_ == "nvcc") options_.compiler = toolchain::CompilerChoice::Nvcc;
    options_.assignment = TRY(assignment(catalogue));
    options_.log = fs::path(folder_) / kLog;
    std::error_code error;
    if (fresh_) fs::remove(options_.log, error);
    Progress progress;
    auto grades = TRY(lab::grade(catalogue, folder_, options_, [&](size_t done, size_t of) {
      const size_t full = of ? done * kBarCells / of : kBarCells;
      progress.show(
          fmt::format("[{}{}] {} of {}", std::string(full, '#'), std::string(kBarCells - full, ' '), done, of));
    }));
    progress.clear();
    grades.version = WARPWISE_VERSION;
    if (grades.files.empty()) return Error{"U0001", fmt::format("there are no .cu files to grade in `{}`", folder_)};
    const std::string text = report_ == "csv"     ? grades_to_csv(grades)
                             : report_ == "junit" ? grades_to_junit(grades)
                             : report_ == "json"  ? grades_to_json(grades)
                             : report_ == "html"  ? grades_to_html(grades)
                                                  : grades_to_text(grades, output_.empty() && use_color(stdout));
    if (output_.empty())
      std::fputs(text.c_str(), stdout);
    else
      TRY(toolchain::write_file(output_, text));
    return std::all_of(grades.files.begin(), grades.files.end(), [](const lab::Graded& g) { return g.accepted(); })
               ? kLabAccepted
               : kLabRefused;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  // The file's, with what the command line says instead.
  Result<lab::Assignment> assignment(const lab::Catalogue& catalogue) const {
    lab::Assignment a;
    if (!assignment_.empty())
      a = TRY(lab::parse_assignment(TRY(toolchain::read_stream(assignment_)), assignment_, catalogue));
    if (a.title.empty()) a.title = fs::absolute(folder_).lexically_normal().filename().string();
    if (seed_) a.seed = *seed_;
    if (penalty_) a.penalty_per_day = *penalty_;
    if (budget_share_) a.budget_share = *budget_share_;
    if (deadline_.empty()) return a;
    a.deadline = lab::seconds_of_date(deadline_);
    if (!a.deadline)
      return Error{"U0005", fmt::format("`{}` is not a date: 2026-12-31 or 2026-12-31T18:00", deadline_)};
    return a;
  }

  std::string assignment_, deadline_;
  std::optional<uint64_t> seed_;
  std::optional<double> penalty_, budget_share_;
  std::string folder_, report_ = "text", output_, compiler_ = "clang";
  lab::GradeOptions options_;
  bool fresh_ = false, no_sandbox_ = false;
  ProblemsOption problems_;
};

}  // namespace

std::unique_ptr<Command> make_lab_grade() { return std::make_unique<Grade>(); }

}  // namespace warpwise::cli
