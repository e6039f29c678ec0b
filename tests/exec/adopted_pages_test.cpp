// Host memory that the device reaches, too: both see the same bytes, and the host gets its pages back unchanged.
#include "exec/memory/adopted_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace warpwise::exec {
namespace {

using device::Address;

constexpr size_t kPage = 4096;

struct Pages {
  explicit Pages(size_t count, int flags = MAP_PRIVATE)
      : bytes(count * kPage),
        at(static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0))) {}
  ~Pages() { munmap(at, bytes); }
  size_t bytes;
  std::byte* at;
};

class AdoptedPagesTest : public ::testing::Test {
 protected:
  Arena arena_{uint64_t{1} << 30};
  AdoptedPages adopted_{arena_};
};

TEST_F(AdoptedPagesTest, host_and_engine_see_one_memory) {
  for (int flags : {MAP_PRIVATE, MAP_SHARED}) {
    Pages pages(3, flags);
    std::byte* host = pages.at + 100;
    host[0] = std::byte{1};
    auto base = adopted_.adopt(host, 5000);
    ASSERT_TRUE(base.ok());
    EXPECT_EQ(*base % kPage, 100u);
    EXPECT_EQ(*engine_view(*base), std::byte{1});
    *engine_view(*base + 4999) = std::byte{2};
    EXPECT_EQ(host[4999], std::byte{2});
    host[7] = std::byte{3};
    EXPECT_EQ(*engine_view(*base + 7), std::byte{3});
    EXPECT_EQ(*reinterpret_cast<std::byte*>(*base + 7), std::byte{3});  // the host may use the device's pointer, too
    const auto region = adopted_.region_at(*base + 4999);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->base, *base);
    EXPECT_EQ(region->size, 5000u);
    EXPECT_FALSE(adopted_.region_at(*base + 5000));

    EXPECT_TRUE(adopted_.give_up(*base));
    EXPECT_FALSE(adopted_.give_up(*base));
    EXPECT_FALSE(adopted_.region_at(*base));
    EXPECT_EQ(host[0], std::byte{1});
    EXPECT_EQ(host[4999], std::byte{2});
    host[0] = std::byte{9};
    EXPECT_EQ(host[0], std::byte{9});
  }
}

TEST_F(AdoptedPagesTest, ranges_share_a_page) {
  Pages pages(2);
  const Address a = adopted_.adopt(pages.at, 64).value(), b = adopted_.adopt(pages.at + 64, 8000).value(),
                c = adopted_.adopt(pages.at + 8100, 8).value();
  pages.at[70] = std::byte{5};
  pages.at[8100] = std::byte{6};
  EXPECT_EQ(*engine_view(b + 6), std::byte{5});
  EXPECT_TRUE(adopted_.give_up(b));  // its pages are still used by the others
  pages.at[3] = std::byte{7};
  EXPECT_EQ(*engine_view(a + 3), std::byte{7});
  EXPECT_EQ(*engine_view(c), std::byte{6});
  EXPECT_TRUE(adopted_.give_up(a));
  EXPECT_TRUE(adopted_.give_up(c));
  EXPECT_EQ(pages.at[70], std::byte{5});
}

TEST_F(AdoptedPagesTest, writers_lose_nothing_while_pages_move) {
  Pages pages(4);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> written{0};
  auto* counter = reinterpret_cast<volatile uint64_t*>(pages.at + kPage);
  std::thread writer([&] {
    while (!stop) {
      *counter = *counter + 1;
      ++written;
    }
  });
  for (int round = 0; round < 200; ++round) {
    auto base = adopted_.adopt(pages.at, pages.bytes);
    ASSERT_TRUE(base.ok());
    EXPECT_TRUE(adopted_.give_up(*base));
  }
  stop = true;
  writer.join();
  EXPECT_EQ(*counter, written);
}

TEST_F(AdoptedPagesTest, what_cannot_be_is_refused) {
  int local[16];
  EXPECT_FALSE(adopted_.adopt(local, sizeof local).ok());
  Pages pages(3);
  mprotect(pages.at + kPage, kPage, PROT_READ);
  EXPECT_FALSE(adopted_.adopt(pages.at, 2 * kPage).ok());
  munmap(pages.at + kPage, kPage);
  EXPECT_FALSE(adopted_.adopt(pages.at, 3 * kPage).ok());
  EXPECT_TRUE(adopted_.adopt(pages.at + 2 * kPage, kPage).ok());
}

TEST_F(AdoptedPagesTest, memory_that_the_program_has_unmapped_stays_unmapped) {
  auto* pages =
      static_cast<std::byte*>(mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  auto base = adopted_.adopt(pages, kPage);
  ASSERT_TRUE(base.ok());
  munmap(pages, kPage);
  EXPECT_TRUE(adopted_.give_up(*base));
  unsigned char resident = 0;
  EXPECT_NE(mincore(pages, kPage, &resident), 0);  // ENOMEM: nothing is mapped there
}

}  // namespace
}  // namespace warpwise::exec
