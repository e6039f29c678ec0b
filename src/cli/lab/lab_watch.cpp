// warpwise lab watch: judges a file each time it is saved.
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "cli/lab/lab.h"
#include "cli/lab/named_file.h"
#include "cli/support/help_format.h"
#include "cli/support/terminal.h"
#include "lab/report/judgement_text.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

// Editors write in several steps: a file must have been unchanged for this long.
constexpr int kQuietMilliseconds = 30;

// Waits until a file of a folder has been written or moved there. Editors replace files, so the folder is watched.
class SaveWatch {
 public:
  static Result<SaveWatch> open(const fs::path& file) {
    const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
    const int fd = inotify_init1(IN_CLOEXEC);
    if (fd < 0 || inotify_add_watch(fd, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
      const int reason = errno;
      if (fd >= 0) close(fd);
      return Error{"U0001", fmt::format("cannot watch `{}`: {}", folder.string(), std::strerror(reason))};
    }
    return SaveWatch(fd, file.filename());
  }
  SaveWatch(SaveWatch&& other) noexcept : fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}
  SaveWatch& operator=(SaveWatch&&) = delete;
  ~SaveWatch() {
    if (fd_ >= 0) close(fd_);
  }

  bool wait() {
    bool saved = false;
    for (;;) {
      pollfd ready{fd_, POLLIN, 0};
      const int n = poll(&ready, 1, saved ? kQuietMilliseconds : -1);
      if (n == 0) return true;
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      alignas(inotify_event) char events[4096];
      const ssize_t bytes = read(fd_, events, sizeof events);
      if (bytes <= 0) return false;
      for (ssize_t at = 0; at < bytes;) {
        const auto* event = reinterpret_cast<const inotify_event*>(events + at);
        saved = saved || (event->len && name_ == event->name);
        at += ssize_t(sizeof(inotify_event) + event->len);
      }
    }
  }

 private:
  SaveWatch(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  int fd_;
  std::string name_;
};

class Watch : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise lab watch [options] [PROBLEM] FILE.cu");
    app.add_option("words", words_, "the problem, where the file has another name, then the file")
        ->type_name("[PROBLEM] FILE")
        ->expected(1, 2);
    app.add_option("--times", times_, "end after this many verdicts (default: never)")->type_name("N");
    problems_.declare(app);
    judging_.declare(app);
    app.footer(
        "\nJudges the file now and each time you save it. ^C ends this.\n\nExamples:\n  warpwise lab watch map.cu");
  }
  Result<int> run() override {
    if (words_.empty()) {
      report(Error{"U0003", "which file? For example: warpwise lab watch map.cu"});
      return kLabUsage;
    }
    const lab::Catalogue catalogue = TRY(problems_.open());
    const fs::path file = submitted_file(words_, catalogue);
    SaveWatch saves = TRY(SaveWatch::open(file));
    for (unsigned n = 0;;) {
      TRY(judge_once(catalogue));
      if (times_ && ++n >= times_) return kLabAccepted;
      if (!saves.wait()) return Error{"U0001", fmt::format("`{}` can no longer be watched", file.string())};
    }
  }
  int failure_code() const override { return kLabFailed; }

 private:
  Result<void> judge_once(const lab::Catalogue& catalogue) {
    const bool screen = isatty(STDOUT_FILENO) && !judging_.json();
    const auto [file, source, problem] = TRY(named_submission(words_, catalogue, "watch"));
    lab::JudgeOptions options = judging_.options();
    options.modelled = true;
    lab::Judgement judgement = TRY(lab::judge(problem, file, options));
    Result<lab::Progress> history = lab::Progress::open();
    // Measuring a ladder takes seconds: `submit` does that.
    if (judgement.performance)
      TRY(place_among_others(catalogue, problem, options.device, history.ok() ? &*history : nullptr,
                             *judgement.performance));
    if (screen) std::fputs("\033[2J\033[H", stdout);
    record_attempt(history, problem, judgement, file, source, false);
    const std::string text = judging_.json() ? to_json(judgement, facts_of(problem, judgement)) + "\n"
                                             : to_text(problem, judgement, judging_.style());
    std::fputs(text.c_str(), stdout);
    if (screen)
      fmt::print("\n{}\n", styled(true, "2",
                                  fmt::format("judged in {:.0f} ms; watching {} (^C ends)", judgement.seconds * 1000,
                                              file.string())));
    std::fflush(stdout);
    return {};
  }

  std::vector<std::string> words_;
  unsigned times_ = 0;
  ProblemsOption problems_;
  JudgingOptions judging_;
};

}  // namespace

std::unique_ptr<Command> make_lab_watch() { return std::make_unique<Watch>(); }

}  // namespace warpwise::cli
