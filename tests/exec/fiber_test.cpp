// Fibers and their stacks (exec/fibers/fiber.h).
#include "exec/fibers/fiber.h"

#include <gtest/gtest.h>

#include <csetjmp>
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
    counters[i].fiber.start(stacks.stack(i), count_up, &counters[i]);
  }
  EXPECT_FALSE(counters[0].fiber.resume());
  EXPECT_TRUE(counters[1].fiber.resume());
  EXPECT_FALSE(counters[1].fiber.resume());
  EXPECT_TRUE(counters[2].fiber.resume());
  EXPECT_TRUE(counters[2].fiber.resume());
  EXPECT_FALSE(counters[2].fiber.resume());
  EXPECT_EQ(counters[2].count, 2);
}

TEST(Fiber, stacks_grow_in_number_and_in_size) {
  StackPool stacks;
  ASSERT_TRUE(stacks.reserve(2).ok());
  EXPECT_EQ(stacks.stack(1).bytes, StackPool::kStackBytes);
  ASSERT_TRUE(stacks.reserve(2, 1 << 20).ok());
  EXPECT_EQ(stacks.stack(1).bytes, size_t{1} << 20);
  EXPECT_GE(stacks.stack(1).bottom, stacks.stack(0).bottom + (1 << 20));
  stacks.stack(1).bottom[0] = std::byte{1};
  ASSERT_TRUE(stacks.reserve(3).ok());
  stacks.stack(2).bottom[StackPool::kStackBytes - 1] = std::byte{1};
}

jmp_buf out_of_fiber;
// A function of its own: no variable of the caller's lives across setjmp.
void resume_until_left(Fiber& fiber) {
  if (setjmp(out_of_fiber) == 0)
    fiber.resume();
  else
    fiber.left();
}

// As a fault in kernel code does: the fiber is left where it is, and its stack serves the next one.
TEST(Fiber, may_be_left_by_a_jump) {
  StackPool stacks;
  ASSERT_TRUE(stacks.reserve(1).ok());
  for (int round = 0; round < 3; ++round) {
    Fiber fiber;
    fiber.start(
        stacks.stack(0),
        [](void*) {
          volatile char frame[4096];
          frame[0] = 1;
          (void)frame[0];
          longjmp(out_of_fiber, 1);
        },
        nullptr);
    resume_until_left(fiber);
  }
  Counter after;
  after.until = 1;
  after.fiber.start(stacks.stack(0), count_up, &after);
  EXPECT_TRUE(after.fiber.resume());
  EXPECT_FALSE(after.fiber.resume());
}

TEST(Fiber, stacks_have_a_guard_page_below) {
  StackPool stacks;
  ASSERT_TRUE(stacks.reserve(2).ok());
  uint64_t bottom = reinterpret_cast<uint64_t>(stacks.stack(1).bottom);
  *reinterpret_cast<volatile char*>(bottom) = 1;
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(bottom - 1) = 1, "");
}

}  // namespace
}  // namespace warpwise::exec
