// warpwise bench: times files with a `solve`, in turns, each in a process of its own, and compares their outputs with
// the reference of the ladder that they belong to.
//
//     files, LADDER/STEP ──compile with reference──► workers ──turns──► table
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/history/history.h"
#include "bench/ladder/step_head.h"
#include "cli/command.h"
#include "cli/support/help_format.h"
#include "cli/support/measuring.h"
#include "cli/support/terminal_text.h"
#include "cli/support/typed_command.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class Bench : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App&, Words words) override {
    command_ = typed_command("bench", words);
    shows_history_ = std::any_of(words.begin(), words.end(),
                                 [](const std::string& w) { return w == "--history" || w.starts_with("--history="); });
    return words;
  }
  Result<int> run() override;

 private:
  Result<bench::Ladder> ladder() const;
  Result<std::vector<bench::Version>> versions(const bench::Ladder& ladder, const std::string& word) const;

  std::vector<std::string> words_;
  Result<int> show_history() const;

  std::string ladder_, command_, history_;
  bool shows_history_ = false;
  Measuring measuring_;
};

void Bench::declare(CLI::App& app) {
  set_usage(app, "warpwise bench [options] FILE.cu|LADDER/STEP…");
  app.add_option("version", words_, "files with a `solve`, or steps: softmax/02, softmax/02_warp")
      ->type_name("VERSION");
  app.add_option("--history", history_,
                 "list the names that --save has stored, or the measurements of one name with their times")
      ->expected(0, 1)
      ->type_name("[NAME]");
  app.add_option("--ladder", ladder_, "what the files compute, if they stand beside no ladder.toml")->type_name("NAME");
  measuring_.declare(app);
  app.footer(
      "\nA file computes what the ladder.toml beside it says (docs/ladder_format.md); --ladder names another.\n"
      "\nExamples:\n"
      "  warpwise bench vector_add/01 vector_add/02\n"
      "  warpwise bench --on=gpu vector_add/02 mine.cu\n"
      "  warpwise bench --on=gpu --ladder=vector_add a.cu b.cu --json=now.json\n"
      "  warpwise bench --on=gpu --baseline=before.json mine.cu --ladder=vector_add\n"
      "  warpwise bench --on=gpu --save=main vector_add/02; warpwise bench --history=main\n"
      "\nExit code: 0; 1 when a version is wrong or fails, or nothing can be concluded; 2 wrong options; 122 when one\n"
      "is slower than in --baseline.");
}

// Otherwise a word is LADDER/STEP.
bool is_file(const std::string& word) {
  std::error_code error;
  return fs::is_regular_file(word, error);
}

Result<bench::Ladder> Bench::ladder() const {
  if (!ladder_.empty()) return bench::find_ladder(ladder_);
  const std::string& word = words_.front();
  if (is_file(word)) return bench::find_ladder(word);
  return bench::find_ladder(word.substr(0, word.rfind('/')));
}

Result<std::vector<bench::Version>> Bench::versions(const bench::Ladder& ladder, const std::string& word) const {
  std::vector<bench::Version> found;
  if (is_file(word)) {
    found.push_back(TRY(bench::load_version(fs::absolute(word))));
    return found;
  }
  const size_t slash = word.rfind('/');
  const std::string step = slash == word.npos ? word : word.substr(slash + 1);
  if (slash != word.npos && fs::path(word.substr(0, slash)).filename() != ladder.name)
    return Error{"U0005", fmt::format("`{}` is not of the ladder `{}`: versions of one computation are compared", word,
                                      ladder.name)};
  for (const auto* list : {&ladder.steps, &ladder.peers})
    for (const bench::Version& version : *list)
      if (version.name.starts_with(step)) found.push_back(version);
  if (found.empty())
    return Error{"U0005", fmt::format("there is no file and no step `{}`: `warpwise ladder {}` lists the steps", word,
                                      ladder.name)};
  return found;
}

Result<int> Bench::show_history() const {
  const bench::History history = TRY(bench::History::open());
  if (history_.empty()) {
    fmt::print("{}", bench::to_text(TRY(history.names()), how_long_ago));
    return kSuccess;
  }
  const auto all = TRY(history.measurements(history_));
  if (all.empty()) return Error{"B0011", fmt::format("there is no measurement called `{}`", history_)};
  fmt::print("{}", bench::to_text(all, how_long_ago));
  return kSuccess;
}

Result<int> Bench::run() {
  if (shows_history_) return show_history();
  if (words_.empty()) return Error{"U0005", "name a version: a file with a `solve`, or LADDER/STEP"};
  const bench::Ladder ladder = TRY(this->ladder());
  std::vector<bench::Version> all;
  for (const std::string& word : words_)
    for (bench::Version& version : TRY(versions(ladder, word))) {
      // Two files may have one name: tables and baselines tell them apart by their folders.
      for (const bench::Version& other : all)
        if (other.name == version.name && other.file != version.file)
          version.name = (version.file.parent_path().filename() / version.name).string();
      all.push_back(std::move(version));
    }
  return measuring_.run(ladder, all, command_);
}

}  // namespace

std::unique_ptr<Command> make_bench() { return std::make_unique<Bench>(); }

}  // namespace warpwise::cli
