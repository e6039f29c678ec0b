// One result for each racy kernel, whichever way it is run, and another under some shuffled schedule
// (docs/internals/unordered_accesses.md).
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "toolchain/files.h"
#include "toolchain/process.h"

namespace warpwise::cli {
namespace {

using Results = std::map<std::string, std::string>;  // by kernel, its checksum

class UnorderedAccesses : public ::testing::Test {
 protected:
  UnorderedAccesses() : folder_(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path()).value()) {
    setenv("WARPWISE_CACHE_DIR", (folder_.path() / "cache").c_str(), 1);
  }
  static Results results(std::vector<std::string> words) {
    words.insert(words.begin(), WARPWISE_PROGRAM);
    words.push_back(WARPWISE_SOURCE_DIR "/tests/cli/programs/unordered_accesses.cu");
    auto jobs = toolchain::run_jobs({{words}});
    Results found;
    if (!jobs) {
      ADD_FAILURE() << jobs.error().message;
      return found;
    }
    std::istringstream lines((*jobs)[0].output);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      std::string name, sum, no, error, more;
      if (fields >> name >> sum >> no >> error && no == "no" && error == "error" && !(fields >> more))
        found[name] = sum;
    }
    return found;
  }
  toolchain::TemporaryFolder folder_;
};

constexpr size_t kKernels = 25;

TEST_F(UnorderedAccesses, have_one_result) {
  const Results run = results({"run"});
  ASSERT_EQ(run.size(), kKernels);
  // Each word once: 32 and 64 elements start at their index, and a[i] = (37 i + 11) mod 101 is added (the program).
  EXPECT_EQ(run.at("rows"), run.at("modulo"));
  for (const auto& way : std::vector<std::vector<std::string>>{{"run", "--mode=independent"},
                                                               {"run", "--tiers=takeover"},
                                                               {"run", "--engine=interpreter"},
                                                               {"profile"},
                                                               {"check"},
                                                               {"check", "--only=memory"},
                                                               {"check", "--only=race"}}) {
    EXPECT_EQ(results(way), run) << way[0] << (way.size() > 1 ? " " + way[1] : "");
  }
}

TEST_F(UnorderedAccesses, have_another_under_some_shuffle) {
  const Results run = results({"run"});
  Results same = run;
  for (int seed = 1; seed <= 4; ++seed)
    for (const char* mode : {"--mode=simt", "--mode=independent"})
      for (const auto& [name, sum] : results({"run", mode, "--schedule=shuffle:" + std::to_string(seed)}))
        if (sum != run.at(name)) same.erase(name);
  EXPECT_EQ(same, Results{});
}

}  // namespace
}  // namespace warpwise::cli
