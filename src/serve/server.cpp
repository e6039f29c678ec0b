#include "serve/server.h"

#include <fmt/format.h>
#include <signal.h>

#include <boost/asio/signal_set.hpp>
#include <list>
#include <map>
#include <nlohmann/json.hpp>

#include "serve/answers.h"
#include "serve/http.h"
#include "serve/image/piece_list.h"
#include "serve/image/studio.h"
#include "serve/lab/diagnoses.h"
#include "serve/lab/judge_runs.h"
#include "serve/lab/lab_answers.h"
#include "serve/lab/lessons.h"
#include "serve/plan.h"
#include "serve/reader.h"
#include "serve/recorder.h"
#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

// More readers than these are not kept; the one that was asked least recently ends.
constexpr size_t kMostReaders = 8;

class PageServer {
 public:
  PageServer(asio::io_context& context, const Library& library, const ServerOptions& options, Assets assets, Door door,
             toolchain::TemporaryFolder folder)
      : context_(context),
        library_(library),
        options_(options),
        assets_(std::move(assets)),
        door_(std::move(door)),
        folder_(std::move(folder)),
        pieces_(options.images),
        studio_(Studio::create(context, {options.program, folder_.path()})) {
    auto catalogue = lab::Catalogue::open(options.problems);
    if (!catalogue) return;
    lab_.emplace(std::move(*catalogue));
    runs_ = JudgeRuns::create(context, {options.program, lab_->catalogue().root(), folder_.path()});
    diagnoses_ = Diagnoses::create(context, {options.program, folder_.path()});
    lessons_.emplace(context, lab_->catalogue(), Lessons::Options{options.program, folder_.path()});
  }

  void answer(Request request, Answered done) {
    Plan plan = plan_for(request, door_, assets_, library_);
    if (Response* response = std::get_if<Response>(&plan)) return done(std::move(*response));
    if (std::holds_alternative<ListFiles>(plan)) return done(list());
    if (const auto* ask = std::get_if<AskRecording>(&plan)) return pass_on(*ask, request.query, std::move(done));
    if (const auto* start = std::get_if<StartRecording>(&plan))
      return done(start_recording(start->file, start->product));
    if (const auto* show = std::get_if<ShowRecording>(&plan)) return done(show_recording(show->file, show->product));
    if (const auto* show = std::get_if<ShowReport>(&plan)) return done(report(show->file));
    if (std::holds_alternative<AskPieces>(plan)) return done(pieces_.answer(request));
    if (auto* start = std::get_if<StartPiece>(&plan)) return done(studio_->start(std::move(start->request)));
    if (const auto* ask = std::get_if<AskPiece>(&plan))
      return studio_->ask(ask->run, ask->question, request.query, std::move(done));
    if (!lab_) return done(refuse(404, Error{"W0008", "there are no problems of the lab here"}));
    if (std::holds_alternative<AskLab>(plan)) return done(ask_lab(request));
    if (std::holds_alternative<AskLessons>(plan)) return done(lessons_->answer(request));
    if (const auto* text = std::get_if<DiagnoseText>(&plan)) return diagnose(*text, std::move(done));
    if (auto* run = std::get_if<StartRun>(&plan)) return done(start_run(std::move(run->request)));
    if (const auto* follow = std::get_if<FollowRun>(&plan))
      return runs_->follow(follow->run, follow->from, std::move(done));
    done(runs_->stop(std::get<StopRun>(plan).run));
  }

 private:
  // The readers, the one that was asked last first.
  struct Opened {
    std::string name;
    bool slow = false;  // it reads all steps
    std::shared_ptr<AskedProcess> reader;
  };

  using Made = std::pair<std::string, Product>;  // of which source, and what

