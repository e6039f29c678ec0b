// Earlier attempts: warpwise lab history, diff, export, import.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/json.h"
#include "cli/lab/lab.h"
#include "cli/lab/line_diff.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "perf/report/format.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

using Json = nlohmann::json;
using lab::Attempt;

// A problem by its short name. A full name is used as it is, because the history contains problems whose folders are
// gone.
Result<std::string> slug_of(const ProblemsOption& problems, const std::string& name) {
  if (name.empty() || name.find('/') != name.npos) return name;
  return TRY(TRY(problems.open()).find(name)).slug;
}

class History : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab history [options] [PROBLEM]");
    app.add_option("problem", name_, "only attempts at this problem")->type_name("PROBLEM");
    app.add_option("-n", most_, "show this many, the latest first (default 20; 0: all)")->type_name("N");
    app.add_option("--show", show_, "print the source of this attempt")->type_name("ID");
    app.add_flag("--json", json_, "print the attempts as JSON");
    problems_.declare(app);
    app.footer("\nExamples:\n  warpwise lab history map\n  warpwise lab history --show=12 > map.cu");
  }
  Result<int> run() override {
    const lab::Progress progress = TRY(lab::Progress::open());
    if (show_) {
      const auto attempt = TRY(progress.attempt(show_));
      if (!attempt) return Error{"L0005", fmt::format("there is no attempt {}", show_)};
      std::fputs(attempt->source.c_str(), stdout);
      return kLabAccepted;
    }
    // One more than is shown, to know whether there are more.
    const std::string slug = TRY(slug_of(problems_, name_));
    std::vector<Attempt> attempts = TRY(progress.attempts(slug, most_ ? most_ + 1 : 0));
    const bool more = most_ && attempts.size() > most_;
    if (more) attempts.pop_back();
    if (json_) {
      Json out = Json::array();
      for (const Attempt& a : attempts) {
        out.push_back({{"id", a.id},
                       {"at", a.at},
                       {"problem", a.problem},
                       {"verdict", a.verdict},
                       {"samples_only", a.samples_only},
                       {"seed", a.seed},
                       {"seconds", a.seconds},
                       {"file", a.file}});
        if (a.modelled_seconds) out.back()["modelled_seconds"] = *a.modelled_seconds, out.back()["device"] = a.device;
      }
      fmt::print("{}\n", dump_json(out, 2));
      return kLabAccepted;
    }
    if (attempts.empty()) {
      fmt::print("There are no attempts yet. `warpwise lab` says where to begin.\n");
      return kLabAccepted;
    }
    Table table({"id", "when", "problem", "verdict", "time", "file"});
    for (const Attempt& a : attempts)
      table.add({std::to_string(a.id), how_long_ago(a.at), a.problem, a.verdict + (a.samples_only ? " (samples)" : ""),
                 a.modelled_seconds ? fmt::format("{} ({})", perf::seconds_text(*a.modelled_seconds), a.device) : "",
                 a.file});
    table.print();
    if (more) {
      const size_t all = TRY(progress.attempts(slug, 0)).size();
      fmt::print("{} more: warpwise lab history -n 0\n", all - attempts.size());
    }
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::string name_;
  size_t most_ = 20;
  int64_t show_ = 0;
  bool json_ = false;
  ProblemsOption problems_;
};

class Diff : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab diff PROBLEM\n       warpwise lab diff ID ID");
    app.add_option("words", words_, "a problem: its last two attempts; or two attempts (`warpwise lab history`)")
        ->required()
        ->expected(1, 2)
        ->type_name("PROBLEM | ID ID");
    problems_.declare(app);
    app.footer("\nExamples:\n  warpwise lab diff map\n  warpwise lab diff 12 15");
  }
  Result<int> run() override {
    const lab::Progress progress = TRY(lab::Progress::open());
    std::vector<Attempt> two;
    if (words_.size() == 2) {
      for (const std::string& word : words_) {
        auto attempt = TRY(progress.attempt(std::strtoll(word.c_str(), nullptr, 10)));
        if (!attempt) return Error{"L0005", fmt::format("there is no attempt `{}`", word)};
        two.push_back(std::move(*attempt));
      }
    } else {
      two = TRY(progress.attempts(TRY(slug_of(problems_, words_[0])), 2, true));
      if (two.size() < 2) return Error{"L0005", fmt::format("there are fewer than two attempts at `{}`", words_[0])};
      std::reverse(two.begin(), two.end());
    }
    const bool color = use_color(stdout);
    for (const auto& [sign, a] : {std::pair("---", &two[0]), {"+++", &two[1]}})
      fmt::print("{} {} {}: {}, {}\n", sign, a->id, a->file, a->verdict, how_long_ago(a->at));
    std::fputs(line_diff(two[0].source, two[1].source, color).c_str(), stdout);
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::vector<std::string> words_;
  ProblemsOption problems_;
};

class Export : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab export [FILE]");
    app.add_option("file", file_, "write this file (default: standard output)")->type_name("FILE");
    app.footer("\nExamples:\n  warpwise lab export progress.json");
  }
  Result<int> run() override {
    const std::string text = TRY(TRY(lab::Progress::open()).export_json());
    if (file_.empty())
      std::fputs(text.c_str(), stdout);
    else
      TRY(toolchain::write_file(file_, text));
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::string file_;
};

class Import : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab import FILE");
    app.add_option("file", file_, "what `warpwise lab export` wrote")->required()->type_name("FILE");
    app.footer(
        "\nYour own attempts stay. An attempt that is imported twice is kept once.\n\nExamples:\n  warpwise lab import "
        "progress.json");
  }
  Result<int> run() override {
    const std::string text = TRY(toolchain::read_stream(file_));
    const unsigned fresh = TRY(TRY(lab::Progress::open()).import_json(text));
    fmt::print("{} attempt{} imported\n", fresh, fresh == 1 ? "" : "s");
    return kLabAccepted;
  }
  int failure_code() const override { return kLabFailed; }

 private:
  std::string file_;
};

}  // namespace

std::unique_ptr<Command> make_lab_history() { return std::make_unique<History>(); }
std::unique_ptr<Command> make_lab_diff() { return std::make_unique<Diff>(); }
std::unique_ptr<Command> make_lab_export() { return std::make_unique<Export>(); }
std::unique_ptr<Command> make_lab_import() { return std::make_unique<Import>(); }

}  // namespace warpwise::cli
