// A kernel that a program launches again and again: for a verdict, some launches stand for others.
#include <algorithm>
#include <numeric>

#include "counted_kernel.h"
#include "perf/report/analysis.h"

namespace warpwise::perf {
namespace {

// A loop of n rounds, which grows from launch to launch as the front of a search does.
CountedKernel growing_loop() {
  CountedKernel kernel;
  kernel.exact = false;
  kernel.body =
      "mov.u32 %r2, 0;\nl:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p0, %r2, %r1;\n@%p0 bra l;\n"
      "mul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd1, %rd0, %rd1;\nst.global.u32 [%rd1], %r2;";
  return kernel;
}

std::vector<uint32_t> rounds(size_t launches) {
  std::vector<uint32_t> n(launches);
  std::iota(n.begin(), n.end(), 1);
  return n;
}

uint64_t instructions(const Profile& profile) {
  uint64_t sum = 0;
  for (const LaunchCounts& launch : profile.launches) sum += launch.totals[Counter::Instructions];
  return sum;
}

TEST(RepeatedLaunches, SomeStandForOthersInAVerdict) {
  CountedKernel kernel = growing_loop();
  constexpr size_t kLaunches = 400;
  std::vector<uint32_t> words(32);
  const Profile each = kernel.run_with(rounds(kLaunches));
  kernel.brief = true;
  const Profile some = kernel.run_with(rounds(kLaunches), &words);
  EXPECT_TRUE(some.complete);
  ASSERT_EQ(each.launches.size(), kLaunches);
  ASSERT_EQ(some.launches.size(), kLaunches);
  EXPECT_TRUE(std::all_of(words.begin(), words.end(), [](uint32_t n) { return n == kLaunches; }));
  for (const LaunchCounts& launch : each.launches) EXPECT_FALSE(launch.counts_of);
  size_t own = 0;
  for (size_t i = 0; i < kLaunches; ++i) {
    const LaunchCounts& launch = some.launches[i];
    EXPECT_EQ(launch.index, i);
    if (!launch.counts_of) {
      ++own;
      EXPECT_EQ(launch.totals[Counter::Instructions], each.launches[i].totals[Counter::Instructions]) << i;
    } else {
      ASSERT_LT(*launch.counts_of, i);
      EXPECT_EQ(launch.totals[Counter::Instructions], each.launches[*launch.counts_of].totals[Counter::Instructions])
          << i;
    }
  }
  EXPECT_GT(own, kLaunches / 10);
  EXPECT_LT(own, kLaunches / 5);
  // The sum is what the reader sees. A launch is at most some launches behind the one that it stands for.
  EXPECT_NEAR(double(instructions(some)) / double(instructions(each)), 1, 0.03);
  const device::Properties& device = *device::find_device("h100");
  const Analysis full = analyse(each, device), drawn = analyse(some, device);
  EXPECT_EQ(drawn.kernels[0].launches, kLaunches);
  EXPECT_NEAR(drawn.seconds / full.seconds, 1, 0.03);
}

TEST(RepeatedLaunches, ARecordOfNothingIsDamaged) {
  const std::string start = R"({"v":3,"type":"start","pid":1,"device":"h100"})"
                            "\n",
                    launch = R"({"type":"launch","pid":1,"kernel":"k","index":4})"
                             "\n",
                    end = R"({"type":"end","pid":1})"
                          "\n";
  const Profile good = read_records(start + launch +
                                    R"({"type":"again","pid":1,"of":4,"index":5})"
                                    "\n" +
                                    end);
  EXPECT_TRUE(good.complete);
  ASSERT_EQ(good.launches.size(), 2u);
  EXPECT_EQ(good.launches[1].index, 5u);
  EXPECT_EQ(good.launches[1].counts_of, 4u);
  EXPECT_EQ(good.launches[1].kernel, "k");
  for (const char* again : {R"({"type":"again","pid":1,"of":3,"index":5})", R"({"type":"again","pid":1,"of":4})",
                            R"({"type":"again","pid":1,"index":5})"})
    EXPECT_FALSE(read_records(start + launch + again + "\n" + end).complete) << again;
}

}  // namespace
}  // namespace warpwise::perf
