#include "serve/server.h"

#include <fmt/format.h>
#include <signal.h>

#include <boost/asio/signal_set.hpp>
#include <list>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/usable_processors.h"
#include "serve/answers.h"
#include "serve/class/console.h"
#include "serve/class/handed_in_folder.h"
#include "serve/class/lan_addresses.h"
#include "serve/class/student_plan.h"
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
#include "serve/variations.h"
#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

// More readers than these are not kept; the one that was asked least recently ends.
constexpr size_t kMostReaders = 8, kMostReadersOfClass = 24;

// The class, and what its page answers to.
struct ClassPage {
  Classroom room;
  Door door;
  std::vector<std::string> addresses;  // what students type
  Places places{};
};

// What `warpwise lab submit` would have recorded.
lab::Attempt attempt_of(const RunRequest& request, const std::string& judgement) {
  const auto json = parse_json<nlohmann::json>(judgement);
  lab::Attempt attempt;
  attempt.problem = request.problem, attempt.source = request.text, attempt.judgement = judgement;
  attempt.file = request.problem.substr(request.problem.rfind('/') + 1) + ".cu";
  attempt.samples_only = request.kind == RunKind::Test;
  attempt.verdict = json.value("verdict", "");
  attempt.seed = json.value("seed", uint64_t(0)), attempt.seconds = json.value("seconds", 0.0);
  if (const auto times = json.find("performance"); times != json.end() && times->is_object()) {
    attempt.modelled_seconds = times->value("modelled_seconds", 0.0);
    attempt.device = times->value("device", "");
  }
  return attempt;
}

class PageServer {
 public:
  PageServer(asio::io_context& context, const Library& library, const ServerOptions& options, Assets assets, Door door,
             toolchain::TemporaryFolder folder, std::optional<ClassPage> class_page)
      : context_(context),
        library_(library),
        options_(options),
        assets_(std::move(assets)),
        door_(std::move(door)),
        folder_(std::move(folder)),
        class_(std::move(class_page)),
        pieces_(options.images),
        studio_(Studio::create(context, {options.program, folder_.path()})) {
    auto catalogue = lab::Catalogue::open(options.problems);
    if (!catalogue) return;
    lab_.emplace(std::move(*catalogue));
    runs_ = JudgeRuns::create(context, {options.program, lab_->catalogue().root(), folder_.path(), sharing()});
    diagnoses_ = Diagnoses::create(context, {options.program, folder_.path()});
    lessons_.emplace(context, lab_->catalogue(), Lessons::Options{options.program, folder_.path()});
  }

  void answer(Request request, Answered done) {
    Plan plan = plan_for(request, door_, assets_, library_);
    if (Response* response = std::get_if<Response>(&plan)) return done(std::move(*response));
    if (std::holds_alternative<ListFiles>(plan)) return done(list());
    if (std::holds_alternative<AskClass>(plan)) return done(console());
    if (std::holds_alternative<HandInClass>(plan)) return done(hand_in());
    if (const auto* ask = std::get_if<AskRecording>(&plan)) return pass_on(*ask, request.query, 0, std::move(done));
    if (const auto* start = std::get_if<StartRecording>(&plan))
      return done(start_recording(start->file, start->product, start->same));
    if (const auto* show = std::get_if<ShowRecording>(&plan)) return done(show_recording(show->file, show->product));
    if (const auto* show = std::get_if<ShowReport>(&plan)) return done(report(show->file));
    if (std::holds_alternative<AskPieces>(plan)) return done(pieces_.answer(request));
    if (auto* start = std::get_if<StartPiece>(&plan)) return done(studio_->start(std::move(start->request)));
    if (const auto* ask = std::get_if<AskPiece>(&plan))
      return studio_->ask(ask->run, ask->question, request.query, std::move(done));
    answer_of_lab(request, std::move(plan), 0, std::move(done));
  }

