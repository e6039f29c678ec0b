#include "exec/virtual_clock.h"

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

}  // namespace
}  // namespace warpwise::exec
