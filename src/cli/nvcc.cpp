// warpwise nvcc: a compiler driver with nvcc's flags whose executables run on the virtual GPU. They contain their PTX
// and find our runtime by themselves.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/support/compile_words.h"
#include "cli/support/compiling.h"
#include "cli/support/device_option.h"
#include "cli/support/help_format.h"
#include "cli/support/nvcc_talk.h"

namespace warpwise::cli {
namespace {

class Nvcc : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise nvcc [options] [compiler flags] SOURCE…");
    declare_device(app, device_);
    compiling_.declare(app);
    app.add_flag("--version,-V", version_, "print which nvcc's flags and headers these are, as nvcc prints its own");
    app.footer(
        "\nThe compiler flags are nvcc's: -o -c -ptx -O -I -D -l -L -std -arch -gencode -Xcompiler -Xlinker …\n"
        "\nExamples:\n"
        "  warpwise nvcc -O3 -o program main.cu util.cpp\n"
        "  warpwise nvcc -c kernel.cu && warpwise nvcc -o program kernel.o main.cpp\n"
        "  warpwise nvcc -ptx -arch=sm_80 kernel.cu\n"
        "  cmake -DCMAKE_CUDA_COMPILER=…/lib/warpwise/bin/nvcc …   CMake's CUDA language\n"
        "\nExit code: 0, or 1 when something does not compile.");
  }

  Result<Words> own_words(const CLI::App& app, Words words) override {
    SortedWords sorted = sort_words(app, words, BehindSources::Anything);
    compiler_words_ = sorted.compiler;
    return sorted.own;
  }

  Result<int> run() override {
    if (version_) {
      fmt::print("{}", nvcc_version());
      return kSuccess;
    }
    const device::Properties* device = TRY(chosen_device(device_));
    toolchain::BuildRequest request = TRY(compiling_.request(compiler_words_, architecture_of(*device)));
    request.on_very_slow = {};  // build systems have words of their own
    if (request.flags.verbose || request.flags.dry_run) request.say(nvcc_variables(architecture_of(*device)));
    TRY(toolchain::build_files(request));
    return kSuccess;
  }

 private:
  Words compiler_words_;
  std::string device_;
  bool version_ = false;
  Compiling compiling_;
};

}  // namespace

std::unique_ptr<Command> make_nvcc() { return std::make_unique<Nvcc>(); }

}  // namespace warpwise::cli
