// warpwise lab quiz: the questions at the end of a chapter.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "base/suggest.h"
#include "cli/lab/fit_width.h"
#include "cli/lab/lab.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "lab/problem/quiz.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

class Quiz : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab quiz [CHAPTER]");
    app.add_option("chapter", chapter_, "the id of a chapter (default: list the quizzes)")->type_name("CHAPTER");
    problems_.declare(app);
    app.footer(
        "\nAnswer with the number of a choice. An empty line skips the question.\n"
        "\nExamples:\n  warpwise lab quiz\n  warpwise lab quiz indexing");
  }
  Result<int> run() override {
    const lab::Catalogue catalogue = TRY(problems_.open());
    lab::Progress progress = TRY(open_progress());
    if (chapter_.empty()) return list(catalogue, progress);
    std::error_code error;
    if (!std::filesystem::exists(catalogue.quiz_file(chapter_), error)) {
      std::vector<std::string_view> known;
      for (const lab::Chapter& c : catalogue.chapters()) known.push_back(c.id);
      report({"L0005", fmt::format("there is no quiz for `{}`{}", chapter_, did_you_mean(chapter_, known))},
             "`warpwise lab quiz` lists them");
      return kLabFailed;
    }
    const std::vector<lab::Question> questions = TRY(lab::load_quiz(catalogue.quiz_file(chapter_)));
    unsigned right = 0;
    for (size_t i = 0; i < questions.size(); ++i)
      right += TRY(ask(questions[i], unsigned(i + 1), questions.size(), progress));
    fmt::print("{} of {} right\n\nGo on: warpwise lab next\n", right, questions.size());
    return right == questions.size() ? kLabAccepted : kLabRefused;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  static Result<int> list(const lab::Catalogue& catalogue, const lab::Progress& progress) {
    const auto right = TRY(progress.right_answers());
    Table table({"chapter", "right", "about"});
    std::error_code error;
    for (const lab::Chapter& c : catalogue.chapters()) {
      if (!std::filesystem::exists(catalogue.quiz_file(c.id), error)) continue;
      const size_t of = TRY(lab::load_quiz(catalogue.quiz_file(c.id))).size();
      auto at = right.find(c.id);
      table.add({c.id, fmt::format("{} of {}", at == right.end() ? 0 : at->second, of), c.title});
    }
    table.print();
    return kLabAccepted;
  }

  Result<unsigned> ask(const lab::Question& q, unsigned number, size_t of, lab::Progress& progress) const {
    const bool color = use_color(stdout);
    fmt::print("{}\n", fit_behind(fmt::format("{} of {}:", number, of), q.ask, "1", color));
    if (!q.program.empty()) {
      const std::string text = TRY(toolchain::read_file(q.program));
      fmt::print("{}\n", terminal_text("```\n" + text + "```\n", color));
    }
    for (size_t i = 0; i < q.choices.size(); ++i) print_choice(i + 1, q.choices[i]);
    const unsigned answer = read_answer(q.choices.size());
    if (answer == 0) {
      fmt::print("\n");
      return 0u;
    }
    const bool right = answer == q.answer;
    TRY(progress.note_answer(chapter_, number, right));
    fmt::print("{}\n",
               right ? fit_behind("Right.", q.because, "1;32", color)
                     : fit_behind(fmt::format("Not quite: the answer is {}.", q.answer), q.because, "1;31", color));
    return unsigned(right);
  }

  std::string chapter_;
  ProblemsOption problems_;
};

}  // namespace

void print_choice(size_t number, std::string_view text) {
  const std::string label = fmt::format("  {}  ", number);
  fmt::print("{}{}\n", label, in_columns(text, label.size(), terminal_width(stdout)));
}

unsigned read_answer(size_t choices) {
  for (std::string line;;) {
    fmt::print("> ");
    std::fflush(stdout);
    const bool got = bool(std::getline(std::cin, line));
    if (!isatty(STDIN_FILENO)) fmt::print("\n");  // a terminal shows the end of the line that was typed
    if (!got || line.empty()) return 0;
    char* end = nullptr;
    const unsigned long number = std::strtoul(line.c_str(), &end, 10);
    if (*end == '\0' && number >= 1 && number <= choices) return unsigned(number);
    fmt::print("  a number from 1 to {}, please; an empty line skips the question\n", choices);
  }
}

std::unique_ptr<Command> make_lab_quiz() { return std::make_unique<Quiz>(); }

}  // namespace warpwise::cli
