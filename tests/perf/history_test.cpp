// The history of profiles: what is kept is there again, runs are numbered by name and found by device, a damaged file
// is told and left.
#include "perf/history/history.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <thread>

#include "perf/history/show.h"
#include "toolchain/files.h"

namespace warpwise::perf {
namespace {

using enum Counter;

// A kernel of a million threads that executes `instructions` of them a warp.
Profile profile_of(const std::string& device, uint64_t instructions) {
  LaunchCounts launch;
  launch.kernel = launch.symbol = "work(float*)";
  launch.grid = {4096, 1, 1}, launch.block = {256, 1, 1};
  launch.registers = 16;
  launch.blocks = launch.counted_blocks = launch.cached_blocks = 4096;
  launch.totals[Instructions] = launch.totals[PipeFma] = launch.warps() * instructions;
  Profile profile;
  profile.program = "work.cu", profile.device = device;
  profile.launches = {launch};
  return profile;
}

const device::Properties& gpu(const char* id) { return *device::find_device(id); }

class HistoryFile : public testing::Test {
 protected:
  HistoryFile() : folder_(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path()).value()) {}
  std::filesystem::path file() const { return folder_.path() / "deep/profiles.sqlite"; }
  History open() {
    auto history = History::open(file());
    EXPECT_TRUE(history.ok()) << (history.ok() ? "" : history.error().message);
    return *history;
  }
  int64_t add(const char* name, const char* device, uint64_t instructions, const Origin& origin = {}) {
    const Profile profile = profile_of(device, instructions);
    auto number = open().add(name, analyse(profile, gpu(device)), origin);
    EXPECT_TRUE(number.ok()) << (number.ok() ? "" : number.error().message);
    return *number;
  }
  toolchain::TemporaryFolder folder_;
};

std::string when(const std::string&) { return "just now"; }

TEST(RunName, is_a_name_and_perhaps_a_number) {
  EXPECT_EQ(run_name_of("main")->name, "main");
  EXPECT_FALSE(run_name_of("main")->number);
  EXPECT_EQ(run_name_of("v1_2-rc+x@12")->number, 12);
  for (const char* none : {"", "@1", "main@", "main@0", "main@-1", "main@1x", "a/b", "a.json", "a b", "a@1@2"})
    EXPECT_FALSE(run_name_of(none)) << none;
}

TEST_F(HistoryFile, keeps_runs_by_name) {
  EXPECT_EQ(add("main", "h100", 100, {"0123456789abcdef", true}), 1);
  EXPECT_EQ(add("other", "h100", 100), 1);
  EXPECT_EQ(add("main", "h100", 200), 2);
  const auto runs = open().runs("main").value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].number, 1);
  EXPECT_EQ(runs[0].origin.commit, "0123456789abcdef");
  EXPECT_TRUE(runs[0].origin.changed);
  EXPECT_EQ(runs[0].program, "work.cu");
  EXPECT_GT(runs[1].seconds, 1.5 * runs[0].seconds);
  ASSERT_EQ(runs[1].kernels.size(), 1u);
  EXPECT_EQ(runs[1].kernels[0].kernel, "work(float*)");
  EXPECT_EQ(runs[1].kernels[0].block, "256");
  EXPECT_NE(runs[1].kernels[0].metrics.find("\"smsp__inst_executed.sum\":6553600"), std::string::npos)
      << runs[1].kernels[0].metrics;  // 4096 blocks * 8 warps * 200
  EXPECT_TRUE(open().runs("nothing").value().empty());

  // All that was counted, and not only sums.
  EXPECT_EQ(open().profile({"main", 1}, gpu("h100"))->launches[0].totals, profile_of("h100", 100).launches[0].totals);
  EXPECT_EQ(open().profile({"main", {}}, gpu("h100"))->launches[0].totals[Instructions], 6553600u);
  EXPECT_EQ(open().profile({"main", 3}, gpu("h100")).error().code, "U0014");
  EXPECT_EQ(open().profile({"nothing", {}}, gpu("h100")).error().code, "U0014");
}

