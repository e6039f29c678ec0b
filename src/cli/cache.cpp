// warpwise cache: shows or clears the cache on disk.
#include "toolchain/cache.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/support/device_option.h"
#include "toolchain/build.h"

namespace warpwise::cli {
namespace {

class CacheCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("action", action_, "show, clear, path or prepare")
        ->check(CLI::IsMember({"show", "clear", "path", "prepare"}))
        ->type_name("ACTION");
    app.footer(
        "\nPrograms, PTX and machine code are kept under the hash of what they were made from, at most 2 GiB.\n"
        "WARPWISE_CACHE_DIR chooses the folder, WARPWISE_CACHE_SIZE (500M, 4G, 0 for none) the size.\n"
        "`prepare` precompiles Warpwise's headers, so that programs compile faster. Installing does that; it is\n"
        "needed again when the compiler or the system's headers have changed.\n"
        "\nExamples:\n"
        "  warpwise cache\n"
        "  sudo warpwise cache prepare\n"
        "  warpwise cache clear\n"
        "  du -sh $(warpwise cache path)");
  }

  Result<int> run() override {
    toolchain::Cache cache = toolchain::Cache::from_environment();
    if (action_ == "path") {
      fmt::print("{}\n", cache.root().string());
      return kSuccess;
    }
    if (action_ == "prepare") {
      toolchain::BuildRequest request;
      request.compiler = toolchain::CompilerChoice::Clang;
      request.device_architecture = architecture_of(*TRY(chosen_device("")));
      TRY(toolchain::prepare_builds(request));
      return kSuccess;
    }
    if (!cache.usable()) return Error{"C0001", fmt::format("the cache `{}` cannot be written", cache.root().string())};
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
  std::string action_ = "show";
};

}  // namespace

std::unique_ptr<Command> make_cache() { return std::make_unique<CacheCommand>(); }

}  // namespace warpwise::cli
