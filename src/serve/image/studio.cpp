#include "serve/image/studio.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "base/json.h"
#include "serve/asked_process.h"
#include "serve/image/piece_answers.h"
#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Tabs beyond these lose the picture that was asked for least recently, and recordings go in the same way.
constexpr size_t kMostRuns = 4, kMostRecordings = 8;
constexpr std::chrono::seconds kSlowestFrame{30}, kSlowestLook{90};

struct LivePiece {
  uint64_t number = 0;
  PieceRequest request;
  fs::path folder, source;
  std::shared_ptr<AskedProcess> painter, inspector;
};

class PageStudio : public Studio {
 public:
  PageStudio(asio::io_context& context, Options options) : context_(context), options_(std::move(options)) {}
  ~PageStudio() override { alive_.reset(); }

  Response start(PieceRequest request) override {
    std::erase_if(runs_, [&](const LivePiece& run) { return run.request.page == request.page && forget(run); });
    while (runs_.size() >= kMostRuns) forget(runs_.back()), runs_.pop_back();
    LivePiece run{.number = ++last_, .request = std::move(request)};
    run.folder = options_.folder / fmt::format("image-{}", run.number);
    run.source = run.folder / (run.request.name + ".cu");
    if (auto written = toolchain::write_file(run.source, run.request.text); !written)
      return refuse(422, written.error());
    auto painter = process(run, "paint", kSlowestFrame);
    if (!painter) return refuse(500, painter.error());
    run.painter = std::move(*painter);
    runs_.push_front(std::move(run));
    return {.body = dump_json(Json{{"run", last_}}) + "\n"};
  }

  void ask(uint64_t number, const std::string& question, const Parameters& parameters,
           std::function<void(Response)> done) override {
    const auto at =
        std::find_if(runs_.begin(), runs_.end(), [&](const LivePiece& run) { return run.number == number; });
    if (at == runs_.end()) return done(refuse(410, gone()));
    runs_.splice(runs_.begin(), runs_, at);
    LivePiece& run = runs_.front();
    if (question == "piece" || question == "frame") return run.painter->ask(question, parameters, std::move(done));
    if (question != "check" && question != "see")
      return done(refuse(404, Error{"W0005", fmt::format("a picture has no `{}`", question)}));
    const bool state = parameters.contains("state");
    if (!state) return look(run, question, parameters, std::move(done));
    // The arrays as the picture has left them go from process to process as a file, and the next frame is looked at:
    // the one that would follow them.
    run.painter->ask("keep", {}, [=, this, done = std::move(done), still = std::weak_ptr(alive_)](Response kept) {
      if (still.expired()) return;
      if (kept.status != 200) return done(std::move(kept));
      for (LivePiece& now : runs_)
        if (now.number == number) return look(now, question, behind(kept, parameters), std::move(done));
      done(refuse(410, gone()));
    });
  }

  Result<OpenFile> recording(uint64_t number) const override {
    const fs::path file = file_of(number);
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(file, error)))
      return Error{"W0006", "this recording of a picture is gone: click on the pixel again"};
    return TRY(Library::open(file)).open_file(file.filename());
  }

 private:
  static Error gone() { return {"W0009", "another picture has taken its place"}; }
  // The moment behind that of the last picture; the mouse is where the page says.
  static Parameters behind(const Response& kept, Parameters parameters) {
    const Json last = parse_json<Json>(kept.body);
    if (!last.is_object() || !last.contains("frame") || !last["frame"].is_number_integer()) return parameters;
    constexpr double kSecondsOfFrame = 1 / 30.0;
    const int64_t frame = last["frame"].get<int64_t>();
    const double time = last.value("time", 0.0);
    parameters.insert_or_assign("frame", std::to_string(frame + 1));
    parameters.insert_or_assign("time", fmt::format("{:.4f}", frame < 0 ? 0 : time + kSecondsOfFrame));
    return parameters;
  }
  // Beside the folders of pieces, not in one.
  fs::path file_of(uint64_t number) const { return options_.folder / fmt::format("seen-{}.wwt", number); }

  Result<std::shared_ptr<AskedProcess>> process(const LivePiece& run, const char* task, std::chrono::seconds slowest) {
    return AskedProcess::start(
        context_, {options_.program.string(), "image", fmt::format("--answer={}", task), run.source.string()},
        run.folder, {.slowest = slowest, .gone = {"W0009", "the process of the picture has ended"}});
  }

  void look(LivePiece& run, const std::string& question, const Parameters& parameters,
            std::function<void(Response)> done) {
    if (!run.inspector || !run.inspector->alive()) {
      auto inspector = process(run, "inspect", kSlowestLook);
      if (!inspector) return done(refuse(500, inspector.error()));
      run.inspector = std::move(*inspector);
    }
    if (question != "see") return run.inspector->ask(question, parameters, std::move(done));
    run.inspector->ask(
        question, parameters,
        [=, this, done = std::move(done), from = run.folder / kSeenFile, still = std::weak_ptr(alive_)](Response seen) {
          if (still.expired()) return;
          done(seen.status == 200 ? with_recording(std::move(seen), from) : std::move(seen));
        });
  }

  // The file leaves the folder in which the piece's process can write. A link that it may have put there is no file.
  Response with_recording(Response seen, const fs::path& from) {
    std::error_code error;
    const uint64_t number = ++recordings_;
    fs::rename(from, file_of(number), error);
    if (error || !fs::is_regular_file(fs::symlink_status(file_of(number), error)))
      return refuse(422, Error{"W0006", "the process of the picture has made no recording"});
    if (number > kMostRecordings) fs::remove(file_of(number - kMostRecordings), error);
    Json answer = parse_json<Json>(seen.body);
    if (!answer.is_object()) return refuse(422, Error{"W0006", "the process of the picture has made no recording"});
    answer["recording"] = number;
    seen.body = dump_json(answer) + "\n";
    return seen;
  }

  bool forget(const LivePiece& run) {
    std::error_code error;
    if (run.painter) fs::remove_all(run.folder, error);
    return true;
  }

  asio::io_context& context_;
  const Options options_;
  std::list<LivePiece> runs_;  // the one that was asked last first
  uint64_t last_ = 0, recordings_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // answers may come when this object has gone
};

}  // namespace

std::unique_ptr<Studio> Studio::create(asio::io_context& context, Options options) {
  return std::make_unique<PageStudio>(context, std::move(options));
}

bool is_piece_name(std::string_view name) {
  constexpr size_t kMost = 64;
  return !name.empty() && name.size() <= kMost && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace warpwise::serve