// The last run of a name is the last on the same device; there is no comparison across devices.
TEST_F(HistoryFile, knows_devices_apart) {
  add("main", "h100", 100), add("main", "a100", 300);
  EXPECT_EQ(open().profile({"main", {}}, gpu("h100"))->device, "h100");
  EXPECT_EQ(open().profile({"main", {}}, gpu("a100"))->device, "a100");
  const auto elsewhere = open().profile({"main", {}}, gpu("a6000"));
  ASSERT_FALSE(elsewhere.ok());
  EXPECT_EQ(elsewhere.error().code, "U0014");
  EXPECT_FALSE(open().profile({"main", 1}, gpu("a100")).ok());

  const auto names = open().names().value();
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(std::set({names[0].device, names[1].device}), std::set({std::string("h100"), std::string("a100")}));
}

TEST_F(HistoryFile, reports_first_and_last) {
  for (uint64_t instructions : {400, 100, 200}) add("main", "h100", instructions);
  const auto runs = open().runs("main").value();
  const auto names = open().names().value();
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(names[0].runs, 3);
  EXPECT_EQ(names[0].first_seconds, runs[0].seconds);
  EXPECT_EQ(names[0].last_seconds, runs[2].seconds);
}

TEST(History, draws_columns_by_their_share) {
  EXPECT_EQ(columns_of({1, 2, 4, 8, 0}), "▁▂▄█▁");
  EXPECT_EQ(columns_of({}), "");
}

TEST_F(HistoryFile, is_text_and_json) {
  for (uint64_t instructions : {800, 800, 100}) add("main", "h100", instructions);
  const auto runs = open().runs("main").value();
  const std::string text = to_text("main", runs, {when, "", false});
  EXPECT_NE(text.find("@3"), std::string::npos) << text;
  EXPECT_NE(text.find("as before"), std::string::npos) << text;
  EXPECT_NE(text.find("██"), std::string::npos) << text;
  const std::string kernel = to_text("main", runs, {when, "work", false});
  EXPECT_NE(kernel.find("work(float*), 4096 blocks of 256, h100"), std::string::npos) << kernel;
  EXPECT_NE(to_text("main", runs, {when, "absent", false}).find("No kernel"), std::string::npos);
  const auto json = to_json("main", runs, "");
  EXPECT_EQ(json.at("runs").at(2).at("kernels").at(0).at("metrics").at("smsp__inst_executed.sum"), 3276800);
  EXPECT_TRUE(to_json("main", runs, "absent").at("runs").at(0).at("kernels").empty());
}

TEST_F(HistoryFile, serves_two_at_once) {
  std::vector<std::thread> terminals;
  for (int t = 0; t < 2; ++t)
    terminals.emplace_back([this] {
      for (int i = 0; i < 20; ++i) add("main", "h100", 100);
    });
  for (std::thread& t : terminals) t.join();
  const auto runs = open().runs("main").value();
  ASSERT_EQ(runs.size(), 40u);
  for (size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(runs[i].number, int64_t(i) + 1);
}

TEST_F(HistoryFile, reports_damage_and_leaves_it) {
  for (int i = 0; i < 20; ++i) add("main", "h100", 100);
  const std::string junk(4096, 'x');
  {
    std::fstream damaged(file(), std::ios::in | std::ios::out | std::ios::binary);
    damaged.seekp(100);  // behind the head: the table of tables
    damaged << junk;
  }
  const auto damaged = toolchain::read_file(file()).value();
  auto history = History::open(file());
  const Error error = history ? history->runs("main").error() : history.error();
  EXPECT_EQ(error.code, "U0013");
  EXPECT_NE(error.message.find("mv '"), std::string::npos) << error.message;
  EXPECT_EQ(toolchain::read_file(file()).value(), damaged);

  ASSERT_TRUE(toolchain::write_file(file(), "no database at all, and longer than the head of one: " + junk).ok());
  const auto none = History::open(file());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "U0013");
  EXPECT_NE(none.error().message.find("mv '"), std::string::npos) << none.error().message;
}

}  // namespace
}  // namespace warpwise::perf
