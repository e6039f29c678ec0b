// Modelled time of streams and threads (exec/queue/virtual_clock.h).
#include "exec/queue/virtual_clock.h"

#include <gtest/gtest.h>

namespace warpwise::exec {
namespace {

TEST(VirtualClock, streams_overlap) {
  VirtualClock clock;
  clock.ran(1, 10);
  clock.ran(2, 4);
  EXPECT_EQ(clock.time(1), 10u);
  EXPECT_EQ(clock.time(2), 4u);
}

TEST(VirtualClock, who_waits_begins_later) {
  VirtualClock clock;
  clock.ran(1, 10);
  clock.wait(2, clock.time(1));
  clock.ran(2, 4);
  EXPECT_EQ(clock.time(2), 14u);
  clock.wait(2, 3);  // long past
  EXPECT_EQ(clock.time(2), 14u);
}

TEST(VirtualClock, the_default_stream_waits_for_all_and_they_for_it) {
  VirtualClock clock;
  clock.ran(1, 10);
  clock.ran(2, 4);
  clock.ran(0, 5);
  EXPECT_EQ(clock.time(0), 15u);
  clock.ran(2, 1);
  EXPECT_EQ(clock.time(2), 16u);
  EXPECT_EQ(clock.time(3), 15u);  // a new stream
}

TEST(VirtualClock, nothing_begins_before_it_was_submitted) {
  VirtualClock clock;
  EXPECT_EQ(clock.ran(1, 10, 100).begin, 100u);
  EXPECT_EQ(clock.ran(1, 10, 105).begin, 110u);
  EXPECT_EQ(clock.time(1), 120u);
}

TEST(VirtualClock, a_host_that_waits_wakes_later) {
  VirtualClock clock;
  clock.ran(1, 50);
  clock.host().time += 20;
  clock.host_waits(clock.time(1), 4);
  EXPECT_EQ(clock.host().time, 54u);
  EXPECT_EQ(clock.host().waited, 34u);
  clock.host_waits(clock.time(1), 4);  // done already
  EXPECT_EQ(clock.host().time, 54u);
  unsigned index = 0;
  uint64_t time = 0;
  std::thread([&] { index = clock.host().index, time = clock.host().time; }).join();
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(time, 54u);  // when it began
}

}  // namespace
}  // namespace warpwise::exec
