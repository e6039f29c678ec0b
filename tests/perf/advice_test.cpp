// Rules of advice on counts made by hand: each gives advice where there is evidence, and none where there is not. Whole
// programs: docs/advice/examples, run by advice_examples.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "perf/advice/rules.h"
#include "perf/report/analysis.h"

namespace warpwise::perf {
namespace {

using enum Counter;

// A million threads that each load and store a float, side by side.
LaunchCounts coalesced() {
  LaunchCounts launch;
  launch.kernel = "copy";
  launch.grid = {4096, 1, 1};
  launch.block = {256, 1, 1};
  launch.registers = 16;
  launch.register_source = RegisterSource::Ptxas;
  launch.blocks = launch.counted_blocks = launch.cached_blocks = 4096;
  uint64_t warps = launch.warps();
  Counts& c = launch.totals;
  c[Instructions] = warps * 12;
  c[ThreadInstructions] = c[ThreadInstructionsOn] = warps * 12 * 32;
  c[PipeLsu] = warps * 2;
  c[GlobalLoadRequests] = c[GlobalStoreRequests] = warps;
  for (Counter k : {GlobalLoadSectors, GlobalLoadIdealSectors, GlobalStoreSectors, GlobalStoreIdealSectors,
                    L1ReadSectors, L2ReadSectors, L2WriteSectors})
    c[k] = warps * 4;
  for (Counter k : {GlobalLoadBytes, GlobalLoadRegisterBytes, GlobalStoreBytes, DramReadBytes, DramWriteBytes})
    c[k] = warps * 128;
  launch.latency.chain.global = 1;
  return launch;
}

std::set<std::string_view> rules_of(const LaunchCounts& launch, const char* device = "a6000") {
  Profile profile;
  profile.launches = {launch};
  Analysis analysis = analyse(profile, *device::find_device(device));
  std::set<std::string_view> keys;
  for (const Advice& advice : analysis.kernels.at(0).advice) {
    EXPECT_GT(advice.gain, 1.0) << advice.info->key;
    EXPECT_FALSE(advice.evidence.empty());
    keys.insert(advice.info->key);
  }
  return keys;
}

TEST(Advice, is_silent_about_a_streaming_kernel) { EXPECT_EQ(rules_of(coalesced()), std::set<std::string_view>{}); }

TEST(Advice, sees_strided_loads) {
  LaunchCounts launch = coalesced();
  for (Counter k : {GlobalLoadSectors, L1ReadSectors, L2ReadSectors}) launch.totals[k] *= 8;
  launch.totals[DramReadBytes] *= 8;
  EXPECT_TRUE(rules_of(launch).count("uncoalesced-loads"));
  EXPECT_FALSE(rules_of(launch).count("uncoalesced-stores"));
}

// A line with a load of one word for all lanes beside a dense one, as a[row * n + k] * b[k * n + column]: both bring
// four bytes to each lane, although the warp as a whole asks for 4 and for 128 different ones.
TEST(Advice, knows_how_wide_loads_are_beside_broadcasts) {
  LaunchCounts launch = coalesced();
  Counts& c = launch.totals;
  const uint64_t loads = launch.warps() * 2000;
  c[Instructions] += 3 * loads, c[PipeLsu] += loads, c[GlobalLoadRequests] = loads;
  c[GlobalLoadSectors] = c[GlobalLoadIdealSectors] = loads / 2 * 5;
  c[GlobalLoadBytes] = loads / 2 * 132, c[GlobalLoadRegisterBytes] = loads * 128;
  launch.latency.chain.global = 2000;
  LineCounts line;
  line.frames = {{"a.cu", 15, 0, "product"}};
  line.counts = c;
  launch.lines = {line};
  Profile profile;
  profile.launches = {launch};
  const Analysis analysis = analyse(profile, *device::find_device("a6000"));
  const auto& list = analysis.kernels.at(0).advice;
  const auto wide = std::find_if(list.begin(), list.end(), [](const Advice& a) { return a.info->key == "wide-loads"; });
  ASSERT_NE(wide, list.end());
  EXPECT_NE(wide->evidence.find("4 bytes"), std::string::npos) << wide->evidence;
}

TEST(Advice, sees_bank_conflicts_where_shared_memory_limits) {
  LaunchCounts launch = coalesced();
  uint64_t loads = launch.warps() * 1000;
  launch.totals[Instructions] += loads;
  launch.totals[PipeLsu] += loads;
  launch.totals[SharedLoads] = launch.totals[SharedLoadIdealWavefronts] = loads;
  launch.totals[SharedLoadWavefronts] = loads * 32;
  launch.totals[SharedLoadConflicts] = loads * 31;
  launch.totals[SharedLoadBytes] = launch.totals[SharedLoadRegisterBytes] = loads * 128;
  EXPECT_TRUE(rules_of(launch).count("bank-conflicts"));
  launch.totals[SharedLoadWavefronts] = loads;
  launch.totals[SharedLoadConflicts] = 0;
  EXPECT_FALSE(rules_of(launch).count("bank-conflicts"));
}

TEST(Advice, sees_doubles_only_where_they_are_slow) {
  LaunchCounts launch = coalesced();
  uint64_t warps = launch.warps();
  launch.totals[Instructions] += warps * 100;
  launch.totals[PipeFp64] = warps * 100;
  launch.totals[Dfma] = warps * 3200;
  EXPECT_TRUE(rules_of(launch, "a6000").count("double-precision"));
  launch.totals[PipeFp64] = warps;  // a few: memory hides them
  launch.totals[Dfma] = warps * 32;
  EXPECT_FALSE(rules_of(launch, "h100").count("double-precision"));
}

TEST(Advice, sees_one_block_on_a_large_gpu) {
  LaunchCounts launch = coalesced();
  launch.grid = {1, 1, 1};
  launch.totals[Instructions] = 8 * 1000000;
  EXPECT_TRUE(rules_of(launch).count("tiny-grid"));
}

TEST(Advice, every_rule_has_one_name) {
  std::set<std::string_view> keys;
  for (const AdviceInfo& info : all_advice()) EXPECT_TRUE(keys.insert(info.key).second) << info.key;
  EXPECT_GE(keys.size(), 20u);
}

TEST(Advice, program_rules_see_tiny_launches_and_ping_pong) {
  Profile profile;
  LaunchCounts tiny = coalesced();
  tiny.grid = {1, 1, 1};
  tiny.totals = {};
  tiny.totals[Instructions] = 100;
  for (int i = 0; i < 100; ++i) profile.launches.push_back(tiny);
  for (int i = 0; i < 10; ++i)
    for (auto kind : {HostEvent::Kind::CopyToDevice, HostEvent::Kind::CopyToHost}) {
      HostEvent copy;
      copy.kind = kind;
      copy.bytes = 1 << 20;
      profile.events.push_back(copy);
    }
  std::set<std::string_view> keys;
  for (const Advice& advice : analyse(profile, *device::find_device("h100")).advice) keys.insert(advice.info->key);
  EXPECT_TRUE(keys.count("tiny-launches"));
  EXPECT_TRUE(keys.count("host-ping-pong"));
}

// 20 kernels of 5 us, behind each a wait that ends 4 us later, when the next is submitted; then the same behind copies.
TEST(Advice, program_rules_see_what_the_host_waits_for) {
  for (bool copies : {false, true}) {
    Profile profile;
    uint64_t time = 0;
    for (unsigned i = 0; i < 20; ++i) {
      HostEvent work, call;
      work.kind = copies ? HostEvent::Kind::CopyToDevice : HostEvent::Kind::Fill;
      work.number = 1 + i, work.begin_ns = work.device_begin_ns = time, work.device_end_ns = time += 5000;
      call.kind = HostEvent::Kind::Call, call.name = copies ? "cudaMemcpy" : "cudaDeviceSynchronize";
      call.number = copies ? 1 + i : 2 + i, call.last_number = 1 + i, call.begin_ns = work.begin_ns,
      call.end_ns = time += 4000, call.waited_ns = 8000;
      profile.events.push_back(work), profile.events.push_back(call);
    }
    std::map<std::string_view, Advice> found;
    for (const Advice& advice : analyse(profile, *device::find_device("h100")).advice) found[advice.info->key] = advice;
    ASSERT_EQ(found.size(), 1u);
    ASSERT_TRUE(found.contains(copies ? "synchronous-copies" : "host-waits"));
    EXPECT_NEAR(found.begin()->second.saved_seconds, 19 * 4e-6, 1e-9);  // none behind the last
    EXPECT_NEAR(found.begin()->second.gain, 176.0 / 100, 1e-6);
  }
}

}  // namespace
}  // namespace warpwise::perf
