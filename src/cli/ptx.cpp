// warpwise ptx: what the compiler made of a source, with the source beside it.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/support/compile_words.h"
#include "cli/support/compiling.h"
#include "cli/support/device_option.h"
#include "cli/support/help_format.h"
#include "cli/support/ptx_listing.h"

namespace warpwise::cli {
namespace {

class Ptx : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise ptx [options] [compiler flags] SOURCE…");
    declare_device(app, device_);
    compiling_.declare(app);
    app.add_option("--function", function_, "only functions whose name contains this text")->type_name("TEXT");
    app.add_flag("--raw", raw_, "the PTX as the compiler wrote it");
    app.footer(
        "\nExamples:\n"
        "  warpwise ptx kernel.cu\n"
        "  warpwise ptx --function=matmul_tiled --device=a100 matmul.cu\n"
        "  warpwise ptx --raw -O3 kernel.cu > kernel.ptx");
  }

  Result<Words> own_words(const CLI::App& app, Words words) override {
    SortedWords sorted = sort_words(app, words, BehindSources::Anything);
    compiler_words_ = sorted.compiler;
    return sorted.own;
  }

  Result<int> run() override {
    const device::Properties* device = TRY(chosen_device(device_));
    toolchain::BuildRequest request = TRY(compiling_.request(compiler_words_, architecture_of(*device)));
    ListingOptions options{use_color(stdout), function_, [](const std::string& path) -> std::optional<std::string> {
                             auto text = toolchain::read_file(path);
                             return text ? std::optional(*text) : std::nullopt;
                           }};
    std::string headers = toolchain::Installation::find().headers;
    options.is_system = [headers](const std::string& path) {
      return path.starts_with(headers) || path.find("/__clang_cuda_") != path.npos || path.find("/llvm-") != path.npos;
    };
    for (const toolchain::PtxOfSource& made :
         TRY(toolchain::build_ptx(request, toolchain::Cache::from_environment()))) {
      std::string text = raw_ ? made.ptx : ptx_listing(made.ptx, options);
      if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        return Error{"U0002", "cannot write to standard output"};
    }
    return kSuccess;
  }

 private:
  Words compiler_words_;
  std::string device_, function_;
  bool raw_ = false;
  Compiling compiling_;
};

}  // namespace

std::unique_ptr<Command> make_ptx() { return std::make_unique<Ptx>(); }

}  // namespace warpwise::cli
