// Memory is zero after fill_with_zeros(), and what was never touched takes no room.
#include "exec/memory/zero_fill.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/host_page.h"

namespace warpwise::exec {
namespace {

constexpr size_t kBytes = size_t{96} << 20, kPages = kBytes / kHostPage;

class ZeroFill : public testing::Test {
 protected:
  void TearDown() override { munmap(memory_, kBytes); }
  void map(int flags, int file = -1) {
    memory_ = static_cast<std::byte*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, flags, file, 0));
    ASSERT_NE(memory_, MAP_FAILED);
    madvise(memory_, kBytes, MADV_NOHUGEPAGE);
  }
  size_t resident_pages() const {
    std::vector<unsigned char> pages(kPages);
    EXPECT_EQ(mincore(memory_, kBytes, pages.data()), 0);
    return size_t(std::ranges::count_if(pages, [](unsigned char page) { return page & 1; }));
  }
  bool is_zero(size_t first, size_t end) const {
    return std::all_of(memory_ + first, memory_ + end, [](std::byte b) { return b == std::byte{0}; });
  }
  void touch(size_t at) { memory_[at] = std::byte{0xff}; }

  std::byte* memory_ = nullptr;
};

TEST_F(ZeroFill, leaves_untouched_pages_alone) {
  map(MAP_PRIVATE | MAP_ANONYMOUS);
  const size_t touched[] = {0, 5 * kHostPage + 7, 6 * kHostPage, 9000 * kHostPage + 4095, kBytes - 1};
  for (const size_t at : touched) touch(at);
  ASSERT_EQ(resident_pages(), 5u);
  fill_with_zeros(memory_, kBytes);
  EXPECT_EQ(resident_pages(), 5u);
  EXPECT_TRUE(is_zero(0, kBytes));
}

TEST_F(ZeroFill, keeps_what_lies_beside) {
  map(MAP_PRIVATE | MAP_ANONYMOUS);
  const size_t first = 3 * kHostPage + 100, end = kBytes - 2 * kHostPage - 100;
  for (const size_t at : {first - 1, first, end - 1, end}) touch(at);
  fill_with_zeros(memory_ + first, end - first);
  EXPECT_TRUE(is_zero(first, end));
  EXPECT_EQ(memory_[first - 1], std::byte{0xff});
  EXPECT_EQ(memory_[end], std::byte{0xff});
}

// Pages of a file may hold what this mapping has never touched.
TEST_F(ZeroFill, clears_what_another_mapping_has_written) {
  const int file = memfd_create("zero_fill", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, kBytes), 0);
  const char mark = 1;
  ASSERT_EQ(pwrite(file, &mark, 1, 70 << 20), 1);
  map(MAP_SHARED, file);
  close(file);
  fill_with_zeros(memory_, kBytes);
  EXPECT_TRUE(is_zero(0, kBytes));
}

}  // namespace
}  // namespace warpwise::exec
