#include "serve/lab/judge_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <map>

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
// What ended runs hold all together: their sources and what was said of them.
constexpr size_t kMostKeptBytes = 64u << 20;

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
      if (run.state == State::Waiting && is_of_page(run, request)) end(run, State::Stopped);
    const auto waiting =
        std::count_if(runs_.begin(), runs_.end(), [](const Run& r) { return r.state == State::Waiting; });
    if (size_t(waiting) >= (sharing() ? sharing()->most_waiting : kMostPages))
      return refuse(503, Error{"W0007", fmt::format("{} submissions of other pages wait already", waiting)});
    forget_old_ones();
    if (request.kind == RunKind::Trace && sharing()) forget_recordings_of(request);
    runs_.push_back({.number = ++last_, .request = std::move(request)});
    for (const Run& known : runs_)
      if (is_answer_to(known, runs_.back())) {
        repeat(known, runs_.back());
        break;
      }
    start_next();
    return answer_of(*find(last_), 0);
  }

  void follow(uint64_t number, size_t from, std::function<void(Response)> done, int64_t person) override {
    Run* run = find_of(number, person);
    if (!run) return done(no_run(number));
    if (run->has_ended() || run->events.size() > from) return done(answer_of(*run, from));
    auto timer = std::make_shared<asio::steady_timer>(context_);
    run->followers.push_back({from, std::move(done), timer});
    timer->expires_after(kLongestAnswer);
    timer->async_wait([this, number](boost::system::error_code error) {
      if (Run* late = find(number); late && !error) tell(*late);
    });
  }

  Response stop(uint64_t number, int64_t person) override {
    Run* run = find_of(number, person);
    if (!run) return no_run(number);
    run->stopping = true;
    if (run->worker)
      stop_worker(*run);
    else if (!run->has_ended())
      end(*run, State::Stopped);
    return answer_of(*run, 0);
  }

  uint64_t run_of(std::string_view problem, int64_t person) const override {
    uint64_t number = 0;
    for (const Run& run : runs_)
      if (!run.has_ended() && run.request.problem == problem && run.request.kind != RunKind::Trace &&
          run.request.person == person)
        number = run.number;
    return number;
  }

  std::pair<std::string, std::string> now_of(int64_t person) const override {
    std::pair<std::string, std::string> now;
    for (const Run& run : runs_)
      if (!run.has_ended() && run.request.person == person)
        now = {run.request.problem, std::string(kStates[size_t(run.state)])};
    return now;
  }

  QueueLength length() const override {
    QueueLength length;
    for (const Run& run : runs_)
      if (run.state == State::Running)
        ++length.running;
      else if (run.state == State::Waiting)
        ++length.waiting;
    return length;
  }

  Result<OpenFile> recording(uint64_t number, int64_t person) const override {
    for (const Run& run : runs_)
      if (run.number == number && run.request.person == person && run.state == State::Done && !run.recording.empty())
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

  Run* find_of(uint64_t number, int64_t person) {
    Run* run = find(number);
    return run && run->request.person == person ? run : nullptr;
  }
  const Sharing* sharing() const { return options_.sharing ? &*options_.sharing : nullptr; }
  bool is_of_page(const Run& run, const RunRequest& request) const {
    return sharing() ? run.request.person == request.person : run.request.page == request.page;
  }

  Response answer_of(const Run& run, size_t from) const {
    Json events = Json::array();
    for (size_t n = from; n < run.events.size(); ++n) events.push_back(run.events[n]);
    const Json json{{"run", run.number},
                    {"problem", run.request.problem},
                    {"kind", kKinds[size_t(run.request.kind)]},
                    {"state", kStates[size_t(run.state)]},
                    {"ahead", run.state == State::Waiting ? ahead_of(run) : 0},
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

  bool is_running(const RunRequest& of) const {
    return std::any_of(runs_.begin(), runs_.end(),
                       [&](const Run& run) { return run.state == State::Running && is_of_page(run, of); });
  }
  // Before whom a waiting run is served: those who were served longest ago come first, and then those who asked first.
  std::pair<uint64_t, uint64_t> turn_of(const Run& run) const {
    const auto served = served_.find(run.request.person);
    return {!sharing() || served == served_.end() ? 0 : served->second, run.number};
  }
  size_t ahead_of(const Run& run) const {
    return size_t(std::count_if(runs_.begin(), runs_.end(), [&](const Run& other) {
      return other.state == State::Running || (other.state == State::Waiting && turn_of(other) < turn_of(run));
    }));
  }

  // A verdict that time decides may be another one when the machine is less busy.
  static const Json* verdict_of(const Run& run) {
    const Json* found = nullptr;
    for (const Json& event : run.events)
      if (const auto judgement = event.find("judgement"); judgement != event.end()) found = &*judgement;
    return found;
  }
  static bool are_equal(const RunRequest& a, const RunRequest& b) {
    return a.kind == b.kind && a.kind != RunKind::Trace && a.problem == b.problem && a.seed == b.seed &&
           a.text == b.text;
  }
  bool is_answer_to(const Run& known, const Run& run) const {
    if (!sharing() || &known == &run || known.state != State::Done || !are_equal(known.request, run.request))
      return false;
    const Json* judgement = verdict_of(known);
    return judgement && judgement->value("verdict", "") != "too-slow";
  }
  void repeat(const Run& known, Run& run) {
    run.events = known.events, run.bytes = known.bytes;
    note_verdict(run);
    end(run, State::Done);
  }
  void note_verdict(const Run& run) {
    const Json* judgement = verdict_of(run);
    if (sharing() && sharing()->judged && judgement && run.request.kind != RunKind::Trace)
      sharing()->judged(run.request, dump_json(*judgement));
  }
  // A run whose equal is being judged waits for that verdict.
  bool waits_for_equal(const Run& run) const {
    return sharing() && std::any_of(runs_.begin(), runs_.end(), [&](const Run& other) {
             return other.state == State::Running && are_equal(other.request, run.request);
           });
  }

  Run* next() {
    Run* next = nullptr;
    for (Run& run : runs_)
      if (run.state == State::Waiting && !waits_for_equal(run) && !(sharing() && is_running(run.request)) &&
          (!next || turn_of(run) < turn_of(*next)))
        next = &run;
    return next;
  }

  void start_next() {
    bool moved = false;
    while (length().running < (sharing() ? sharing()->at_once : 1)) {
      Run* run = next();
      if (!run) break;
      served_[run->request.person] = ++turns_;
      moved = true;
      if (const auto begun = begin(*run); !begun) {
        run->said = fmt::format("{}: {}", begun.error().code, begun.error().message);
        end(*run, State::Failed);
      }
    }
    if (!moved || !sharing()) return;
    for (Run& run : runs_)
      if (run.state == State::Waiting) tell(run);
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
      if (!run.request.like.empty()) command.push_back("--like=" + run.request.like);
    } else {
      command.push_back("--events");
      if (sharing()) command.push_back("--no-record");
    }
    if (!run.request.seed.empty()) command.push_back("--seed=" + run.request.seed);
    command.insert(command.end(), {"--problems=" + options_.problems.string(), run.request.problem, run.folder / name});
    const uint64_t number = run.number;
    run.worker = TRY(Worker::start(context_, std::move(command), {run.folder, options_.folder}, kLongest,
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
    if (done) note_verdict(run);
    end(run, done ? State::Done : run.stopping ? State::Stopped : State::Failed);
    for (Run& other : runs_)
      if (other.state == State::Waiting && is_answer_to(run, other)) repeat(run, other);
    start_next();
  }

  void end(Run& run, State state) {
    run.state = state;
    fs::remove_all(run.folder, gone_);
    tell(run);
  }

  void forget_old_ones() {
    const size_t most = sharing() ? sharing()->most_kept : kMostKept;
    size_t bytes = 0;
    for (const Run& run : runs_) bytes += run.bytes + run.request.text.size();
    for (auto at = runs_.begin(); at != runs_.end() && (runs_.size() >= most || bytes > kMostKeptBytes);) {
      if (!at->has_ended()) {
        ++at;
        continue;
      }
      bytes -= at->bytes + at->request.text.size();
      if (!at->recording.empty()) fs::remove(at->recording, gone_);
      at = runs_.erase(at);
    }
  }
  // Recordings are large: each student has the two newest.
  void forget_recordings_of(const RunRequest& request) {
    const auto is_old = [&](const Run& run) {
      return run.has_ended() && !run.recording.empty() && run.request.person == request.person;
    };
    for (auto left = std::count_if(runs_.begin(), runs_.end(), is_old); left > 1; --left) {
      const auto oldest = std::find_if(runs_.begin(), runs_.end(), is_old);
      fs::remove(oldest->recording, gone_);
      runs_.erase(oldest);
    }
  }

  asio::io_context& context_;
  const Options options_;
  std::list<Run> runs_;  // by number
  uint64_t last_ = 0;
  std::map<int64_t, uint64_t> served_;  // when each person was served last, in turns
  uint64_t turns_ = 0;
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
