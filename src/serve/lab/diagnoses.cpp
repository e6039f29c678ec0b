#include "serve/lab/diagnoses.h"

#include <fmt/format.h>

#include <list>

#include "base/json.h"
#include "lab/judge/compile_submission.h"
#include "lab/trial/solve_program.h"
#include "serve/asked_process.h"
#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

Result<std::string> messages_about(const fs::path& source, bool solve) {
  const std::vector<std::string> words = solve ? TRY(lab::words_for_solve(source)) : std::vector<std::string>();
  const lab::CompiledSubmission made = TRY(lab::compile_device_half(source, lab::CompileOptions{.headers = {}}, words));
  std::string messages = made.messages;
  const std::string folder = source.parent_path().string() + "/";
  for (size_t at = 0; (at = messages.find(folder, at)) != std::string::npos;) messages.erase(at, folder.size());
  return messages;
}

struct Text {
  std::string page, name, text;
  lab::Kind kind;
  std::function<void(Response)> done;
};

class CompilerDiagnoses : public Diagnoses {
 public:
  CompilerDiagnoses(asio::io_context& context, Options options) : context_(context), options_(std::move(options)) {}
  ~CompilerDiagnoses() override { alive_.reset(); }

  void diagnose(const std::string& page, const std::string& name, lab::Kind kind, const std::string& text,
                std::function<void(Response)> done) override {
    const Error older{"W0007", "a newer text has taken its place"};
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      if (at->page != page) {
        ++at;
        continue;
      }
      at->done(refuse(409, older));
      at = waiting_.erase(at);
    }
    constexpr size_t kMostPages = 8;
    if (waiting_.size() >= kMostPages) return done(refuse(503, Error{"W0007", "too many texts wait for the compiler"}));
    waiting_.push_back({page, name, text, kind, std::move(done)});
    if (!busy_) compile_next();
  }

 private:
  void compile_next() {
    if (waiting_.empty()) return;
    const Text text = std::move(waiting_.front());
    waiting_.pop_front();
    const fs::path folder = options_.folder / fmt::format("diagnosed-{}", ++last_), file = folder / (text.name + ".cu");
    if (auto written = toolchain::write_file(file, text.text); !written) return text.done(refuse(422, written.error()));
    if (!process_ || !process_->alive()) {
      auto started = AskedProcess::start(context_, {options_.program.string(), "serve", "--answer=diagnose"},
                                         options_.folder, {.gone = {"W0007", "the compiler's process has ended"}});
      if (!started) return text.done(refuse(500, started.error()));
      process_ = std::move(*started);
    }
    busy_ = true;
    const Parameters parameters{{"file", file.string()}, {"solve", text.kind == lab::Kind::Solve ? "1" : "0"}};
    process_->ask("diagnose", parameters,
                  [this, folder, done = text.done, still = std::weak_ptr(alive_)](Response response) {
                    if (still.expired()) return;
                    std::error_code gone;
                    fs::remove_all(folder, gone);
                    busy_ = false;
                    done(std::move(response));
                    compile_next();
                  });
  }

  asio::io_context& context_;
  const Options options_;
  std::shared_ptr<AskedProcess> process_;
  std::list<Text> waiting_;
  bool busy_ = false;
  uint64_t last_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // answers may come when this object has gone
};

}  // namespace

void answer_diagnoses(int socket) {
  answer_questions(socket, [](const std::string&, const Parameters& parameters) {
    const auto file = parameters.find("file"), solve = parameters.find("solve");
    if (file == parameters.end() || solve == parameters.end())
      return refuse(400, Error{"W0005", "the question names no file"});
    const auto messages = messages_about(file->second, solve->second == "1");
    if (!messages) return refuse(422, messages.error());
    return Response{.body = dump_json(nlohmann::json{{"messages", *messages}}) + "\n"};
  });
}

std::unique_ptr<Diagnoses> Diagnoses::create(asio::io_context& context, Options options) {
  return std::make_unique<CompilerDiagnoses>(context, std::move(options));
}

}  // namespace warpwise::serve
