// Device memory that another arena maps, as another process does: both see the same bytes, whatever moves meanwhile.
#include "exec/memory/shared_pages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace warpwise::exec {
namespace {

using device::Address;
using device::MemoryKind;

class SharedPagesTest : public ::testing::Test {
 protected:
  Address make(size_t bytes, MemoryKind kind = MemoryKind::Device) { return arena_.allocate(bytes, kind).value(); }

  Arena arena_{uint64_t{1} << 30};
  SharedPages shared_{arena_};
};

TEST_F(SharedPagesTest, both_see_one_memory) {
  for (size_t bytes : {size_t{100}, size_t{3} << 20}) {  // in a slab, and with pages of its own
    const Address before = make(bytes), mine = make(bytes);
    std::memset(engine_view(mine), 7, bytes);
    std::memset(engine_view(before), 9, bytes);
    const auto lent = arena_.share(mine + 5);
    ASSERT_TRUE(lent.ok());
    EXPECT_EQ(lent->region.base, mine);
    EXPECT_EQ(lent->region.size, bytes);
    EXPECT_EQ(arena_.share(mine)->file, lent->file);
    const auto theirs = shared_.open(lent->file, lent->offset, bytes);
    ASSERT_TRUE(theirs.ok());
    EXPECT_EQ(*engine_view(*theirs + bytes - 1), std::byte{7});
    *engine_view(*theirs) = std::byte{1};
    *engine_view(mine + 50) = std::byte{2};
    EXPECT_EQ(*engine_view(mine), std::byte{1});
    EXPECT_EQ(*engine_view(*theirs + 50), std::byte{2});
    EXPECT_EQ(*engine_view(before + bytes - 1), std::byte{9});
    const auto region = shared_.region_at(*theirs + bytes - 1);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->base, *theirs);
    EXPECT_EQ(region->kind, MemoryKind::Device);
    EXPECT_FALSE(shared_.region_at(*theirs + bytes));

    EXPECT_TRUE(arena_.free(mine));  // a process that has it open keeps it
    EXPECT_EQ(*engine_view(*theirs + 50), std::byte{2});
    EXPECT_TRUE(shared_.close(*theirs));
    EXPECT_FALSE(shared_.close(*theirs));
    EXPECT_TRUE(arena_.free(before));
  }
  EXPECT_EQ(arena_.used_bytes(), 0u);
}

TEST_F(SharedPagesTest, writers_lose_nothing_while_memory_is_lent) {
  for (int round = 0; round < 50; ++round) {
    const Address mine = make(size_t{1} << 20);
    auto* counter = reinterpret_cast<volatile uint64_t*>(engine_view(mine) + (size_t{1} << 19));
    std::atomic<bool> stop{false}, runs{false};
    uint64_t written = 0;
    std::thread writer([&] {
      while (!stop) {
        *counter = *counter + 1;
        ++written;
        runs = true;
      }
    });
    while (!runs) std::this_thread::yield();
    ASSERT_TRUE(arena_.share(mine).ok());
    stop = true;
    writer.join();
    EXPECT_EQ(*counter, written);
    arena_.free(mine);
  }
}

TEST_F(SharedPagesTest, what_cannot_be_is_refused) {
  const Address mine = make(1 << 20), pinned = make(100, MemoryKind::Pinned), managed = make(100, MemoryKind::Managed);
  EXPECT_FALSE(arena_.share(pinned).ok());
  EXPECT_FALSE(arena_.share(managed).ok());
  EXPECT_FALSE(arena_.share(mine + (1 << 20)).ok());
  const auto lent = arena_.share(mine).value();
  EXPECT_FALSE(shared_.open(lent.file, 0, (1 << 20) + 4096).ok());  // more than there is
  EXPECT_FALSE(shared_.open(lent.file, size_t{1} << 40, 1).ok());
  EXPECT_FALSE(shared_.open(-1, 0, 100).ok());
}

}  // namespace
}  // namespace warpwise::exec