  // A problem's answer also says which run it has.
  Response ask_lab(const Request& request) const {
    Response response = lab_->answer(request);
    const auto name = request.query.find("name");
    const uint64_t run = name == request.query.end() ? 0 : runs_->run_of(name->second);
    if (run != 0) response.headers.emplace_back("Warpwise-Run", std::to_string(run));
    return response;
  }
  void diagnose(const DiagnoseText& text, Answered done) {
    if (!is_problem(text.problem))
      return done(refuse(404, Error{"L0005", fmt::format("there is no problem `{}`", text.problem)}));
    const auto problem = lab_->catalogue().load(text.problem);
    if (!problem) return done(refuse(422, problem.error()));
    const std::string name = text.problem.substr(text.problem.rfind('/') + 1);
    diagnoses_->diagnose(text.page, name, problem->kind, text.text, std::move(done));
  }
  bool is_problem(const std::string& name) const {
    const auto& slugs = lab_->catalogue().slugs();
    return std::find(slugs.begin(), slugs.end(), name) != slugs.end();
  }
  Response start_run(RunRequest request) {
    if (!is_problem(request.problem))
      return refuse(404, Error{"L0005", fmt::format("there is no problem `{}`", request.problem)});
    return runs_->start(std::move(request));
  }

  Response list() const {
    auto files = nlohmann::ordered_json::array();
    for (const LibraryFile& file : library_.files()) {
      const bool source = file.kind == FileKind::Source;
      const auto recorder = recorders_.find({file.name, Product::Recording});
      const RecordState state = !source                        ? RecordState::Ready
                                : recorder == recorders_.end() ? RecordState::None
                                                               : recorder->second->progress().state;
      files.push_back({{"name", file.name},
                       {"kind", source ? "source" : "recording"},
                       {"bytes", file.bytes},
                       {"state", name_of(state)}});
    }
    const nlohmann::ordered_json json{{"format", 1},
                                      {"open", library_.only()},
                                      {"home", options_.lab_first && lab_ ? "lab" : "files"},
                                      {"lab", lab_.has_value()},
                                      {"images", !pieces_.is_empty()},
                                      {"files", std::move(files)}};
    return {.body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"};
  }

  // The file whose recording goes by this name: itself, or what was made of a source.
  Result<OpenFile> open_recording(const LibraryFile& file) const {
    if (const auto run = run_of_recording(file.name)) {
      if (!runs_) return Error{"W0006", "there is no lab here"};
      return runs_->recording(*run);
    }
    if (is_of_lesson(file.name)) {
      if (!lessons_) return Error{"W0006", "there is no lab here"};
      return lessons_->recording(file.name);
    }
    if (const auto seen = image_of_recording(file.name)) return studio_->recording(*seen);
    if (file.kind == FileKind::Recording) return library_.open_file(file.name);
    const auto recorder = recorders_.find({file.name, Product::Recording});
    if (recorder == recorders_.end() || recorder->second->progress().state != RecordState::Ready)
      return Error{"W0006", fmt::format("`{}` has not been recorded", file.name)};
    return TRY(Library::open(recording_of(file.name))).open_file(recording_of(file.name).filename());
  }
  fs::path recording_of(const std::string& source) const {
    return folder_.path() / fs::path(source).replace_extension(".wwt");
  }

  Result<std::shared_ptr<AskedProcess>> reader_of(const LibraryFile& file, bool slow) {
    for (auto at = readers_.begin(); at != readers_.end(); ++at) {
      if (at->name != file.name || at->slow != slow) continue;
      if (!at->reader->alive()) {
        readers_.erase(at);
        break;
      }
      readers_.splice(readers_.begin(), readers_, at);
      return at->reader;
    }
    const OpenFile recording = TRY(open_recording(file));
    readers_.push_front({file.name, slow, TRY(start_reader(context_, recording))});
    if (readers_.size() > kMostReaders) readers_.pop_back();
    return readers_.front().reader;
  }

  void pass_on(const AskRecording& ask, const Parameters& parameters, Answered done) {
    const auto reader = reader_of(ask.file, reads_all_steps(ask.question));
    if (!reader) return done(refuse(409, reader.error()));
    (*reader)->ask(ask.question, parameters, std::move(done));
  }

  // One at a time: a recording uses the processors of the machine.
  Response start_recording(const LibraryFile& file, Product product) {
    const Made made{file.name, product};
    for (const auto& [other, recorder] : recorders_) {
      if (recorder->progress().state != RecordState::Recording) continue;
      if (other == made) return show_recording(file, product);
      return refuse(409, Error{"W0006", fmt::format("`{}` is being run: wait until that is done", other.first)});
    }
    if (product == Product::Recording)
      std::erase_if(readers_, [&](const Opened& opened) { return opened.name == file.name; });
    std::error_code missing;
    const fs::path output = product == Product::Recording ? recording_of(file.name) : report_of(file.name);
    fs::remove(output, missing);
    const std::string source = (library_.folder() / file.name).string();
    std::vector<std::string> command{options_.program, "trace", "-o", output, source};
    if (product == Product::Profile) command = {options_.program, "profile", "--html=" + output.string(), source};
    const auto words = product == Product::Recording ? options_.trace_words : program_words();
    command.insert(command.end(), words.begin(), words.end());
    auto recorder = Recorder::start(context_, std::move(command), fs::current_path(missing), output);
    if (!recorder) return refuse(500, recorder.error());
    recorders_[made] = std::move(*recorder);
    return show_recording(file, product);
  }
  Response show_recording(const LibraryFile& file, Product product) const {
    const auto recorder = recorders_.find({file.name, product});
    return {.body = to_json(recorder == recorders_.end() ? RecordProgress{} : recorder->second->progress())};
  }

  // The arguments of the program, without the options of `warpwise trace`.
  std::vector<std::string> program_words() const {
    const auto& words = options_.trace_words;
    const auto behind = std::find(words.begin(), words.end(), "--");
    std::vector<std::string> arguments{"--"};
    std::copy_if(words.begin(), behind, std::back_inserter(arguments), [](const auto& word) { return word[0] != '-'; });
    arguments.insert(arguments.end(), behind == words.end() ? behind : behind + 1, words.end());
    return arguments.size() == 1 ? std::vector<std::string>() : arguments;
  }

  // The report has style and script in it, and texts of programs: it may do nothing but show them. It has an origin of
  // its own, even where it is opened outside of the page's frame.
  Response report(const LibraryFile& file) const {
    const auto recorder = recorders_.find({file.name, Product::Profile});
    if (recorder == recorders_.end() || recorder->second->progress().state != RecordState::Ready)
      return refuse(409, Error{"W0006", fmt::format("`{}` has not been profiled", file.name)});
    auto text = toolchain::read_file(report_of(file.name));
    if (!text) return refuse(422, text.error());
    Response response{.type = "text/html; charset=utf-8", .body = std::move(*text)};
    response.headers.emplace_back(
        "Content-Security-Policy",
        "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src "
        "'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'");
    return response;
  }
  fs::path report_of(const std::string& source) const { return folder_.path() / (source + ".profile.html"); }

  asio::io_context& context_;
  const Library& library_;
  const ServerOptions& options_;
  Assets assets_;
  Door door_;
  toolchain::TemporaryFolder folder_;
  const PieceList pieces_;
  const std::unique_ptr<Studio> studio_;
  std::optional<LabAnswers> lab_;
  std::unique_ptr<JudgeRuns> runs_;
  std::unique_ptr<Diagnoses> diagnoses_;
  std::optional<Lessons> lessons_;
  std::list<Opened> readers_;
  std::map<Made, std::shared_ptr<Recorder>> recorders_;
};

}  // namespace

Result<void> serve(const Library& library, const ServerOptions& options,
                   const std::function<void(const std::string& link)>& ready) {
  Assets assets = TRY(Assets::read(options.page));
  std::error_code error;
  auto folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  asio::io_context context(1);
  asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
  const auto http = TRY(HttpServer::listen(context, options.port, options.limits));
  Door door = TRY(Door::make(http->port()));
  const std::string link = door.link();
  PageServer server(context, library, options, std::move(assets), std::move(door), std::move(folder));
  http->start([&](Request request, Answered done) { server.answer(std::move(request), std::move(done)); });
  signals.async_wait([&](boost::system::error_code, int) {
    http->stop();
    context.stop();
  });
  ready(link);
  context.run();
  return {};
}

}  // namespace warpwise::serve
