// warpwise lab grade: a folder of many people's files, one verdict each.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

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
    app.add_option("folder", folder_, "a folder with a folder for each person, or with a file for each")
        ->required()
        ->type_name("DIR");
    app.add_option("--problem", options_.problem,
                   "the problem of all files (default: each file has the name of its problem)")
        ->type_name("PROBLEM");
    app.add_option("--report", report_, "text, csv, junit, html or json (default text)")
        ->check(CLI::IsMember({"text", "csv", "junit", "html", "json"}))
        ->type_name("FORM");
    app.add_option("-o", output_, "write the report to this file (default: standard output)")->type_name("FILE");
    app.add_option("--seed", options_.seed,
                   "make the inputs from this number, which students need not know (default 1)")
        ->type_name("N");
    app.add_option("--deadline", options_.deadline,
                   "mark files that were changed later, by UTC: 2026-12-31 or 2026-12-31T18:00")
        ->type_name("DATE");
    app.add_option("--device", options_.device, "the GPU to model")->type_name("NAME");
    app.add_option("-j,--jobs", options_.jobs, "judge this many files at once (default: the number of processors)")
        ->check(CLI::Range(1u, 256u))
        ->type_name("N");
    app.add_flag("--fresh", fresh_, "judge everything again: forget the results of earlier runs");
    app.add_flag("--no-sandbox", no_sandbox_, "run host code of submissions with limits alone");
    problems_.declare(app);
    app.footer(fmt::format(
        "\nEach verdict is recorded in DIR/{} at once, so an interrupted run continues where it stopped.\n"
        "Files by different people that are nearly the same are marked; code from the starter and our\n"
        "solutions does not count.\n"
        "\nExamples:\n"
        "  warpwise lab grade submissions                      submissions/ada/map.cu, submissions/bob/map.cu, …\n"
        "  warpwise lab grade --problem=matmul homework --report=csv -o grades.csv\n"
        "  warpwise lab grade submissions --report=html -o grades.html --deadline=2026-12-31T18:00 --seed=8131\n"
        "\nExit code: 0 all accepted, 1 some refused, 2 wrong option, 3 it could not be done.",
        kLog));
  }

  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    options_.sandbox = !no_sandbox_;
    options_.log = fs::path(folder_) / kLog;
    std::error_code error;
    if (fresh_) fs::remove(options_.log, error);
    Progress progress;
    const auto grades = TRY(lab::grade(catalogue, folder_, options_, [&](size_t done, size_t of) {
      const size_t full = of ? done * kBarCells / of : kBarCells;
      progress.show(
          fmt::format("[{}{}] {} of {}", std::string(full, '#'), std::string(kBarCells - full, ' '), done, of));
    }));
    progress.clear();
    if (grades.empty()) return Error{"U0001", fmt::format("there are no .cu files in `{}`", folder_)};
    const std::string text = report_ == "csv"     ? grades_to_csv(grades)
                             : report_ == "junit" ? grades_to_junit(grades)
                             : report_ == "json"  ? grades_to_json(grades)
                             : report_ == "html"  ? grades_to_html(grades, fs::path(folder_).filename().string())
                                                  : grades_to_text(grades, output_.empty() && use_color(stdout));
    if (output_.empty())
      std::fputs(text.c_str(), stdout);
    else
      TRY(toolchain::write_file(output_, text));
    return std::all_of(grades.begin(), grades.end(), [](const lab::Graded& g) { return g.accepted(); }) ? kLabAccepted
                                                                                                        : kLabRefused;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::string folder_, report_ = "text", output_;
  lab::GradeOptions options_;
  bool fresh_ = false, no_sandbox_ = false;
  ProblemsOption problems_;
};

}  // namespace

std::unique_ptr<Command> make_lab_grade() { return std::make_unique<Grade>(); }

}  // namespace warpwise::cli
