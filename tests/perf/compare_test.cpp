// Two runs side by side: profiles made by hand.
#include "perf/report/compare.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perf/counters/records.h"

namespace warpwise::perf {
namespace {

using enum Counter;

// A kernel of a million threads that loads `sectors` sectors for each warp.
LaunchCounts kernel(const std::string& name, uint64_t sectors, uint64_t index = 0) {
  LaunchCounts launch;
  launch.index = index;
  launch.kernel = launch.symbol = name;
  launch.grid = {4096, 1, 1}, launch.block = {256, 1, 1};
  launch.registers = 16, launch.register_source = RegisterSource::Ptxas;
  launch.blocks = launch.counted_blocks = launch.cached_blocks = 4096;
  const uint64_t warps = launch.warps();
  Counts& c = launch.totals;
  c[Instructions] = warps * 10, c[GlobalLoadRequests] = warps;
  for (Counter k : {GlobalLoadSectors, L1ReadSectors, L2ReadSectors}) c[k] = warps * sectors;
  c[GlobalLoadBytes] = c[GlobalLoadRegisterBytes] = warps * 128;
  c[DramReadBytes] = warps * sectors * 32;
  launch.latency.chain.global = 1;
  return launch;
}

Profile profile_of(std::vector<LaunchCounts> launches) {
  Profile profile;
  profile.program = "p.cu", profile.device = "h100";
  profile.launches = std::move(launches);
  return profile;
}

const device::Properties& h100() { return *device::find_device("h100"); }

TEST(Compare, says_what_changed_and_why) {
  const Profile before = profile_of({kernel("a", 32)}), after = profile_of({kernel("a", 4)});
  const Analysis b = analyse(before, h100()), a = analyse(after, h100());
  const Comparison c = compare(b, a);
  ASSERT_EQ(c.kernels.size(), 1u);
  EXPECT_GT(c.kernels[0].speedup(), 3);
  ASSERT_FALSE(c.kernels[0].parts.empty());
  EXPECT_GT(c.kernels[0].parts[0].before, c.kernels[0].parts[0].after);
  const std::string text = to_text(c, false);
  EXPECT_NE(text.find("times faster"), std::string::npos) << text;
  EXPECT_NE(text.find("sectors of a global load"), std::string::npos) << text;
  EXPECT_TRUE(regressions(c, 0.1).empty());
  const auto worse = regressions(compare(a, b), 0.1);
  ASSERT_FALSE(worse.empty());
  EXPECT_NE(worse[0].find("modelled time"), std::string::npos) << worse[0];
}

TEST(Compare, pairs_by_name_and_the_rest_by_time) {
  const Profile before = profile_of({kernel("same", 4), kernel("old", 32, 1)}), after = profile_of({kernel("new", 8), kernel("same", 4, 1), kernel("added", 4, 2)});
  const Analysis b = analyse(before, h100()), a = analyse(after, h100());
  const Comparison c = compare(b, a);
  ASSERT_EQ(c.kernels.size(), 3u);
  EXPECT_EQ(c.kernels[0].before->launch.kernel, "old");
  EXPECT_EQ(c.kernels[0].after->launch.kernel, "new");
  for (const KernelPair& p : c.kernels)
    if (p.after->launch.kernel == "same") EXPECT_EQ(p.before->launch.kernel, "same");
    else if (p.after->launch.kernel == "added") EXPECT_EQ(p.before, nullptr);
  EXPECT_TRUE(regressions(c, 0).empty());  // other kernels are other kernels
}

TEST(Records, keep_a_profile) {
  Profile profile = profile_of({kernel("a", 4)});
  HostEvent event;
  event.kind = HostEvent::Kind::CopyToDevice, event.number = 3, event.stream = 2, event.bytes = 77, event.pinned = true, event.device_end_ns = 9;
  profile.events.push_back(event);
  const Profile again = read_records(to_records(profile));
  EXPECT_TRUE(again.complete);
  EXPECT_EQ(again.program, "p.cu");
  EXPECT_EQ(again.device, "h100");
  ASSERT_EQ(again.launches.size(), 1u);
  EXPECT_EQ(again.launches[0].totals, profile.launches[0].totals);
  EXPECT_EQ(again.launches[0].register_source, RegisterSource::Ptxas);
  ASSERT_EQ(again.events.size(), 1u);
  EXPECT_EQ(again.events[0].number, 3u);
  EXPECT_EQ(again.events[0].bytes, 77u);
  EXPECT_TRUE(again.events[0].pinned);
  EXPECT_EQ(again.events[0].device_end_ns, 9u);
}

}  // namespace
}  // namespace warpwise::perf
