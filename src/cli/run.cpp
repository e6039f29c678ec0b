// warpwise run: compiles if need be, then becomes the program, so that its standard input, its signals
// and its exit code are the program's own.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/compile_words.h"
#include "cli/compiling.h"
#include "cli/device_option.h"
#include "cli/help_format.h"
#include "cli/static_runtime.h"
#include "cli/what_is_missing.h"
#include "toolchain/route.h"

extern char** environ;

namespace warpwise::cli {
namespace {

constexpr const char* kOptionsVariable = "WARPWISE_OPTIONS";  // exec/options.h says what it holds

class Run : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App& app, Words words) override;
  Result<int> run() override;
  int failure_code() const override { return failure_; }
  int usage_code() const override { return kRunFailed; }

 private:
  Result<std::string> device_options(const device::Properties& device) const;
  Result<int> become(const std::string& program, const std::filesystem::path& modules, const std::string& options,
                     toolchain::Program* temporary);
  Result<int> say_what_is_missing(const std::string& program, const std::filesystem::path& modules,
                                  const device::Properties& device) const;

  CLI::App* app_ = nullptr;
  SortedWords words_;
  Compiling compiling_;
  std::string device_, engine_, mode_, schedule_;
  double timeout_ = 0;
  unsigned threads_ = 0;
  std::vector<std::string> dump_, off_;
  bool fast_ = false, approximate_mma_ = false, time_passes_ = false, verbose_ = false, what_is_missing_ = false;
  int failure_ = kRunFailed;
};

void Run::declare(CLI::App& app) {
  app_ = &app;
  set_usage(app, "warpwise run [options] [compiler flags] SOURCE… [--] [arguments]\n"
            "       warpwise run [options] PROGRAM [arguments]");
  declare_device(app, device_);
  compiling_.declare(app);
  app.add_option("--engine", engine_, "jit, or interpreter: the plain reference")
      ->check(CLI::IsMember({"jit", "interpreter"}))->type_name("NAME");
  app.add_option("--mode", mode_, "auto, converged (warps as vectors) or split (threads one by one)")
      ->check(CLI::IsMember({"auto", "converged", "split"}))->type_name("NAME");
  app.add_option("--schedule", schedule_, "in-order, or shuffle:SEED to let blocks run in another order")->type_name("ORDER");
  app.add_option("--timeout", timeout_, "end a kernel after that many seconds (0: never)")
      ->check(CLI::NonNegativeNumber)->type_name("SECONDS");
  app.add_option("--threads", threads_, "host threads that run blocks (0: as many as there are)")->type_name("N");
  app.add_flag("--fast", fast_, "let blocks with order-sensitive atomics run in parallel: results may vary");
  app.add_flag("--approximate-mma", approximate_mma_, "round matrix products of f16, bf16, tf32 and fp8 as fused multiply-adds: faster, last bits differ");
  app.add_option("--dump", dump_, "after:PASS: print the code after a pass of the compiler")->type_name("WHEN");
  app.add_option("--off", off_, "leave out a pass of the compiler")->type_name("PASS");
  app.add_flag("--what-is-missing", what_is_missing_, "do not run: list what the program uses that is not there (exit code 1)");
  app.add_flag("--time-passes", time_passes_, "print what each pass of the compiler took");
  app.add_flag("-v,--verbose", verbose_, "show the compilers' command lines, and each call of the CUDA runtime that fails");
  app.footer("\nCompiler flags are nvcc's (-O3 -I -D -std -arch -use_fast_math -Xcompiler -l …) and stand before\n"
             "the first source; everything after the sources belongs to the program.\n"
             "\nExamples:\n"
             "  warpwise run hello.cu\n"
             "  warpwise run -O3 main.cu util.cpp 1024 1024\n"
             "  warpwise run --device=rtx4090 --timeout=10 kernel.cu < input.txt\n"
             "  warpwise run --schedule=shuffle:7 racy.cu\n"
             "  warpwise run ./program-built-by-nvcc --its-own-option\n"
             "\nExit code: the program's; 125 when it does not compile or an option is wrong, 126 when it cannot\n"
             "be executed, 127 when there is no such program.");
}

Result<Words> Run::own_words(const CLI::App& app, Words words) {
  words_ = sort_words(app, words, /*arguments_follow=*/true);
  bool asks = std::any_of(words_.own.begin(), words_.own.end(), [](const auto& w) { return w == "-h" || w == "--help"; });
  bool unknown = std::any_of(words_.own.begin(), words_.own.end(),
                             [&](const std::string& w) { return w[0] == '-' && !app.get_option_no_throw(w.substr(0, w.find('='))); });
  if (words_.sources.empty() && words_.program.empty() && !asks && !unknown)
    return Error{"T0008", "there is nothing to run: name a source or a program"};
  return words_.own;
}