  // A request to the class's port.
  void answer_student(Request request, Answered done) {
    StudentPlan plan = plan_for_student(request, class_->door, assets_, class_->room);
    if (Response* response = std::get_if<Response>(&plan)) return done(std::move(*response));
    const auto now = Classroom::Clock::now();
    if (const auto* asks = std::get_if<JoinRequest>(&plan)) return done(join(class_->room, *asks, class_->door, now));
    auto& [student, what] = std::get<ForStudent>(plan);
    const auto problem = request.query.find("name");
    const bool known = lab_ && problem != request.query.end() && is_problem(problem->second);
    class_->places.note(student, known ? std::string_view(problem->second) : std::string_view(), now);
    if (std::holds_alternative<ListFiles>(what)) return done(list_for(student));
    if (const auto* ask = std::get_if<AskRecording>(&what))
      return pass_on(*ask, request.query, student, std::move(done));
    const bool writes = request.method == "POST" && !std::holds_alternative<StopRun>(what);
    if (writes && class_->room.has_no_room(student))
      return done(refuse(507, Error{"W0011", "your attempts and drafts take all the room that a student has"}));
    if (auto* text = std::get_if<DiagnoseText>(&what)) text->page = fmt::format("student {}", student);
    answer_of_lab(request, std::move(what), student, std::move(done));
  }

 private:
  // The readers, the one that was asked last first.
  struct Opened {
    std::string name, beside;  // the recording, and the one that it is compared with
    bool slow = false;         // it reads all steps
    std::shared_ptr<AskedProcess> reader;
  };

  using Made = std::pair<std::string, Product>;  // of which source, and what

  // Everything here is about the runs and the progress of one person: a student, or 0, the user.
  void answer_of_lab(const Request& request, Plan plan, int64_t person, Answered done) {
    if (!lab_) return done(refuse(404, Error{"W0008", "there are no problems of the lab here"}));
    if (std::holds_alternative<AskLab>(plan)) return done(ask_lab(request, person));
    if (std::holds_alternative<AskLessons>(plan)) return done(lessons_->answer(request));
    if (const auto* text = std::get_if<DiagnoseText>(&plan)) return diagnose(*text, std::move(done));
    if (auto* run = std::get_if<StartRun>(&plan)) {
      run->request.person = person;
      return done(start_run(std::move(run->request)));
    }
    if (const auto* follow = std::get_if<FollowRun>(&plan))
      return runs_->follow(follow->run, follow->from, std::move(done), person);
    done(runs_->stop(std::get<StopRun>(plan).run, person));
  }

  // Of a class the server records attempts, because equal submissions have one judge.
  std::optional<Sharing> sharing() {
    if (!class_) return std::nullopt;
    Sharing sharing;
    sharing.at_once = usable_processors();
    sharing.judged = [this](const RunRequest& request, const std::string& judgement) {
      if (const auto kept = record(request, judgement); !kept)
        fmt::print(stderr, "warpwise serve: {}: {}\n", kept.error().code, kept.error().message);
    };
    return sharing;
  }
  Result<void> record(const RunRequest& request, const std::string& judgement) {
    lab::Attempt attempt = attempt_of(request, judgement);
    if (request.person != 0) return class_->room.record(request.person, std::move(attempt));
    TRY(TRY(lab::Progress::open()).add(std::move(attempt)));
    return {};
  }

  Response console() const {
    if (!class_) return refuse(404, Error{"W0005", "this server has no class"});
    return answer_console(class_->room, class_->addresses, *runs_, class_->places, Classroom::Clock::now());
  }
  Response hand_in() const {
    if (!class_) return refuse(404, Error{"W0005", "this server has no class"});
    std::error_code error;
    const auto folder = write_handed_in(class_->room, fs::current_path(error));
    if (!folder) return refuse(422, folder.error());
    return {.body = dump_json(nlohmann::ordered_json{{"folder", folder->string()}}) + "\n"};
  }
  // What the page is told when it begins: for a student there is the lab, and who they are.
  Response list_for(int64_t student) const {
    const auto all = class_->room.students();
    const auto me = std::find_if(all.begin(), all.end(), [&](const Student& one) { return one.id == student; });
    const nlohmann::ordered_json json{{"format", 1},
                                      {"open", ""},
                                      {"home", "lab"},
                                      {"lab", lab_.has_value()},
                                      {"images", false},
                                      {"files", nlohmann::ordered_json::array()},
                                      {"class",
                                       {{"role", "student"},
                                        {"name", class_->room.name()},
                                        {"nickname", me->nickname},
                                        {"return_code", me->return_code}}}};
    return {.body = dump_json(json) + "\n"};
  }

