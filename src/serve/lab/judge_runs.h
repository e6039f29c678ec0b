// Submissions of the page. Each is a run: `warpwise lab submit --events` as a process of its own, on a file in a folder
// of its own. So the page's verdicts are those of the command, and what a submission does, or does to the judge, does
// not reach the server. "See it" is `warpwise lab trace` in the same way.
//
// One run at a time, because a judgement uses all processors. Of each page one more may wait; a newer one of that page
// takes its place. Pages follow a run by asking for what is new in it: the answer comes when there is something.
//
// A class shares the judge (Sharing). A person counts as one page: one run and one that waits, however many tabs there
// are. The person who was served longest ago is served next. Who submits what another has submitted gets the same
// verdict without a second run: a class that starts with the same text costs one. No person hears of another's runs.
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <memory>

#include "serve/library.h"
#include "serve/message.h"

namespace warpwise::serve {

enum class RunKind : unsigned char { Submit, Test, Trace };
std::optional<RunKind> run_kind_named(std::string_view name);  // "submit", "test", "trace"

struct RunRequest {
  std::string page;     // which tab it comes from: a name that the tab has given itself
  std::string problem;  // "puzzles/map"
  RunKind kind = RunKind::Submit;
  std::string text;  // the source
  // Of a trace: those of the verdict that it shows.
  std::string seed;  // "": any
  bool samples_only = false;
  std::string
      like{};  // the case that another recording shows, as that says it (lab/judge/recorded_case.h); "": its own
  int64_t person = 0;  // a student of the class; 0: the user of this machine
};

// Of a class.
struct Sharing {
  size_t at_once = 2, most_waiting = 128, most_kept = 256;
  // The judge records nothing; this is called with each verdict, of equal submissions once for each.
  std::function<void(const RunRequest& request, const std::string& judgement)> judged;
};
// How long the queue is.
struct QueueLength {
  size_t running = 0, waiting = 0;
};

class JudgeRuns {
 public:
  struct Options {
    std::filesystem::path program, problems, folder;  // warpwise; the catalogue's root; where runs have theirs
    std::optional<Sharing> sharing{};
  };
  static std::unique_ptr<JudgeRuns> create(boost::asio::io_context& context, Options options);
  virtual ~JudgeRuns() = default;

  // {"run": N, "state": …}, or 503 when too many pages wait.
  virtual Response start(RunRequest request) = 0;
  // {"run": N, "problem": …, "kind": …, "state": …, "ahead": M, "next": K, "events": […], "said": …}: the events from
  // number `from` on. Answered when there are some, when the run has ended, or after 20 seconds; of a class also when
  // the queue has moved. All of these: `person` has no runs but their own.
  virtual void follow(uint64_t run, size_t from, std::function<void(Response)> done, int64_t person = 0) = 0;
  virtual Response stop(uint64_t run, int64_t person = 0) = 0;
  // The run that this problem has now, running or waiting; 0: none.
  virtual uint64_t run_of(std::string_view problem, int64_t person = 0) const = 0;
  // What a person's newest run that has not ended is about, and its state; "", "" when there is none.
  virtual std::pair<std::string, std::string> now_of(int64_t person) const = 0;
  virtual QueueLength length() const = 0;
  // W0006 when the run has made no recording.
  virtual Result<OpenFile> recording(uint64_t run, int64_t person = 0) const = 0;
};

}  // namespace warpwise::serve
