// Device memory: allocation, alignment, look-ups by address, addresses that were freed, limits (exec/memory/arena.h).
#include "exec/memory/arena.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <vector>

namespace warpwise::exec {
namespace {

using device::Address;
using device::MemoryKind;

constexpr uint64_t kGiB = uint64_t{1} << 30;

TEST(Arena, keeps_small_allocations_apart_and_aligned) {
  Arena arena(kGiB);
  Address a = arena.allocate(1, MemoryKind::Device).value();
  Address b = arena.allocate(513, MemoryKind::Device).value();
  Address c = arena.allocate(512, MemoryKind::Device).value();
  for (Address address : {a, b, c}) {
    EXPECT_EQ(address % Arena::kUnit, 0u);
    EXPECT_TRUE(Arena::in_window(address));
  }
  EXPECT_EQ(b - a, 512u);
  EXPECT_EQ(c - b, 1024u);
  EXPECT_EQ(arena.used_bytes(), 2048u);
  std::memset(engine_view(b), 7, 513);
  EXPECT_EQ(*engine_view(a), std::byte{0});
}

TEST(Arena, finds_the_allocation_of_an_address) {
  Arena arena(kGiB);
  Address a = arena.allocate(1000, MemoryKind::Device).value();
  EXPECT_EQ(arena.find(a + 999)->base, a);
  EXPECT_FALSE(arena.find(a + 1000));
  EXPECT_EQ(arena.nearest(a + 1000)->base, a);
  EXPECT_EQ(arena.nearest(a - 4)->base, a);
  EXPECT_NE(arena.view(a, 1000), nullptr);
  EXPECT_EQ(arena.view(a + 1, 1000), nullptr);
  EXPECT_EQ(arena.view(a, ~size_t{0}), nullptr);
  EXPECT_TRUE(arena.free(a));
  EXPECT_FALSE(arena.free(a));
  EXPECT_FALSE(arena.find(a));
  EXPECT_EQ(arena.freed(a + 5)->size, 1000u);
}

TEST(Arena, does_not_map_device_memory_where_the_program_looks) {
  Arena arena(kGiB);
  for (size_t size : {size_t{64}, size_t{1} << 20}) {
    Address address = arena.allocate(size, MemoryKind::Device).value();
    *engine_view(address) = std::byte{1};
    EXPECT_DEATH(*reinterpret_cast<volatile char*>(address) = 1, "");
  }
}

TEST(Arena, shows_managed_memory_on_both_sides) {
  Arena arena(kGiB);
  for (size_t size : {size_t{64}, size_t{1} << 20}) {
    Address address = arena.allocate(size, MemoryKind::Managed).value();
    *reinterpret_cast<int*>(address) = 42;
    EXPECT_EQ(*reinterpret_cast<int*>(engine_view(address)), 42);
    EXPECT_TRUE(arena.free(address));
    EXPECT_DEATH(*reinterpret_cast<volatile char*>(address) = 1, "");
  }
}

TEST(Arena, leaves_a_gap_behind_large_allocations_and_does_not_reuse_addresses_at_once) {
  Arena arena(kGiB);
  Address a = arena.allocate(1 << 20, MemoryKind::Device).value();
  Address b = arena.allocate(1 << 20, MemoryKind::Device).value();
  EXPECT_GE(b, a + (1 << 20) + 65536);
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(engine_view(a + (1 << 20))) = 1, "");
  arena.free(a);
  EXPECT_NE(arena.allocate(1 << 20, MemoryKind::Device).value(), a);
}

TEST(Arena, says_when_it_is_full) {
  Arena arena(1 << 20);
  EXPECT_FALSE(arena.allocate((1 << 20) + 1, MemoryKind::Device).ok());
  EXPECT_FALSE(arena.allocate(~size_t{0}, MemoryKind::Device).ok());
  auto all = arena.allocate(1 << 20, MemoryKind::Device);
  ASSERT_TRUE(all.ok());
  auto more = arena.allocate(1, MemoryKind::Device);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().code, "R0101");
  EXPECT_EQ(arena.free_bytes(), 0u);
  arena.free(all.value());
  EXPECT_TRUE(arena.allocate(1, MemoryKind::Device).ok());
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Arena, works_under_a_limit_of_address_space) {
  pid_t child = fork();
  if (child == 0) {
    rlimit limit{2 * kGiB, 2 * kGiB};
    setrlimit(RLIMIT_AS, &limit);
    Arena arena(80 * kGiB);
    bool small = arena.allocate(1 << 20, MemoryKind::Device).ok();
    bool large = arena.allocate(4 * kGiB, MemoryKind::Device).ok();
    _exit(small && !large && arena.free_bytes() < 2 * kGiB ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}
#endif

TEST(Arena, survives_a_random_life) {
  Arena arena(kGiB);
  std::mt19937 random(1);
  std::vector<std::pair<Address, size_t>> live;
  for (int step = 0; step < 3000; ++step) {
    if (live.size() < 50 || random() % 2) {
      size_t size = random() % 4 ? 1 + random() % 5000 : 1 + random() % 300000;
      auto kind = random() % 8 ? MemoryKind::Device : MemoryKind::Pinned;
      Address address = arena.allocate(size, kind).value();
      std::memset(engine_view(address), static_cast<int>(address >> 9 & 0xff), size);
      live.emplace_back(address, size);
    } else {
      size_t index = random() % live.size();
      auto [address, size] = live[index];
      const std::byte* bytes = engine_view(address);
      for (size_t at : {size_t{0}, size / 2, size - 1}) ASSERT_EQ(bytes[at], std::byte(address >> 9 & 0xff));
      ASSERT_TRUE(arena.free(address));
      live[index] = live.back();
      live.pop_back();
    }
  }
  for (auto [address, size] : live) EXPECT_TRUE(arena.free(address));
  EXPECT_EQ(arena.used_bytes(), 0u);
}

}  // namespace
}  // namespace warpwise::exec
