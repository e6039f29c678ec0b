#include "cli/support/compiling.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace warpwise::cli {

void Compiling::declare(CLI::App& app) {
  app.add_option("--compiler", compiler_, "auto (Clang, or nvcc where a header needs it), clang or nvcc")
      ->check(CLI::IsMember({"auto", "clang", "nvcc"}))
      ->type_name("NAME");
}

Result<toolchain::BuildRequest> Compiling::request(const std::vector<std::string>& compiler_words,
                                                   unsigned architecture) {
  toolchain::BuildRequest request;
  request.flags = TRY(toolchain::parse_flags(compiler_words));
  request.compiler = compiler_ == "clang"  ? toolchain::CompilerChoice::Clang
                     : compiler_ == "nvcc" ? toolchain::CompilerChoice::Nvcc
                                           : toolchain::CompilerChoice::Automatic;
  request.device_architecture = architecture;
  request.explain_inputs = true;
  request.color = use_color(stderr);
  request.say = [this](std::string_view text) {
    progress_.clear();
    std::fwrite(text.data(), 1, text.size(), stderr);
  };
  request.on_slow = [this](const std::string& what) { progress_.show(what); };
  request.on_very_slow = [this, told = false](const std::string& what) mutable {
    if (std::exchange(told, true)) return;
    progress_.clear();
    fmt::print(stderr, "warpwise: {} takes a while\n", what);
    progress_.show(what);
  };
  request.on_done = [this] { progress_.clear(); };
  return request;
}

}  // namespace warpwise::cli
