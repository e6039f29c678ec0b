// conformance: builds and runs the programs of a suite on the virtual GPU and says what became of each.
//
//     conformance FOLDER [--list=FILE] [--only=REGEX] [--compiler=clang|nvcc] [--jobs=N] [--patience=FACTOR]
//                        [--threads=N] [--out=FOLDER] [--reuse]
//
// The programs are other people's and stay where they are: nothing is written into their folders but what
// they write themselves. Executables and logs go to --out, with the table in results.md and results.json.
// `make conformance SUITE=folder` calls it; docs/conformance.md describes lists and verdicts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <fstream>
#include <mutex>
#include <regex>
#include <thread>

#include "child.h"
#include "report.h"
#include "suite.h"

namespace warpwise::conformance {
namespace {

namespace fs = std::filesystem;

constexpr double kBuildLimit = 300;  // seconds; nvcc takes a minute over some templates

struct Options {
  fs::path suite, list, out = "conformance-results", warpwise = "warpwise";
  std::string only, compiler;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  unsigned threads = 0;  // of each program's device; 0: its own choice
  double patience = 1;
  bool reuse = false;
};

// `*.cu`: the files of the folder that match, in order. A name without wildcards stands for itself.
std::vector<std::string> matching_files(const fs::path& folder, const std::string& pattern) {
  if (pattern.find_first_of("*?") == pattern.npos) return {pattern};
  std::string expression;
  for (char c : fs::path(pattern).filename().string())
    expression += c == '*'                                      ? std::string(".*")
                  : c == '?'                                    ? std::string(".")
                  : std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c)
                                                                : std::string("\\") + c;
  std::regex compiled(expression, std::regex::extended);
  std::vector<std::string> names;
  std::error_code error;
  fs::path parent = fs::path(pattern).parent_path();
  for (const fs::directory_entry& file : fs::directory_iterator(folder / parent, error))
    if (std::regex_match(file.path().filename().string(), compiled))
      names.push_back((parent / file.path().filename()).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> build_command(const Program& program, const Options& options, const fs::path& executable) {
  if (!program.build.empty()) return {"/bin/sh", "-c", program.build};
  std::vector<std::string> command{options.warpwise, "nvcc"};
  std::string compiler = options.compiler.empty() ? program.compiler : options.compiler;
  if (!compiler.empty()) command.push_back("--compiler=" + compiler);
  command.insert(command.end(), {"-o", executable.string()});
  command.insert(command.end(), program.flags.begin(), program.flags.end());
  for (const std::string& source : program.sources)
    for (std::string& file : matching_files(program.folder, source)) command.push_back(std::move(file));
  return command;
}

std::vector<std::string> run_command(const Program& program, const Options& options, const fs::path& executable) {
  // -v: every call of the runtime that fails says why, which is the reason in the table.
  std::vector<std::string> command{options.warpwise, "run", "-v"};
  if (!program.device.empty()) command.push_back("--device=" + program.device);
  if (options.threads) command.push_back(fmt::format("--threads={}", options.threads));
  command.push_back(executable);
  command.insert(command.end(), program.args.begin(), program.args.end());
  return command;
}

// `number` distinguishes programs of the same name.
Row judge(const Program& program, size_t number, const Options& options) {
  Row row{program.name, {}};
  if (!program.skip.empty()) {
    row.outcome = {Verdict::Skipped, program.skip};
    return row;
  }
  std::string name = fmt::format("{:03}_{}", number, program.name);
  std::replace(name.begin(), name.end(), '/', '_');
  bool ready = !program.program.empty();
  fs::path executable = ready ? program.folder / program.program : options.out / "programs" / name;
  row.log = options.out / (name + ".log");
  std::ofstream log(row.log);
  if (!ready && (!options.reuse || !fs::exists(executable))) {
    std::error_code error;
    fs::remove(executable, error);
    std::vector<std::string> command = build_command(program, options, executable);
    ChildResult build = run_child(command, program.folder, kBuildLimit * options.patience,
                                  {{"WARPWISE", options.warpwise}, {"PROGRAM", executable}});
    log << "$ " << fmt::format("{}", fmt::join(command, " ")) << "\n" << build.output << "\n";
    row.build_seconds = build.elapsed;
    if (build.exit_code != 0 || !fs::exists(executable)) {
      row.outcome = judge_build(build);
      return row;
    }
  }
  std::vector<std::string> command = run_command(program, options, executable);
  ChildResult run = run_child(command, program.folder, program.time_limit * options.patience);
  log << "$ " << fmt::format("{}", fmt::join(command, " ")) << "\n"
      << run.output << "\n[exit code " << run.exit_code << "]\n";
  row.run_seconds = run.elapsed;
  row.processor_seconds = run.processor;
  row.outcome = judge_run(program, run);
  return row;
}

std::vector<Row> judge_all(const std::vector<Program>& programs, const Options& options) {
  std::vector<Row> rows(programs.size());
  std::atomic<size_t> next = 0;
  std::mutex printing;
  auto work = [&] {
    for (size_t i; (i = next++) < programs.size();) {
      rows[i] = judge(programs[i], i, options);
      std::lock_guard lock(printing);
      fmt::print("{}\n", as_line(rows[i]));
      std::fflush(stdout);
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < options.jobs; ++i) workers.emplace_back(work);
  workers.clear();
  return rows;
}

Result<int> run(Options options) {
  std::error_code error;
  options.suite = fs::absolute(options.suite);
  if (!fs::is_directory(options.suite, error))
    return Error{"U0001", fmt::format("there is no folder `{}`", options.suite.string())};
  if (options.list.empty()) options.list = options.suite / "conformance.list";
  options.out = fs::absolute(options.out);
  if (options.warpwise.has_parent_path()) options.warpwise = fs::absolute(options.warpwise);
  fs::create_directories(options.out / "programs", error);
  if (error)
    return Error{"U0002", fmt::format("cannot make the folder `{}`: {}", options.out.string(), error.message())};
  std::vector<Program> programs = TRY(read_suite(options.list, options.suite));
  std::regex only(options.only, std::regex::extended);
  std::erase_if(programs, [&](const Program& program) { return !std::regex_search(program.name, only); });
  if (programs.empty()) return Error{"U0005", "the list has no such program"};

  std::vector<Row> rows = judge_all(programs, options);
  std::ofstream(options.out / "results.md") << as_markdown(rows);
  std::ofstream(options.out / "results.json") << as_json(rows);
  fmt::print("\n{}\nresults.md, results.json and the logs are in {}\n", as_summary(rows), options.out.string());
  bool good = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.outcome.verdict == Verdict::Pass || row.outcome.verdict == Verdict::Skipped;
  });
  return good ? 0 : 1;
}

}  // namespace
}  // namespace warpwise::conformance

