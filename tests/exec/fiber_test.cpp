#include "exec/fiber.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpwise::exec {
namespace {

struct Counter {
  Fiber fiber;
  int count = 0, until = 0;
};

void count_up(void* argument) {
  Counter* self = static_cast<Counter*>(argument);
  while (self->count < self->until) {
    ++self->count;
    self->fiber.suspend();
  }
}

TEST(Fiber, takes_turns) {
  StackPool stacks;
  ASSERT_TRUE(stacks.reserve(3).ok());
  std::vector<Counter> counters(3);
  for (int i = 0; i < 3; ++i) {
    counters[i].until = i;
    counters[i].fiber.start(stacks.top(i), count_up, &counters[i]);
  }
  EXPECT_FALSE(counters[0].fiber.resume());
  EXPECT_TRUE(counters[1].fiber.resume());
  EXPECT_FALSE(counters[1].fiber.resume());
  EXPECT_TRUE(counters[2].fiber.resume());
  EXPECT_TRUE(counters[2].fiber.resume());
  EXPECT_FALSE(counters[2].fiber.resume());
  EXPECT_EQ(counters[2].count, 2);
}

TEST(Fiber, stacks_have_a_guard_page_below) {
  StackPool stacks;
  ASSERT_TRUE(stacks.reserve(2).ok());
  uint64_t bottom = reinterpret_cast<uint64_t>(stacks.top(1)) - StackPool::kStackBytes;
  *reinterpret_cast<volatile char*>(bottom) = 1;
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(bottom - 1) = 1, "");
}

}  // namespace
}  // namespace warpwise::exec
