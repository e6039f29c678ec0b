// warpwise run: compiles where there are sources, then becomes the program, so that its standard input, its
// signals and its exit code are the program's own.
#include <fmt/format.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/support/compile_words.h"
#include "cli/support/compiling.h"
#include "cli/support/device_option.h"
#include "cli/support/engine_options.h"
#include "cli/support/help_format.h"
#include "cli/support/start_program.h"
#include "cli/support/static_runtime.h"
#include "cli/support/what_is_missing.h"
#include "simt/pass_names.h"

namespace warpwise::cli {
namespace {

class Run : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App& app, Words words) override;
  Result<int> run() override;
  int failure_code() const override { return failure_; }
  int usage_code() const override { return kRunFailed; }

 private:
  Result<std::string> engine_options() const;
  Result<int> become(ProgramStart start, toolchain::Program* built);
  Result<int> say_what_is_missing(const std::string& program, const std::filesystem::path& modules,
                                  const device::Properties& device) const;

  SortedWords words_;
  Compiling compiling_;
  EngineOptions engine_;
  std::vector<std::string> dump_, off_;
  bool fast_ = false, approximate_mma_ = false, time_passes_ = false, verbose_ = false, what_is_missing_ = false;
  int failure_ = kRunFailed;
};

void Run::declare(CLI::App& app) {
  set_usage(app,
            "warpwise run [options] [compiler flags] SOURCE… [--] [arguments]\n"
            "       warpwise run [options] PROGRAM [arguments]");
  engine_.declare(app);
  compiling_.declare(app);
  app.add_flag("--fast", fast_,
               "run blocks with order-sensitive atomics in parallel: results may vary from run to run");
  app.add_flag("--approximate-mma", approximate_mma_,
               "round matrix products of f16, bf16, tf32 and fp8 as fused multiply-adds: faster, last bits differ");
  app.add_option("--dump", dump_, "after:PASS, or after:all: print the code after a pass of the compiler")
      ->type_name("WHEN");
  app.add_option("--off", off_, fmt::format("leave out a pass of the compiler: {}", simt::list_passes(true)))
      ->type_name("PASS");
  app.add_flag("--what-is-missing", what_is_missing_,
               "run nothing: list what the program uses that Warpwise does not have (exit code 1)");
  app.add_flag("--time-passes", time_passes_, "print how long each pass of the compiler took");
  app.add_flag("-v,--verbose", verbose_, "show the compilers' command lines, and each CUDA call that fails");
  app.footer(
      "\nCompiler flags are nvcc's (-O3 -I -D -std -arch -use_fast_math -Xcompiler -l …). Options and flags stand\n"
      "before the sources or directly after them. From the first other word on, or after `--`, everything\n"
      "belongs to the program.\n"
      "\nExamples:\n"
      "  warpwise run hello.cu\n"
      "  warpwise run -O3 main.cu util.cpp 1024 1024\n"
      "  warpwise run --device=rtx4090 --timeout=10 kernel.cu < input.txt\n"
      "  warpwise run --schedule=shuffle:7 racy.cu\n"
      "  warpwise run --on=gpu kernel.cu\n"
      "  warpwise run ./program-built-by-nvcc --its-own-option\n"
      "\nExit code: the program's; 125 when it does not compile or an option is wrong, 126 when it cannot\n"
      "be executed, 127 when there is no such program.");
}

Result<Words> Run::own_words(const CLI::App& app, Words words) {
  words_ = sort_words(app, words, BehindSources::Arguments);
  if (words_.sources.empty() && words_.program.empty() && !cli11_answers(app, words_))
    return nothing_to("run", "name a source or a program", words_);
  return words_.own;
}

// What the runtime in the program must know, as JSON.
Result<std::string> Run::engine_options() const {
  nlohmann::json options = TRY(engine_.json());
  if (fast_) options["fast"] = true;
  if (approximate_mma_) options["approximate_mma"] = true;
  for (const std::string& wish : dump_) TRY(simt::read_dump(wish));
  for (const std::string& pass : off_) TRY(simt::check_off(pass));
  if (!dump_.empty()) options["dump"] = dump_;
  if (!off_.empty()) options["off"] = off_;
  if (time_passes_) options["time_passes"] = true;
  if (verbose_) options["verbosity"] = 1;
  return options.empty() ? "" : dump_json(options);
}

Result<int> Run::run() {
  const device::Properties* device = TRY(engine_.device());
  std::string options = TRY(engine_options());
  if (words_.sources.empty()) {
    std::string program = as_file_here(words_.program[0]);
    if (what_is_missing_) return say_what_is_missing(program, {}, *device);
    if (auto ready = prepare_static_runtime(program, toolchain::Installation::find().libraries); !ready) {
      failure_ = kCannotExecute;
      return ready.error();
    }
    return become({program, {}, options, words_.program}, nullptr);
  }
  if (verbose_) words_.compiler.insert(words_.compiler.begin(), "-v");
  toolchain::BuildRequest request = TRY(compiling_.request(words_.compiler, architecture_of(*device)));
  toolchain::Cache cache = toolchain::Cache::from_environment();
  toolchain::Program program = TRY(toolchain::build_program(request, cache));
  if (what_is_missing_) return say_what_is_missing(program.executable, program.modules, *device);
  ProgramStart start = start_of_built(program, words_.sources[0], words_.program);
  start.options = std::move(options);
  return become(std::move(start), &program);
}

Result<int> Run::say_what_is_missing(const std::string& program, const std::filesystem::path& modules,
                                     const device::Properties& device) const {
  MissingReport report =
      TRY(what_is_missing(program, architecture_of(device), modules, toolchain::Installation::find().libraries));
  fmt::print("{}", report.text);
  return report.findings ? kFailed : kSuccess;
}

// A program that is not in the cache is removed once it is open: the open file keeps it.
Result<int> Run::become(ProgramStart start, toolchain::Program* built) {
  std::function<void()> opened;
  if (built) opened = [built] { built->temporary.reset(); };
  std::string file = start.file;
  int reason = become_program(std::move(start), opened);
  failure_ = code_of_failed_start(reason);
  return cannot_run(file, reason);
}

}  // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }

}  // namespace warpwise::cli
