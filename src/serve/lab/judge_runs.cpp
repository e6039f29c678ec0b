#include "serve/lab/judge_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>

#include "base/json.h"
#include "serve/worker.h"
#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kKinds[] = {"submit", "test", "trace"};

// The judge has limits of its own, and needs a few seconds for the longest of them.
constexpr std::chrono::seconds kLongest{300}, kLongestAnswer{20};
constexpr size_t kMostPages = 8, kMostKept = 32, kMostErrors = 8 * 1024;
// What a judgement prints: a compiler's messages are in it.
constexpr size_t kMostEvents = 512, kMostBytes = 8u << 20;

enum class State : unsigned char { Waiting, Running, Done, Failed, Stopped };
constexpr std::string_view kStates[] = {"waiting", "running", "done", "failed", "stopped"};

struct Follower {
  size_t from = 0;
  std::function<void(Response)> done;
  std::shared_ptr<asio::steady_timer> timer;
};

struct Run {
  uint64_t number = 0;
  RunRequest request;
  State state = State::Waiting;
  std::vector<Json> events;
  std::string line;  // that has not ended yet
  size_t bytes = 0;
  std::string said;  // on standard error
  std::list<Follower> followers;
  std::shared_ptr<Worker> worker;
  fs::path folder, recording;
  bool stopping = false;  // the user wants it to end

  bool has_ended() const { return state != State::Waiting && state != State::Running; }
};

class Runs : public JudgeRuns {
 public:
  Runs(asio::io_context& context, Options options) : context_(context), options_(std::move(options)) {}

  Response start(RunRequest request) override {
    for (Run& run : runs_)
      if (run.state == State::Waiting && run.request.page == request.page) end(run, State::Stopped);
    const auto waiting =
        std::count_if(runs_.begin(), runs_.end(), [](const Run& r) { return r.state == State::Waiting; });
    if (size_t(waiting) >= kMostPages)
      return refuse(503, Error{"W0007", fmt::format("{} submissions of other pages wait already", waiting)});
    forget_old_ones();
    runs_.push_back({.number = ++last_, .request = std::move(request)});
    start_next();
    return answer_of(*find(last_), 0);
  }

  void follow(uint64_t number, size_t from, std::function<void(Response)> done) override {
    Run* run = find(number);
    if (!run) return done(no_run(number));
    if (run->has_ended() || run->events.size() > from) return done(answer_of(*run, from));
    auto timer = std::make_shared<asio::steady_timer>(context_);
    run->followers.push_back({from, std::move(done), timer});
    timer->expires_after(kLongestAnswer);
    timer->async_wait([this, number](boost::system::error_code error) {
      if (Run* late = find(number); late && !error) tell(*late);
    });
  }

  Response stop(uint64_t number) override {
    Run* run = find(number);
    if (!run) return no_run(number);
    run->stopping = true;
    if (run->worker)
      stop_worker(*run);
    else if (!run->has_ended())
      end(*run, State::Stopped);
    return answer_of(*run, 0);
  }

  uint64_t run_of(std::string_view problem) const override {
    uint64_t number = 0;
    for (const Run& run : runs_)
      if (!run.has_ended() && run.request.problem == problem && run.request.kind != RunKind::Trace) number = run.number;
    return number;
  }

  Result<OpenFile> recording(uint64_t number) const override {
    for (const Run& run : runs_)
      if (run.number == number && run.state == State::Done && !run.recording.empty())
        return TRY(Library::open(run.recording)).open_file(run.recording.filename());
    return Error{"W0006", "this recording of the lab is gone: go back to the problem and record it again"};
  }

 private:
  static Response no_run(uint64_t number) {
    return refuse(404,
                  Error{"W0005", fmt::format("there is no run {}; the server may have been started again", number)});
  }