// What the runtime in the program must know, as JSON: what was there already, and what the options say.
Result<std::string> Run::device_options(const device::Properties& device) const {
  const char* before = std::getenv(kOptionsVariable);
  nlohmann::json options = nlohmann::json::parse(before && *before ? before : "{}", nullptr, /*allow_exceptions=*/false);
  if (!options.is_object()) return Error{"U0005", fmt::format("{} is not a JSON object", kOptionsVariable)};
  if (app_->count("--device")) options["device"] = device.id;
  if (!engine_.empty()) options["engine"] = engine_;
  if (!mode_.empty()) options["mode"] = mode_ == "auto" ? "automatic" : mode_;
  if (!schedule_.empty()) {
    if (schedule_ != "in-order" && !schedule_.starts_with("shuffle:"))
      return Error{"U0005", fmt::format("--schedule takes `in-order` or `shuffle:SEED`, not `{}`", schedule_)};
    options["schedule"] = schedule_;
  }
  if (app_->count("--timeout")) options["timeout"] = timeout_;
  if (app_->count("--threads")) options["threads"] = threads_;
  if (fast_) options["fast"] = true;
  if (approximate_mma_) options["approximate_mma"] = true;
  if (!dump_.empty()) options["dump"] = dump_;
  if (!off_.empty()) options["off"] = off_;
  if (time_passes_) options["time_passes"] = true;
  if (verbose_) options["verbosity"] = 1;
  return options.empty() ? "" : options.dump();
}

Result<int> Run::run() {
  const device::Properties* device = TRY(chosen_device(device_));
  std::string options = TRY(device_options(*device));
  if (words_.sources.empty()) {
    std::string program = words_.program[0];
    if (program.find('/') == program.npos) program = "./" + program;  // a file here, not a command of PATH
    if (what_is_missing_) return say_what_is_missing(program, {}, *device);
    if (auto ready = prepare_static_runtime(program, toolchain::Installation::find().libraries); !ready) {
      failure_ = kCannotExecute;
      return ready.error();
    }
    return become(program, {}, options, nullptr);
  }
  if (verbose_) words_.compiler.insert(words_.compiler.begin(), "-v");
  toolchain::BuildRequest request = TRY(compiling_.request(words_.compiler, architecture_of(*device)));
  toolchain::Cache cache = toolchain::Cache::from_environment();
  toolchain::Program program = TRY(toolchain::build_program(request, cache));
  if (what_is_missing_) return say_what_is_missing(program.executable, program.modules, *device);
  // What the program sees as its own name: the source's, as if it had been compiled there.
  words_.program.insert(words_.program.begin(), std::filesystem::path(words_.sources[0]).replace_extension());
  return become(program.executable, program.modules, options, &program);
}

Result<int> Run::say_what_is_missing(const std::string& program, const std::filesystem::path& modules,
                                     const device::Properties& device) const {
  MissingReport report = TRY(what_is_missing(program, architecture_of(device), modules,
                                             toolchain::Installation::find().libraries));
  fmt::print("{}", report.text);
  return report.findings ? kFailed : kSuccess;
}

// Replaces this process. A program that is not in the cache is removed first: the open file keeps it.
Result<int> Run::become(const std::string& program, const std::filesystem::path& modules, const std::string& options,
                        toolchain::Program* built) {
  std::string libraries = toolchain::Installation::find().libraries;
  if (const char* before = std::getenv("LD_LIBRARY_PATH"); before && *before) libraries += fmt::format(":{}", before);
  setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
  if (!options.empty()) setenv(kOptionsVariable, options.c_str(), 1);
  if (modules.empty()) unsetenv(toolchain::kModulesVariable);
  else setenv(toolchain::kModulesVariable, modules.c_str(), 1);

  std::vector<char*> argv;
  for (std::string& word : words_.program) argv.push_back(word.data());
  argv.push_back(nullptr);
  int fd = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && built) built->temporary.reset();
  if (fd >= 0) fexecve(fd, argv.data(), environ);
  int reason = errno;
  // A script has to be opened again by its interpreter, which a file that closes on exec does not allow.
  if (reason == ENOENT && !built) {
    execv(program.c_str(), argv.data());
    reason = errno;
  }
  failure_ = reason == ENOENT ? kNotFound : kCannotExecute;
  return Error{"U0006", fmt::format("cannot run `{}`: {}", program, std::strerror(reason))};
}

}  // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }

}  // namespace warpwise::cli
