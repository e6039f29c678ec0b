// What an accepted submission is told of its speed: places among the steps of a ladder, and how they are worded.
#include "lab/report/performance.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "device/properties.h"
#include "lab/problem/catalogue.h"
#include "lab/report/judgement_text.h"
#include "lab/report/ladder.h"

namespace warpwise::lab {
namespace {

const std::vector<LadderStep> kLadder{
    {"1-naive", "one thread per element", 10e-6}, {"2-tiles", "tiles", 5e-6}, {"3-wide", "wide loads", 4e-6}};

TEST(Performance, places_count_what_is_faster) {
  EXPECT_EQ(place_in(kLadder, 20e-6), 4u);
  EXPECT_EQ(place_in(kLadder, 7e-6), 3u);
  EXPECT_EQ(place_in(kLadder, 3e-6), 1u);
  EXPECT_EQ(place_in({}, 3e-6), 1u);
}

TEST(Performance, times_that_are_as_good_as_equal_share_a_place) {
  EXPECT_EQ(place_in(kLadder, 5e-6), 2u);
  EXPECT_EQ(place_in(kLadder, 5.05e-6), 2u);
  EXPECT_EQ(place_in(kLadder, 4.01e-6), 1u);
}

TEST(Performance, names_the_neighbours_on_the_ladder) {
  Performance p;
  p.seconds = 7e-6;
  p.ladder = kLadder;
  const std::string text = ladder_text(p, {});
  EXPECT_NE(text.find("3rd of 4 (yours and our 3)"), text.npos) << text;
  EXPECT_NE(text.find("next faster 5.00 µs (2-tiles: tiles)"), text.npos) << text;
  EXPECT_NE(text.find("next slower 10.0 µs (1-naive: one thread per element)"), text.npos) << text;
  // Near times rank as equal, whichever is the smaller.
  for (double seconds : {4.99e-6, 5e-6, 5.01e-6}) {
    p.seconds = seconds;
    EXPECT_NE(ladder_text(p, {}).find("as fast as yours 5.00 µs (2-tiles: tiles)"), text.npos) << ladder_text(p, {});
  }
  p.seconds = 1e-6;
  EXPECT_EQ(ladder_text(p, {}).find("next faster"), std::string::npos);
  p.ladder.clear();
  EXPECT_EQ(ladder_text(p, {}), "");
}

TEST(Performance, nothing_is_said_where_no_kernel_ran) {
  EXPECT_FALSE(performance_of("", device::default_device()));
  EXPECT_FALSE(performance_of("not a record\n", device::default_device()));
}

// A first verdict would judge the solutions whose times are missing, which takes longer than the verdict. The times are
// those of a problem.toml, a reference and a source: who changes one of them writes
// `warpwise lab verify --all --ladders=problems/ladders.json`.
TEST(Performance, the_times_of_our_own_ladders_are_known) {
  const char* before = std::getenv("WARPWISE_CACHE_SIZE");
  const std::string size = before ? before : "";
  setenv("WARPWISE_CACHE_SIZE", "0", 1);
  const std::filesystem::path root = std::filesystem::path(WARPWISE_SOURCE_DIR) / "problems";
  auto catalogue = Catalogue::open(root.string());
  ASSERT_TRUE(catalogue.ok()) << catalogue.error().message;
  size_t ladders = 0;
  for (const Problem& problem : catalogue->all()) {
    auto ladder = Ladder::open(problem, root, std::string(device::default_device().id));
    ASSERT_TRUE(ladder.ok()) << ladder.error().message;
    EXPECT_TRUE(ladder->known()) << problem.slug;
    ladders += ladder->any();
  }
  EXPECT_GT(ladders, 30u);
  if (before)
    setenv("WARPWISE_CACHE_SIZE", size.c_str(), 1);
  else
    unsetenv("WARPWISE_CACHE_SIZE");
}

}  // namespace
}  // namespace warpwise::lab