  Run* find(uint64_t number) {
    const auto at = std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) { return run.number == number; });
    return at == runs_.end() ? nullptr : &*at;
  }

  static Response answer_of(const Run& run, size_t from) {
    Json events = Json::array();
    for (size_t n = from; n < run.events.size(); ++n) events.push_back(run.events[n]);
    const Json json{{"run", run.number},
                    {"problem", run.request.problem},
                    {"kind", kKinds[size_t(run.request.kind)]},
                    {"state", kStates[size_t(run.state)]},
                    {"next", run.events.size()},
                    {"events", std::move(events)},
                    {"said", run.said}};
    return {.body = dump_json(json) + "\n"};
  }

  // Everyone who follows hears what is new.
  void tell(Run& run) {
    for (Follower& follower : std::exchange(run.followers, {})) {
      follower.timer->cancel();
      follower.done(answer_of(run, follower.from));
    }
  }

  void start_next() {
    if (std::any_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.state == State::Running; })) return;
    const auto next =
        std::find_if(runs_.begin(), runs_.end(), [](const Run& run) { return run.state == State::Waiting; });
    if (next == runs_.end()) return;
    if (const auto begun = begin(*next); !begun) {
      next->said = fmt::format("{}: {}", begun.error().code, begun.error().message);
      end(*next, State::Failed);
      start_next();
    }
  }

  Result<void> begin(Run& run) {
    run.state = State::Running;
    run.folder = options_.folder / fmt::format("run-{}", run.number);
    const std::string name = run.request.problem.substr(run.request.problem.rfind('/') + 1) + ".cu";
    TRY(toolchain::write_file(run.folder / name, run.request.text));
    std::vector<std::string> command{options_.program, "lab", std::string(kKinds[size_t(run.request.kind)])};
    if (run.request.kind == RunKind::Trace) {
      // Beside the folder that the submission's compiler sees, not in it.
      run.recording = options_.folder / fmt::format("run-{}.wwt", run.number);
      command.insert(command.end(), {"-o", run.recording});
      if (run.request.samples_only) command.push_back("--samples");
    } else {
      command.push_back("--events");
    }
    if (!run.request.seed.empty()) command.push_back("--seed=" + run.request.seed);
    command.insert(command.end(), {"--problems=" + options_.problems.string(), run.request.problem, run.folder / name});
    const uint64_t number = run.number;
    run.worker = TRY(Worker::start(context_, std::move(command), run.folder, kLongest,
                                   {.output = [this, number](std::string_view piece) { take(*find(number), piece); },
                                    .errors = [this, number](std::string_view piece) { note(*find(number), piece); },
                                    .ended = [this, number](int code) { ended(*find(number), code); }}));
    tell(run);
    return {};
  }

  // Each line of a judgement is an event.
  void take(Run& run, std::string_view piece) {
    run.bytes += piece.size();
    if (run.bytes > kMostBytes || run.events.size() >= kMostEvents) return stop_worker(run);
    if (run.request.kind == RunKind::Trace) return;
    run.line += piece;
    bool told = false;
    for (size_t end = 0; (end = run.line.find('\n')) != run.line.npos; run.line.erase(0, end + 1)) {
      Json event = parse_json<Json>(std::string_view(run.line).substr(0, end));
      if (event.is_object()) run.events.push_back(std::move(event)), told = true;
    }
    if (told) tell(run);
  }
  static void note(Run& run, std::string_view piece) {
    run.said += piece.substr(0, kMostErrors - std::min(kMostErrors, run.said.size()));
  }

  // Not at once: it may be this worker that is being heard.
  void stop_worker(Run& run) {
    run.said += run.bytes > kMostBytes ? "the judge said too much, and was ended\n" : "";
    asio::post(context_, [worker = run.worker] { worker->end(); });
  }

  void ended(Run& run, int code) {
    constexpr int kAccepted = 0, kRefused = 1;
    std::error_code missing;
    const bool done = run.request.kind == RunKind::Trace ? code == kAccepted && fs::exists(run.recording, missing)
                                                         : code == kAccepted || code == kRefused;
    end(run, done ? State::Done : run.stopping ? State::Stopped : State::Failed);
    start_next();
  }

  void end(Run& run, State state) {
    run.state = state;
    fs::remove_all(run.folder, gone_);
    tell(run);
  }

  void forget_old_ones() {
    for (auto at = runs_.begin(); at != runs_.end() && runs_.size() >= kMostKept;) {
      if (!at->has_ended()) {
        ++at;
        continue;
      }
      if (!at->recording.empty()) fs::remove(at->recording, gone_);
      at = runs_.erase(at);
    }
  }

  asio::io_context& context_;
  const Options options_;
  std::list<Run> runs_;  // by number
  uint64_t last_ = 0;
  std::error_code gone_;
};

}  // namespace

std::optional<RunKind> run_kind_named(std::string_view name) {
  for (size_t kind = 0; kind < std::size(kKinds); ++kind)
    if (kKinds[kind] == name) return RunKind(kind);
  return std::nullopt;
}

std::unique_ptr<JudgeRuns> JudgeRuns::create(asio::io_context& context, Options options) {
  return std::make_unique<Runs>(context, std::move(options));
}

}  // namespace warpwise::serve
