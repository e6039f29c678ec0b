#include "serve/recorder.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "serve/worker.h"

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostSaid = 32 * 1024;

class RecorderProcess : public Recorder {
 public:
  explicit RecorderProcess(fs::path file) : file_(std::move(file)) {}

  Result<void> start(asio::io_context& context, std::vector<std::string> command, const fs::path& folder) {
    worker_ = TRY(Worker::start(context, std::move(command), {folder, file_.parent_path()}, kLongest,
                                {.output = [this](std::string_view piece) { take(piece); },
                                 .errors = {},
                                 .ended = [this](int exit_code) { end(exit_code); }}));
    return {};
  }

  RecordProgress progress() const override {
    const auto until = worker_->running() ? Clock::now() : stop_;
    return {state_, std::chrono::duration<double>(until - begin_).count(), exit_code_, said_};
  }

 private:
  void take(std::string_view piece) {
    said_ += piece;
    if (said_.size() > 2 * kMostSaid) said_ = "…\n" + said_.substr(said_.size() - kMostSaid);
  }
  void end(int exit_code) {
    stop_ = Clock::now(), exit_code_ = exit_code;
    if (stop_ - begin_ > kLongest) said_ += fmt::format("\nended after {} minutes\n", kLongest.count());
    std::error_code missing;
    state_ = fs::exists(file_, missing) ? RecordState::Ready : RecordState::Failed;
  }

  const fs::path file_;
  RecordState state_ = RecordState::Recording;
  Clock::time_point begin_ = Clock::now(), stop_ = begin_;
  int exit_code_ = 0;
  std::string said_;
  std::shared_ptr<Worker> worker_;
};

}  // namespace

std::string_view name_of(RecordState state) {
  constexpr std::string_view kNames[] = {"none", "recording", "ready", "failed"};
  return kNames[size_t(state)];
}

std::string to_json(const RecordProgress& progress) {
  const nlohmann::ordered_json json{{"state", name_of(progress.state)},
                                    {"seconds", progress.seconds},
                                    {"exit_code", progress.exit_code},
                                    {"said", progress.said}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<std::shared_ptr<Recorder>> Recorder::start(asio::io_context& context, std::vector<std::string> command,
                                                  const fs::path& folder, const fs::path& output) {
  auto recorder = std::make_shared<RecorderProcess>(output);
  TRY(recorder->start(context, std::move(command), folder));
  return std::shared_ptr<Recorder>(recorder);
}

}  // namespace warpwise::serve
