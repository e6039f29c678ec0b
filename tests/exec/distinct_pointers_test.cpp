// Which pointers of a launch lead to different allocations (exec/loading/distinct_pointers.h).
#include "exec/loading/distinct_pointers.h"

#include <gtest/gtest.h>

#include <array>

#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

using device::Address;
using simt::DistinctPointers;

TEST(DistinctAllocations, are_asked_of_the_pairs_alone) {
  Arena arena(uint64_t{1} << 30);
  const Address a = arena.allocate(1 << 20, device::MemoryKind::Device).value();
  const Address b = arena.allocate(1 << 20, device::MemoryKind::Device).value();
  std::array<uint64_t, 4> parameters{a, a + 4096, b, 7};
  auto are_distinct = [&](uint32_t first, uint32_t second) {
    simt::AllDistinctPointers pairs;
    pairs.add({first, second});
    return DistinctAllocations().ask(arena, std::as_bytes(std::span(parameters)), pairs);
  };
  EXPECT_TRUE(are_distinct(0, 16));
  EXPECT_TRUE(are_distinct(16, 8));
  EXPECT_FALSE(are_distinct(0, 8)) << "one allocation";
  EXPECT_TRUE(are_distinct(0, 24)) << "a number";
  EXPECT_TRUE(are_distinct(0, 32)) << "no parameter";
  EXPECT_TRUE(are_distinct(0, DistinctPointers::kVariables));

  simt::AllDistinctPointers pairs;
  pairs.add({0, 16});
  pairs.add({8, 16});
  DistinctAllocations all;
  EXPECT_TRUE(all.ask(arena, std::as_bytes(std::span(parameters)), pairs));
  parameters[2] = a + 8;
  EXPECT_FALSE(all.ask(arena, std::as_bytes(std::span(parameters)), pairs)) << "another launch";
  parameters[2] = b;
  EXPECT_TRUE(all.ask(arena, std::as_bytes(std::span(parameters)), pairs));
  EXPECT_TRUE(all.ask(arena, std::as_bytes(std::span(parameters)), {})) << "nothing is assumed";
}

}  // namespace
}  // namespace warpwise::exec
