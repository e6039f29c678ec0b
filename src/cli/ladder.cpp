// warpwise ladder: lists the ladders; runs all steps of one and puts them side by side; with --check holds them to what
// tests ask: right answers at the small shapes, and nothing that `warpwise check` finds.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/json.h"
#include "bench/ladder/step_head.h"
#include "bench/measure/entrants.h"
#include "bench/worker/worker_program.h"
#include "cli/command.h"
#include "cli/support/child.h"
#include "cli/support/help_format.h"
#include "cli/support/measuring.h"
#include "cli/support/typed_command.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class Ladder : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App&, Words words) override {
    command_ = typed_command("ladder", words);
    return words;
  }
  Result<int> run() override;

 private:
  Result<int> list() const;
  Result<int> check(const bench::Ladder& ladder);
  Result<bool> check_version(const bench::Ladder& ladder, const bench::Version& version,
                             const std::vector<const bench::Shape*>& shapes) const;

  std::string name_, command_;
  bool check_ = false;
  Measuring measuring_;
};

void Ladder::declare(CLI::App& app) {
  set_usage(app, "warpwise ladder [NAME] [options]");
  app.add_option("ladder", name_, "a ladder, by its name or folder; left out: lists them")->type_name("NAME");
  app.add_flag("--check", check_,
               "compare every step's answers at the chosen shapes, run `warpwise check` on it, and time nothing");
  measuring_.declare(app);
  app.footer(
      "\nExamples:\n"
      "  warpwise ladder\n"
      "  warpwise ladder vector_add\n"
      "  warpwise ladder vector_add --device=a100\n"
      "  warpwise ladder vector_add --on=gpu --json=h200.json --html=h200.html\n"
      "  warpwise ladder vector_add --check\n"
      "\nExit code: 0; 1 when a step is wrong, fails or is not clean, or nothing can be concluded; 2 wrong options;\n"
      "122 when one is slower than in --baseline.");
}

Result<int> Ladder::list() const {
  const fs::path root = TRY(bench::ladder_root());
  Table table({"ladder", "steps", "what it computes"});
  std::optional<Error> broken;  // one that cannot be read does not hide the others
  for (const fs::path& folder : bench::ladders_below(root)) {
    if (const auto ladder = bench::load_ladder(folder); ladder.ok())
      table.add({ladder->name, std::to_string(ladder->steps.size()), ladder->title});
    else if (!broken)
      broken = ladder.error();
  }
  table.print();
  if (broken) return *broken;
  return int{kSuccess};
}

// The orders of a worker without a socket (bench_protocol.h): each shape once.
Result<std::string> script_of(const bench::Ladder& ladder, const std::vector<const bench::Shape*>& shapes) {
  using namespace bench_worker;
  std::string script;
  for (const bench::Shape* shape : shapes) {
    const std::vector<Argument> arguments = TRY(bench::arguments_of(ladder, *shape));
    Order prepare;
    prepare.kind = OrderKind::Prepare;
    prepare.arguments = uint32_t(arguments.size());
    prepare.seed = 1;
    prepare.unchecked = 1;
    script.append(reinterpret_cast<const char*>(&prepare), sizeof prepare);
    script.append(reinterpret_cast<const char*>(arguments.data()), arguments.size() * sizeof(Argument));
  }
  const Order end;
  return script.append(reinterpret_cast<const char*>(&end), sizeof end);
}

// `warpwise check` is a process of its own, as for every program.
Result<bool> Ladder::check_version(const bench::Ladder& ladder, const bench::Version& version,
                                   const std::vector<const bench::Shape*>& shapes) const {
  std::error_code error;
  const auto folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  const fs::path script = folder.path() / "orders";
  TRY(toolchain::write_file(script, TRY(script_of(ladder, shapes))));
  bench::WorkerSources sources = TRY(bench::worker_sources(ladder, version));
  std::vector<std::string> words{"warpwise", "check"};
  if (const auto options = TRY(measuring_.engine_json()); options.contains("device"))
    words.push_back("--device=" + options["device"].get<std::string>());
  words.insert(words.end(), sources.words.begin(), sources.words.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const ChildEnd end = TRY(run_child([&]() -> int {
    setenv(bench_worker::kScriptVariable, script.c_str(), 1);
    execv("/proc/self/exe", argv.data());
    return errno;
  }));
  if (end.start_failure)
    return Error{"U0006", fmt::format("`warpwise check` cannot be started: error {}", end.start_failure)};
  return end.ok();
}

Result<int> Ladder::check(const bench::Ladder& ladder) {
  const device::Properties& device = *TRY(measuring_.device());
  const std::vector<const bench::Shape*> shapes = TRY(measuring_.shapes(ladder));
  bool clean = TRY(measuring_.answers_are_right(ladder, ladder.steps));
  for (const bench::Version& version : ladder.steps) {
    bench::Entrant entrant;
    entrant.version = &version;
    std::vector<const bench::Shape*> taken;
    for (const bench::Shape* shape : shapes)
      if (!TRY(bench::barred_cell(entrant, ladder, *shape))) taken.push_back(shape);
    const std::string lacks = bench::what_it_lacks(version, device.major * 10 + device.minor);
    const std::string name = fmt::format("{}/{}", ladder.name, version.name);
    if (!lacks.empty() || taken.empty()) {
      fmt::print("{}: not checked: {}\n", name, lacks.empty() ? "it takes none of the shapes" : lacks);
      continue;
    }
    const bool is_clean = TRY(check_version(ladder, version, taken));
    fmt::print("{}: {}\n", name, is_clean ? "clean" : "not clean");
    clean = clean && is_clean;
  }
  return int{clean ? kSuccess : kFailed};
}

Result<int> Ladder::run() {
  if (name_.empty()) return list();
  const bench::Ladder ladder = TRY(bench::find_ladder(name_));
  if (check_) return check(ladder);
  std::vector<bench::Version> versions = ladder.steps;
  versions.insert(versions.end(), ladder.peers.begin(), ladder.peers.end());
  return measuring_.run(ladder, versions, command_);
}

}  // namespace

std::unique_ptr<Command> make_ladder() { return std::make_unique<Ladder>(); }

}  // namespace warpwise::cli