int main(int argc, char** argv) {
  using namespace warpwise;
  CLI::App app("Builds and runs the programs of a suite on the virtual GPU.");
  conformance::Options options;
  app.add_option("folder", options.suite, "the folder of the programs")->required();
  app.add_option("--list", options.list, "what to build and run (FOLDER/conformance.list)");
  app.add_option("--only", options.only, "only the programs whose name matches this extended regular expression")
      ->check([](const std::string& text) -> std::string {
        try {
          std::regex(text, std::regex::extended);
          return {};
        } catch (const std::regex_error&) {
          return "no extended regular expression: " + text;
        }
      });
  app.add_option("--compiler", options.compiler, "for all programs")->check(CLI::IsMember({"clang", "nvcc"}));
  app.add_option("--jobs", options.jobs, "programs at the same time (as many as there are processors)")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "host threads of each program's device (as many as it likes)");
  app.add_option("--patience", options.patience, "multiplies every time limit")->check(CLI::PositiveNumber);
  app.add_option("--out", options.out, "where results, logs and executables go (conformance-results)");
  app.add_option("--warpwise", options.warpwise, "the program under test (the one on PATH)");
  app.add_flag("--reuse", options.reuse, "do not build again what an earlier run left in --out");
  CLI11_PARSE(app, argc, argv);
  auto result = conformance::run(options);
  if (result) return *result;
  fmt::print(stderr, "conformance: {}\n", result.error().message);
  return 2;
}
