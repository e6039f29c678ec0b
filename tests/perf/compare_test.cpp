// Two runs side by side, and a run as a timeline: profiles made by hand.
#include "perf/report/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perf/counters/records.h"
#include "perf/report/html.h"
#include "perf/report/limited_by.h"
#include "perf/report/meters.h"
#include "perf/report/ranges.h"
#include "perf/report/timeline.h"

namespace warpwise::perf {
namespace {

using enum Counter;

// A kernel of sixteen million threads that loads `sectors` sectors for each warp.
LaunchCounts kernel(const std::string& name, uint64_t sectors, uint64_t index = 0) {
  LaunchCounts launch;
  launch.index = index;
  launch.kernel = launch.symbol = name;
  launch.grid = {65536, 1, 1}, launch.block = {256, 1, 1};
  launch.registers = 16, launch.register_source = RegisterSource::Ptxas;
  launch.blocks = launch.counted_blocks = launch.cached_blocks = 65536;
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
  EXPECT_NE(text.find("sectors per global load"), std::string::npos) << text;
  EXPECT_NE(text.find("It was limited by") == text.npos ? text.find("It was and is limited by")
                                                        : text.find("It was limited by"),
            std::string::npos)
      << text;
  EXPECT_TRUE(regressions(c, 0.1).empty());
  const auto worse = regressions(compare(a, b), 0.1);
  ASSERT_FALSE(worse.empty());
  EXPECT_NE(worse[0].find("modelled time"), std::string::npos) << worse[0];
}

// A modelled time has a range: where two ranges overlap, the report does not claim a difference.
TEST(Compare, claims_no_difference_within_the_ranges) {
  const TimeRange slow{100e-6, 85e-6, 115e-6}, near{94e-6, 80e-6, 108e-6}, fast{40e-6, 34e-6, 46e-6};
  EXPECT_EQ(difference_of(slow, near), Difference::Unclear);
  EXPECT_EQ(difference_of(near, slow), Difference::Unclear);
  EXPECT_EQ(difference_of(slow, fast), Difference::Faster);
  EXPECT_EQ(difference_of(fast, slow), Difference::Slower);
  EXPECT_EQ(difference_of(slow, slow), Difference::Same);
  EXPECT_EQ(difference_of(slow, {}), Difference::Unknown);
  EXPECT_NE(difference_words(slow, near).find("no difference that the model can tell"), std::string::npos);
  EXPECT_EQ(difference_words(slow, fast), "2.50 times faster");
  EXPECT_EQ(range_text(slow), "100 µs (85.0 µs to 115 µs)");

  const Profile before = profile_of({kernel("a", 16)}), after = profile_of({kernel("a", 17)});
  const Analysis b = analyse(before, h100()), a = analyse(after, h100());
  const Comparison c = compare(b, a);
  ASSERT_EQ(c.kernels[0].difference(), Difference::Unclear);
  EXPECT_NE(to_text(c, false).find("no difference that the model can tell"), std::string::npos) << to_text(c, false);
  EXPECT_EQ(to_json(c).at("kernels")[0].at("difference"), "unclear");
  EXPECT_NE(to_html(c, {"1.2.3", "2026-01-31 12:00 UTC", "warpwise profile a.cu"}).find("no difference that the model"),
            std::string::npos);
}

// A guard makes some branches diverge and costs nothing: neither a report nor CI is alarmed. Lanes that idle are.
TEST(Compare, divergence_alarms_only_where_it_costs) {
  LaunchCounts plain = kernel("a", 4), guarded = plain, torn = plain;
  for (LaunchCounts* launch : {&plain, &guarded, &torn}) {
    launch->totals[ThreadInstructions] = launch->totals[Instructions] * 32;
    launch->totals[Branches] = launch->warps();
    launch->totals[DivergentBranches] = 250;
  }
  guarded.totals[DivergentBranches] = 13'000;
  torn.totals[DivergentBranches] = 13'000;
  torn.totals[ThreadInstructions] /= 2;
  const auto divergent = [](const Comparison& c) {
    for (const Change& f : c.kernels[0].figures)
      if (f.name == "divergent branches") return f;
    return Change{};
  };
  const Profile p = profile_of({plain}), g = profile_of({guarded}), t = profile_of({torn});
  const Analysis pa = analyse(p, h100()), ga = analyse(g, h100()), ta = analyse(t, h100());
  const Comparison harmless = compare(pa, ga), harmful = compare(pa, ta);
  EXPECT_FALSE(divergent(harmless).felt);
  EXPECT_TRUE(regressions(harmless, 0.1).empty());
  EXPECT_NE(to_text(harmless, false).find("which costs nothing"), std::string::npos) << to_text(harmless, false);
  EXPECT_TRUE(divergent(harmful).felt);
  EXPECT_FALSE(regressions(harmful, 0.1).empty());
}

// L1 and shared memory are one pipe: the row that explains the group is their sum.
TEST(Report, meters_add_up) {
  Prediction p;
  p.utilization[unsigned(Resource::L1)] = 0.2, p.utilization[unsigned(Resource::Shared)] = 0.45;
  p.utilization[unsigned(Resource::L2)] = 0.12, p.utilization[unsigned(Resource::Fp32)] = 0.3;
  p.compute_of_peak = 0.3, p.memory_of_peak = 0.65;
  double group = 0, parts = 0, inner = 0;
  for (const Meter& m : meters_of(p)) {
    if (m.group != Group::Memory) continue;
    if (m.depth == 0) group = m.share;
    if (m.depth == 1) parts = std::max(parts, m.share);
    if (m.depth == 2) inner += m.share;
  }
  EXPECT_DOUBLE_EQ(group, 0.65);
  EXPECT_DOUBLE_EQ(parts, 0.65);
  EXPECT_DOUBLE_EQ(inner, 0.65);
  p.utilization[unsigned(Resource::Shared)] = 0;
  EXPECT_TRUE(std::ranges::none_of(meters_of(p), [](const Meter& m) { return m.depth == 2; }));
}

// A page says where it comes from, and what a command line holds cannot become HTML.
TEST(Report, pages_say_where_they_come_from) {
  LaunchCounts launch = kernel("a", 4);
  launch.totals[Ffma] = launch.threads() * 4;
  const Profile profile = profile_of({launch});
  const std::string page =
      to_html(analyse(profile, h100()), {"1.2.3", "2026-01-31 12:00 UTC", "warpwise profile 'a<b>.cu'"});
  EXPECT_NE(page.find("Warpwise 1.2.3 · 2026-01-31 12:00 UTC · NVIDIA H100"), std::string::npos) << page;
  EXPECT_NE(page.find("warpwise profile &#39;a&lt;b&gt;.cu&#39;"), std::string::npos) << page;
  EXPECT_LT(page.find("class=verdict"), page.find("id=roofline"));
  EXPECT_NE(page.find("<text class=label"), std::string::npos) << page;
}

// A limiter is named with what keeps it busy, where the counts show it.
TEST(Report, says_what_limits_in_words) {
  LaunchCounts scattered = kernel("a", 32), dense = kernel("a", 4), conflicts = kernel("a", 4);
  for (LaunchCounts* launch : {&scattered, &dense, &conflicts})
    launch->totals[GlobalLoadIdealSectors] = launch->warps() * 4;
  conflicts.totals[SharedLoads] = conflicts.warps() * 32;
  conflicts.totals[SharedLoadWavefronts] = conflicts.warps() * 1024,
  conflicts.totals[SharedLoadConflicts] = conflicts.warps() * 992;
  auto words = [](const LaunchCounts& launch) {
    const Profile profile = profile_of({launch});
    return limited_by(analyse(profile, h100()).kernels[0]);
  };
  EXPECT_NE(
      words(scattered).find("not coalesced waste it: the threads of a warp touch 32.0 sectors of 32 bytes where 4.0"),
      std::string::npos)
      << words(scattered);
  EXPECT_EQ(words(dense).find("coalesced"), std::string::npos) << words(dense);
  EXPECT_NE(words(conflicts).find("bank conflicts in shared memory: 97 %"), std::string::npos) << words(conflicts);
}

TEST(Compare, pairs_by_name_and_the_rest_by_time) {
  const Profile before = profile_of({kernel("same", 4), kernel("old", 32, 1)}),
                after = profile_of({kernel("new", 8), kernel("same", 4, 1), kernel("added", 4, 2)});
  const Analysis b = analyse(before, h100()), a = analyse(after, h100());
  const Comparison c = compare(b, a);
  ASSERT_EQ(c.kernels.size(), 3u);
  EXPECT_EQ(c.kernels[0].before->launch.kernel, "old");
  EXPECT_EQ(c.kernels[0].after->launch.kernel, "new");
  for (const KernelPair& p : c.kernels) {
    if (p.after->launch.kernel == "same") {
      EXPECT_EQ(p.before->launch.kernel, "same");
    } else if (p.after->launch.kernel == "added") {
      EXPECT_EQ(p.before, nullptr);
    }
  }
  EXPECT_TRUE(regressions(c, 0).empty());  // other kernels are other kernels
}

TEST(Records, keep_a_profile) {
  Profile profile = profile_of({kernel("a", 4)});
  HostEvent event;
  event.kind = HostEvent::Kind::CopyToDevice, event.number = 3, event.stream = 2, event.bytes = 77, event.pinned = true,
  event.device_end_ns = 9;
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

HostEvent command(HostEvent::Kind kind, uint64_t number, uint64_t stream, uint64_t begin, uint64_t end) {
  HostEvent e;
  e.kind = kind, e.number = number, e.stream = stream, e.device_begin_ns = begin, e.device_end_ns = end;
  return e;
}
HostEvent range(const std::string& name, uint64_t first, uint64_t last, uint64_t begin, uint64_t end) {
  HostEvent e;
  e.kind = HostEvent::Kind::Range, e.name = name, e.number = first, e.last_number = last, e.begin_ns = begin,
  e.end_ns = end;
  return e;
}

// A copy, and a kernel of 1056 blocks on an H100 of 132 SMs; a range around the kernel, and a mark.
TEST(Timeline, has_streams_ranges_and_blocks) {
  LaunchCounts launch = kernel("scale(float*)", 4);
  launch.grid = {1056 * 2 + 132, 1,
                 1};  // 8 blocks of 256 threads fit an SM of 2048: two waves and one block for each SM
  launch.blocks = launch.counted_blocks = launch.cached_blocks = launch.grid.x;
  Profile profile = profile_of({launch});
  profile.events = {command(HostEvent::Kind::CopyToDevice, 1, 0, 0, 1000),
                    command(HostEvent::Kind::Launch, 2, 5, 1000, 400'000), range("solve", 2, 2, 10, 20),
                    range("mark", 3, 2, 20, 20)};

  const std::vector<RangeTime> ranges = ranges_of(profile);
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(ranges[0].event->name, "solve");
  EXPECT_EQ(ranges[0].begin_ns, 1000u);
  EXPECT_EQ(ranges[0].end_ns, 400'000u);
  EXPECT_EQ(ranges[0].kernels, 1u);

  const Analysis analysis = analyse(profile, h100());
  const Timeline timeline = timeline_of(analysis);
  EXPECT_EQ(timeline.launches_without_blocks, 0u);
  const auto trace = nlohmann::json::parse(timeline.json);
  unsigned solves = 0, marks = 0, scales = 0, eights = 0, ones = 0;
  for (const auto& e : trace.at("traceEvents")) {
    const std::string name = e.at("name");
    if (e.at("ph") == "i") marks += name == "mark";
    if (e.at("ph") != "X") continue;
    solves += name == "solve";  // in the host's time, and in the device's
    eights += name == "8 blocks of scale";
    ones += name == "1 block of scale";
    if (name == "scale") {
      ++scales;
      EXPECT_EQ(e.at("tid"), 5);
      EXPECT_EQ(e.at("ts"), 1.0);
      EXPECT_EQ(e.at("dur"), 399.0);
    }
  }
  EXPECT_EQ(solves, 2u);
  EXPECT_EQ(marks, 1u);
  EXPECT_EQ(scales, 1u);
  EXPECT_EQ(eights, 2 * 132u);
  EXPECT_EQ(ones, 132u);
}

// A command is synchronous when the call that submitted it waited, which the records say in two lines.
TEST(Records, know_what_the_host_waited_for) {
  Profile profile = profile_of({});
  HostEvent call;
  call.kind = HostEvent::Kind::Call, call.name = "cudaMemcpy", call.number = call.last_number = 1, call.waited_ns = 50;
  HostEvent other = call;
  other.name = "cudaMemcpyAsync", other.number = other.last_number = 2, other.waited_ns = 0;
  HostEvent of_another_thread = command(HostEvent::Kind::CopyToHost, 1, 0, 20, 30);
  of_another_thread.thread = 1;
  profile.events = {command(HostEvent::Kind::CopyToHost, 1, 0, 0, 10), call,
                    command(HostEvent::Kind::CopyToHost, 2, 0, 10, 20), other, of_another_thread};
  const Profile again = read_records(to_records(profile));
  ASSERT_EQ(again.events.size(), 5u);
  EXPECT_TRUE(again.events[0].synchronous);
  EXPECT_FALSE(again.events[2].synchronous);
  EXPECT_FALSE(again.events[4].synchronous);
  EXPECT_EQ(again.events[1].waited_ns, 50u);
}

}  // namespace
}  // namespace warpwise::perf