  // A problem's answer also says which run it has.
  Response ask_lab(const Request& request, int64_t person) const {
    Response response = person == 0 ? lab_->answer(request) : lab_->answer(request, class_->room.progress_file(person));
    const auto name = request.query.find("name");
    const uint64_t run = name == request.query.end() ? 0 : runs_->run_of(name->second, person);
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
    nlohmann::ordered_json json{{"format", 1},
                                {"open", library_.only()},
                                {"home", class_                       ? "class"
                                         : options_.lab_first && lab_ ? "lab"
                                                                      : "files"},
                                {"lab", lab_.has_value()},
                                {"images", !pieces_.is_empty()},
                                {"files", std::move(files)}};
    if (class_) json["class"] = {{"role", "teacher"}, {"name", class_->room.name()}};
    return {.body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"};
  }

  // The file whose recording goes by this name: itself, or what was made of a source.
  Result<OpenFile> open_recording(const LibraryFile& file, int64_t person) const {
    if (const auto run = run_of_recording(file.name)) {
      if (!runs_) return Error{"W0006", "there is no lab here"};
      return runs_->recording(*run, person);
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

  Result<std::shared_ptr<AskedProcess>> reader_of(const AskRecording& ask, int64_t person) {
    const std::string beside = ask.beside ? ask.beside->name : "";
    const bool slow = ask.beside || reads_all_steps(ask.question);
    // A reader that is there already has been started for one person: for whom is asked again.
    for (const LibraryFile* file : {&ask.file, ask.beside ? &*ask.beside : nullptr})
      if (file && class_ && run_of_recording(file->name)) TRY(open_recording(*file, person));
    for (auto at = readers_.begin(); at != readers_.end(); ++at) {
      if (at->name != ask.file.name || at->beside != beside || at->slow != slow) continue;
      if (!at->reader->alive()) {
        readers_.erase(at);
        break;
      }
      readers_.splice(readers_.begin(), readers_, at);
      return at->reader;
    }
    const OpenFile recording = TRY(open_recording(ask.file, person));
    std::optional<OpenFile> other;
    if (ask.beside) other.emplace(TRY(open_recording(*ask.beside, person)));
    auto reader = TRY(start_reader(context_, recording, other ? &*other : nullptr));
    readers_.push_front({ask.file.name, beside, slow, std::move(reader)});
    if (readers_.size() > (class_ ? kMostReadersOfClass : kMostReaders)) readers_.pop_back();
    return readers_.front().reader;
  }

  void pass_on(const AskRecording& ask, const Parameters& parameters, int64_t person, Answered done) {
    const auto reader = reader_of(ask, person);
    if (!reader) return done(refuse(409, reader.error()));
    (*reader)->ask(ask.question, parameters, std::move(done));
  }

  // One at a time: a recording uses the processors of the machine.
  Response start_recording(const LibraryFile& file, Product product, const std::optional<SameBlock>& same) {
    const Made made{file.name, product};
    for (const auto& [other, recorder] : recorders_) {
      if (recorder->progress().state != RecordState::Recording) continue;
      if (other == made) return show_recording(file, product);
      return refuse(409, Error{"W0006", fmt::format("`{}` is being run: wait until that is done", other.first)});
    }
    if (product == Product::Recording) forget_readers(file.name);
    if (same)
      make_room_for_variation();
    else if (product == Product::Recording)
      forget_variations([&](const Variation& variation) { return variation.source == file.name; });
    std::error_code missing;
    const fs::path output = product == Product::Recording ? recording_of(file.name) : report_of(file.name);
    fs::remove(output, missing);
    auto recorder =
        Recorder::start(context_, command_of(file, product, same, output), fs::current_path(missing), output);
    if (!recorder) return refuse(500, recorder.error());
    recorders_[made] = std::move(*recorder);
    return show_recording(file, product);
  }
  void forget_readers(const std::string& name) {
    std::erase_if(readers_, [&](const Opened& opened) { return opened.name == name || opened.beside == name; });
  }
  void forget_variations(const std::function<bool(const Variation&)>& old) {
    std::erase_if(recorders_, [&](const auto& made) {
      const std::string& name = made.first.first;
      const auto variation = variation_of(name);
      if (!variation || !old(*variation)) return false;
      std::error_code missing;
      fs::remove(recording_of(name), missing);
      forget_readers(name);
      return true;
    });
  }
  // Recordings are large, and any number of orders can be asked for.
  void make_room_for_variation() {
    constexpr ptrdiff_t kMostVariations = 8;
    const auto is_one = [](const auto& made) { return is_variation(made.first.first); };
    if (std::count_if(recorders_.begin(), recorders_.end(), is_one) >= kMostVariations)
      forget_variations([](const Variation&) { return true; });
  }
  std::vector<std::string> command_of(const LibraryFile& file, Product product, const std::optional<SameBlock>& same,
                                      const fs::path& output) const {
    const auto variation = variation_of(file.name);
    const std::string source = (library_.folder() / (variation ? variation->source : file.name)).string();
    std::vector<std::string> command{options_.program, "trace", "-o", output, source};
    if (product == Product::Profile) command = {options_.program, "profile", "--html=" + output.string(), source};
    const auto words = variation && same               ? words_of(*variation, *same, options_.trace_words)
                       : product == Product::Recording ? options_.trace_words
                                                       : program_words();
    command.insert(command.end(), words.begin(), words.end());
    return command;
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
  std::optional<ClassPage> class_;
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

namespace {

// The class's port and its page; the class is made if it is not there yet.
Result<std::unique_ptr<HttpServer>> open_class(asio::io_context& context, const ServerOptions& options,
                                               std::optional<ClassPage>& page) {
  const ClassOptions& wanted = *options.class_;
  Classroom room = TRY(Classroom::open(wanted.name));
  // One address may be a whole class behind a router; a machine of a student's has half of what there is at most.
  Limits limits = options.limits;
  limits.connections = 256, limits.connections_of_one_address = 128;
  auto http = TRY(HttpServer::listen(context, wanted.port, limits, wanted.network ? Reach::Network : Reach::Loopback));
  Door door;
  door.port = http->port();
  const std::vector<std::string> found = wanted.network ? lan_addresses() : std::vector<std::string>{"127.0.0.1"};
  if (found.empty()) return Error{"W0002", "this machine has no address in a network (IPv4)"};
  std::vector<std::string> addresses;
  for (const std::string& address : found) addresses.push_back(fmt::format("http://{}:{}", address, door.port));
  if (wanted.network) door.names.insert(door.names.end(), found.begin(), found.end());
  page.emplace(ClassPage{std::move(room), std::move(door), std::move(addresses)});
  return http;
}

}  // namespace

Result<void> serve(const Library& library, const ServerOptions& options,
                   const std::function<void(const Links& links)>& ready) {
  Assets assets = TRY(Assets::read(options.page));
  std::error_code error;
  auto folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  asio::io_context context(1);
  asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
  const auto http = TRY(HttpServer::listen(context, options.port, options.limits));
  Door door = TRY(Door::make(http->port()));
  Links links{.own = door.link()};
  std::optional<ClassPage> class_page;
  std::unique_ptr<HttpServer> class_http;
  if (options.class_) {
    class_http = TRY(open_class(context, options, class_page));
    links.for_class = class_page->addresses, links.code = class_page->room.code();
  }
  PageServer server(context, library, options, std::move(assets), std::move(door), std::move(folder),
                    std::move(class_page));
  http->start([&](Request request, Answered done) { server.answer(std::move(request), std::move(done)); });
  if (class_http)
    class_http->start(
        [&](Request request, Answered done) { server.answer_student(std::move(request), std::move(done)); });
  signals.async_wait([&](boost::system::error_code, int) {
    http->stop();
    if (class_http) class_http->stop();
    context.stop();
  });
  ready(links);
  context.run();
  return {};
}

}  // namespace warpwise::serve
