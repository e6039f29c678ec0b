#include "ptxas/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warpwise::ptxas {
namespace {

// With a value, which stands behind `=` or is the next word.
constexpr std::array<std::string_view, 13> kWithValue{
    "--gpu-name", "-arch", "--opt-level",        "--maxrregcount",   "-maxrregcount", "--fmad", "-fmad",
    "--machine",  "-m",    "--regAllocOptLevel", "--def-load-cache", "-dlcm",         "-Ofc"};
constexpr std::array<std::string_view, 16> kAlone{"-v",        "--verbose",
                                                  "-lineinfo", "--generate-line-info",
                                                  "-g",        "--device-debug",
                                                  "-w",        "--disable-warnings",
                                                  "-c",        "--compile-only",
                                                  "-Werror",   "--warn-on-spills",
                                                  "-O0",       "-O1",
                                                  "-O2",       "-O3"};

bool is_in(const auto& list, std::string_view word) { return std::find(list.begin(), list.end(), word) != list.end(); }

Error unknown(std::string_view word) { return {"", fmt::format("Unknown option '{}'", word)}; }

}  // namespace

Result<CommandLine> read_command_line(std::span<const char* const> words) {
  CommandLine line;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view name = word.substr(0, word.find('='));
    const bool joined = name.size() < word.size();
    auto value = [&]() -> Result<std::string> {
      if (joined) return std::string(word.substr(name.size() + 1));
      if (i + 1 == words.size()) return Error{"", fmt::format("Missing value for option '{}'", name)};
      return std::string(words[++i]);
    };
    if (word == "--version" || word == "-V") {
      line.version = true;
    } else if (name == "-o" || name == "--output-file") {
      line.output = TRY(value());
    } else if (is_in(kWithValue, name)) {
      (void)TRY(value());
    } else if (word.starts_with('-')) {
      if (!is_in(kAlone, word)) return unknown(word);
    } else if (line.input.empty()) {
      line.input = word;
    } else {
      return Error{"", "Exactly one input file is assembled"};
    }
  }
  if (line.input.empty() && !line.version) return Error{"", "No input file"};
  return line;
}

}  // namespace warpwise::ptxas
