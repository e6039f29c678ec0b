// warpwise cache: shows or clears the cache on disk.
#include "toolchain/cache.h"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/command.h"
#include "cli/support/device_option.h"
#include "lab/judge/workers.h"
#include "lab/problem/catalogue.h"
#include "lab/problem/reference.h"
#include "lab/trial/solve_program.h"
#include "toolchain/build.h"
#include "toolchain/installation.h"

namespace warpwise::cli {
namespace {

class CacheCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("action", action_, "show, clear, path or prepare")
        ->check(CLI::IsMember({"show", "clear", "path", "prepare"}))
        ->type_name("ACTION");
    app.add_flag("--no-references", no_references_, "prepare: leave the references of the lab's problems alone");
    app.footer(
        "\nPrograms, PTX and machine code are kept under the hash of what they were made from, at most 2 GiB.\n"
        "WARPWISE_CACHE_DIR chooses the folder, WARPWISE_CACHE_SIZE (500M, 4G, 0 for none) the size.\n"
        "`prepare` precompiles Warpwise's headers and what belongs to the lab's problems, so that programs and first\n"
        "verdicts are faster. Installing does that; it is needed again when the compiler or the system's\n"
        "headers have changed.\n"
        "\nExamples:\n"
        "  warpwise cache\n"
        "  sudo warpwise cache prepare\n"
        "  warpwise cache clear\n"
        "  du -sh $(warpwise cache path)");
  }

  Result<int> run() override {
    toolchain::Cache cache = toolchain::Cache::from_environment();
    if (action_ == "path") {
      if (cache.root().empty()) return Error{"C0001", cache.why_unusable()};
      fmt::print("{}\n", cache.root().string());
      return kSuccess;
    }
    if (action_ == "prepare") {
      toolchain::BuildRequest request;
      request.compiler = toolchain::CompilerChoice::Clang;
      request.device_architecture = architecture_of(*TRY(chosen_device("")));
      TRY(toolchain::prepare_builds(request));
      if (!no_references_) TRY(prepare_problems());
      return kSuccess;
    }
    if (!cache.usable()) return Error{"C0001", cache.why_unusable()};
    toolchain::Cache::Usage usage = cache.usage();
    double mebibytes = usage.bytes / 1048576.0;
    if (action_ == "clear") {
      if (!cache.clear()) return Error{"C0001", fmt::format("`{}` cannot be emptied", cache.root().string())};
      fmt::print("removed {:.1f} MiB\n", mebibytes);
      return kSuccess;
    }
    fmt::print("{}\n{:.1f} MiB of {:.0f} MiB: {} programs, {} compiled kernels\n", cache.root().string(), mebibytes,
               cache.limit() / 1048576.0, usage.programs, usage.code);
    return kSuccess;
  }

 private:
  // The code of the problems that are installed, which would otherwise be compiled at the first verdict of each: its
  // reference, and what calls its `solve`. All are tried; the first error is reported.
  static Result<void> prepare_problems() {
    const std::filesystem::path folder = toolchain::Cache::prepared_folder();
    const auto catalogue = TRY(lab::Catalogue::open(toolchain::Installation::find().root / "share/warpwise/problems"));
    std::error_code error;
    std::filesystem::remove_all(folder, error);
    // Where what is compiled for problems is kept.
    setenv("WARPWISE_CACHE_DIR", folder.c_str(), 1);
    unsetenv("WARPWISE_CACHE_SIZE");
    if (!toolchain::Cache::from_environment().usable())
      return Error{"U0002", fmt::format("`{}` cannot be written", folder.string())};
    const std::vector<lab::Problem> problems = catalogue.all();
    std::string failure;
    TRY(lab::run_in_workers(
        problems.size(), 0,
        [&](size_t i) {
          if (auto reference = lab::Reference::open(problems[i]); !reference) return reference.error().message;
          auto calls = lab::prepare_solve_programs(problems[i]);
          return calls ? std::string() : calls.error().message;
        },
        [&](size_t i, const std::string& answer, bool died) {
          if (failure.empty() && died) failure = fmt::format("compiling the code of `{}` failed", problems[i].slug);
          if (failure.empty()) failure = answer;
        }));
    if (!failure.empty()) return Error{"L0006", failure};
    return {};
  }

  bool no_references_ = false;
  std::string action_ = "show";
};

}  // namespace

std::unique_ptr<Command> make_cache() { return std::make_unique<CacheCommand>(); }

}  // namespace warpwise::cli
