// warpwise lab lesson: a lesson step by step, as the page has it. What the page draws is here the text of the step that
// the picture shows; questions are asked, and the answer comes from the recording.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>

#include "base/suggest.h"
#include "cli/lab/fit_width.h"
#include "cli/lab/lab.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "lab/lesson/lesson.h"
#include "lab/lesson/look.h"
#include "toolchain/files.h"
#include "toolchain/process.h"
#include "trace/text.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class LabLesson : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab lesson [NAME] [--step=N]");
    app.add_option("name", name_, "the lesson (default: list the lessons)")->type_name("NAME");
    app.add_option("--step", step_, "this step alone")->type_name("N")->check(CLI::Range(1u, 1000u));
    problems_.declare(app);
    app.footer(
        "\nReturn leads to the next step. Answer a question with the number of a choice; an empty line skips it.\n"
        "The page has the same with pictures: warpwise serve.\n"
        "\nExamples:\n  warpwise lab lesson\n  warpwise lab lesson indexing\n  warpwise lab lesson shared --step=3");
  }
  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    const std::vector<std::string> names = lab::lesson_names(catalogue.root());
    if (name_.empty()) return list(catalogue, names);
    if (std::find(names.begin(), names.end(), name_) == names.end()) {
      report(no_lesson(catalogue, names), "`warpwise lab lesson` lists them");
      return kLabFailed;
    }
    lesson_ = TRY(lab::load_lesson(lab::lesson_file(catalogue.root(), name_)));
    if (step_ > lesson_.steps.size())
      return Error{"L0005", fmt::format("the lesson has {} steps", lesson_.steps.size())};
    std::error_code error;
    folder_.emplace(TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error))));
    if (step_ != 0) {
      TRY(show(step_ - 1));
      return kLabAccepted;
    }
    fmt::print("{}\n{}\n", styled(color_, "1", lesson_.title), fitted(lesson_.about, terminal_width(stdout)));
    for (size_t n = 0; n < lesson_.steps.size(); ++n) {
      TRY(show(n));
      if (n + 1 < lesson_.steps.size() && !wait()) break;
    }
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  // A problem has no lesson of its own, and its chapter may have one.
  Error no_lesson(const lab::Catalogue& catalogue, const std::vector<std::string>& names) const {
    std::string meant;
    for (const std::string& slug : catalogue.matches(name_))
      if (auto problem = catalogue.load(slug); problem && meant.empty())
        if (std::find(names.begin(), names.end(), problem->chapter) != names.end())
          meant = fmt::format("; the one of the chapter of {} is `warpwise lab lesson {}`", slug, problem->chapter);
    if (meant.empty()) meant = did_you_mean(name_, std::vector<std::string_view>(names.begin(), names.end()));
    return {"L0005", fmt::format("there is no lesson `{}`{}", name_, meant)};
  }

  static Result<int> list(const lab::Catalogue& catalogue, const std::vector<std::string>& names) {
    Table table({"lesson", "steps", "about"});
    std::vector<std::string> order;
    for (const lab::Chapter& chapter : catalogue.chapters())
      for (const std::string& name : names) {
        const lab::Lesson lesson = TRY(lab::load_lesson(lab::lesson_file(catalogue.root(), name)));
        if (lesson.chapter == chapter.id) table.add({name, std::to_string(lesson.steps.size()), lesson.title});
      }
    table.print();
    return kLabAccepted;
  }

  // At a terminal: until Return. False at the end of the input.
  static bool wait() {
    if (!isatty(STDIN_FILENO)) return true;
    fmt::print("\n[Return: on] ");
    std::fflush(stdout);
    std::string line;
    return bool(std::getline(std::cin, line));
  }

  Result<trace::TraceFile*> recording(size_t run) {
    if (auto& known = files_[run]) return known.get();
    const fs::path output = folder_->path() / fmt::format("{}-{}.wwt", name_, run);
    std::error_code error;
    const auto command = TRY(lab::prepare_recording(lesson_.runs[run], fs::read_symlink("/proc/self/exe", error),
                                                    fs::path(output).replace_extension(".cu"), output));
    const auto results = TRY(toolchain::run_jobs({{command}}));
    if (!fs::exists(output, error)) return Error{"L0012", results[0].output};
    files_[run] = TRY(trace::TraceFile::open(output));
    return files_[run].get();
  }

  Result<lab::LessonPlace> picture(const lab::LessonLook& look, const std::string& figure) {
    trace::TraceFile& file = *TRY(recording(look.run));
    const lab::LessonPlace found = TRY(lab::find_place(file, look, figure));
    trace::Queries queries(file);
    const trace::StepDetail detail = TRY(queries.step(found.place.warp, found.place.step));
    const std::string text = trace::to_text(detail, found.place.warp, file.recording(), TRY(file.findings()),
                                            TRY(file.sources()), trace::Depth::Source);
    fmt::print("{}\n", styled(color_, "2", fitted(lesson_.runs[look.run].launch, terminal_width(stdout))));
    std::fputs(fitted(text, terminal_width(stdout)).c_str(), stdout);
    return found;
  }

  void kernel(const std::string& text) const {
    if (!text.empty()) fmt::print("\n{}\n", terminal_text("```\n" + text + "```\n", color_));
  }

  Result<void> show(size_t n) {
    const lab::LessonStep& step = lesson_.steps[n];
    fmt::print("\n{}\n\n", styled(color_, "1", fmt::format("{} of {}: {}", n + 1, lesson_.steps.size(), step.title)));
    fmt::print("{}\n", terminal_text(fit_width(step.text, terminal_columns()), color_));
    kernel(step.kernel);
    if (step.picture) TRY(picture(*step.picture, ""));
    if (step.question) TRY(ask(*step.question));
    return {};
  }

  Result<void> ask(const lab::LessonQuestion& q) {
    kernel(q.kernel);
    fmt::print("\n{}\n", terminal_text(fit_width(q.ask, terminal_columns()), color_));
    for (size_t i = 0; i < q.choices.size(); ++i) print_choice(i + 1, q.choices[i].text);
    const unsigned answer = read_answer(q.choices.size());
    if (answer == 0) {
      fmt::print("\n");
      return {};
    }
    const lab::LessonPlace found = TRY(picture(q.look, q.figure));
    size_t right = 0;
    for (size_t i = 0; i < q.choices.size(); ++i)
      if (q.choices[i].key == found.figure) right = i + 1;
    fmt::print("\n{}\n", answer == right ? fit_behind("Right.", q.because, "1;32", color_)
                                         : fit_behind(fmt::format("Not quite: the answer is {}.", right), q.because,
                                                      "1;31", color_));
    return {};
  }

  std::string name_;
  unsigned step_ = 0;
  const bool color_ = use_color(stdout);
  ProblemsOption problems_;
  lab::Lesson lesson_;
  std::optional<toolchain::TemporaryFolder> folder_;
  std::map<size_t, std::unique_ptr<trace::TraceFile>> files_;
};

}  // namespace

std::unique_ptr<Command> make_lab_lesson() { return std::make_unique<LabLesson>(); }

}  // namespace warpwise::cli
