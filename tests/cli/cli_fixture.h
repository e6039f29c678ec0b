// Runs `warpwise` as people do: words in, an exit code and a text out. Each test has a folder and a cache of its own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/files.h"
#include "toolchain/process.h"

namespace warpwise::cli {

struct Outcome {
  int code;
  std::string text;  // standard output and error
  bool has(std::string_view part) const { return text.find(part) != text.npos; }
};

class Cli : public testing::Test {
 protected:
  Cli() : folder_(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path()).value()) {
    setenv("WARPWISE_CACHE_DIR", (folder_.path() / "cache").c_str(), 1);
    setenv("XDG_DATA_HOME", (folder_.path() / "data").c_str(), 1);
    unsetenv("WARPWISE_OPTIONS");
  }
  Outcome warpwise(std::vector<std::string> words) {
    words.insert(words.begin(), WARPWISE_PROGRAM);
    return shell(words);
  }
  static Outcome shell(const std::vector<std::string>& words) {
    auto results = toolchain::run_jobs({{words}});
    if (!results) return {-1, results.error().message};
    return {(*results)[0].exit_code, (*results)[0].output};
  }
  std::string file(const std::string& name, std::string_view content) {
    auto written = toolchain::write_file(folder_.path() / name, content);
    if (!written) ADD_FAILURE() << written.error().message;
    return folder_.path() / name;
  }
  toolchain::TemporaryFolder folder_;
};

}  // namespace warpwise::cli
