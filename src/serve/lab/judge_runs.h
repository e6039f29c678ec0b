// Submissions of the page. Each is a run: `warpwise lab submit --events` as a process of its own, on a file in a folder
// of its own. So the page's verdicts are those of the command, and what a submission does, or does to the judge, does
// not reach the server. "See it" is `warpwise lab trace` in the same way.
//
// One run at a time, because a judgement uses all processors. Of each page one more may wait; a newer one of that page
// takes its place. Pages follow a run by asking for what is new in it: the answer comes when there is something.
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
};

class JudgeRuns {
 public:
  struct Options {
    std::filesystem::path program, problems, folder;  // warpwise; the catalogue's root; where runs have theirs
  };
  static std::unique_ptr<JudgeRuns> create(boost::asio::io_context& context, Options options);
  virtual ~JudgeRuns() = default;

  // {"run": N, "state": …}, or 503 when too many pages wait.
  virtual Response start(RunRequest request) = 0;
  // {"run": N, "problem": …, "kind": …, "state": …, "next": K, "events": […], "said": …}: the events from number `from`
  // on. Answered when there are some, when the run has ended, or after 20 seconds.
  virtual void follow(uint64_t run, size_t from, std::function<void(Response)> done) = 0;
  virtual Response stop(uint64_t run) = 0;
  // The run that this problem has now, running or waiting; 0: none.
  virtual uint64_t run_of(std::string_view problem) const = 0;
  // W0006 when the run has made no recording.
  virtual Result<OpenFile> recording(uint64_t run) const = 0;
};

}  // namespace warpwise::serve
