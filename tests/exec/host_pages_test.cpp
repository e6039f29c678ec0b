// Pages are closed to the host and opened again (exec/memory/host_pages.h). The tests use system calls to see whether a
// page is closed: a call that reads or writes a closed page fails with EFAULT.
#include "exec/memory/host_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warpwise::exec {
namespace {

using Closed = HostPages::Closed;

class HostPagesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe(pipe_), 0);
    memory_ = static_cast<char*>(mmap(nullptr, 4 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory_, MAP_FAILED);
  }
  void TearDown() override {
    munmap(memory_, 4 * page_);
    close(pipe_[0]), close(pipe_[1]);
  }

  device::Address at(size_t page) const { return reinterpret_cast<device::Address>(memory_) + page * page_; }
  static std::shared_ptr<const HostPages::Command> command(device::StreamId stream, uint64_t sequence) {
    return std::make_shared<HostPages::Command>(HostPages::Command{stream, sequence, 0, {}, false, {}});
  }
  void open_up_to(uint64_t sequence) {
    pages_.open_where([&](const HostPages::Command& c) { return c.sequence <= sequence; });
  }
  // "rw", "r", or "" for each of the four pages, with a comma behind.
  std::string access() {
    std::string text;
    for (size_t page = 0; page < 4; ++page) {
      char byte = 0;
      EXPECT_EQ(write(pipe_[1], &byte, 1), 1);
      if (read(pipe_[0], memory_ + page * page_, 1) == 1) {
        text += "rw,";
        continue;
      }
      EXPECT_EQ(read(pipe_[0], &byte, 1), 1);
      const bool readable = write(pipe_[1], memory_ + page * page_, 1) == 1;
      if (readable) {
        EXPECT_EQ(read(pipe_[0], &byte, 1), 1);
      }
      text += readable ? "r," : ",";
    }
    return text;
  }

  const size_t page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char* memory_ = nullptr;
  int pipe_[2] = {};
  std::vector<std::pair<device::Address, bool>> touches_;
  HostPages pages_{[this](device::Address address, bool writes, uint64_t) { touches_.emplace_back(address, writes); }};
};

TEST_F(HostPagesTest, WholePagesUntilTheCommandIsOver) {
  pages_.close(at(1) + 100, 8, Closed::All, command(0, 5));
  EXPECT_EQ(access(), "rw,,rw,rw,");
  open_up_to(4);
  EXPECT_EQ(access(), "rw,,rw,rw,");
  open_up_to(5);
  EXPECT_EQ(access(), "rw,rw,rw,rw,");
}

TEST_F(HostPagesTest, WhatIsReadMayBeRead) {
  pages_.close(at(0), 2 * page_, Closed::Writes, command(0, 1));
  EXPECT_EQ(access(), "r,r,rw,rw,");
}

TEST_F(HostPagesTest, TheStricterOfTwoHolds) {
  pages_.close(at(1), page_, Closed::All, command(1, 1));
  pages_.close(at(0), 3 * page_, Closed::Writes, command(2, 2));
  EXPECT_EQ(access(), "r,,r,rw,");
  open_up_to(1);  // the reader goes on
  EXPECT_EQ(access(), "r,r,r,rw,");
  open_up_to(2);
  EXPECT_EQ(access(), "rw,rw,rw,rw,");
}

TEST_F(HostPagesTest, TheLaterCommandOfAStreamStandsForBoth) {
  pages_.close(at(0), page_, Closed::All, command(0, 1));
  pages_.close(at(0), page_, Closed::All, command(0, 2));
  open_up_to(1);
  EXPECT_EQ(access(), ",rw,rw,rw,");
  open_up_to(2);
  EXPECT_EQ(access(), "rw,rw,rw,rw,");
}

TEST_F(HostPagesTest, ATouchOpensItsPageAndIsTold) {
  pages_.close(at(0), 2 * page_, Closed::All, command(0, 1));
  EXPECT_TRUE(pages_.open(at(1) + 12, true, 0));
  EXPECT_EQ(access(), ",rw,rw,rw,");
  ASSERT_EQ(touches_.size(), 1u);
  EXPECT_EQ(touches_[0], std::make_pair(at(1) + 12, true));
  pages_.close(at(0), 2 * page_, Closed::All, command(0, 2));  // the next launch closes it again
  EXPECT_EQ(access(), ",,rw,rw,");
}

TEST_F(HostPagesTest, FaultsElsewhereAreNotOurs) {
  pages_.close(at(0), page_, Closed::All, command(0, 1));
  EXPECT_FALSE(pages_.open(at(2), false, 0));
  pages_.forget(at(0), page_);
  EXPECT_FALSE(pages_.open(at(0), false, 0));
  EXPECT_TRUE(touches_.empty());
}

// The first two pages stand for a variable, the last two for what the host calls it.
TEST_F(HostPagesTest, AViewIsClosedAndOpenedWithItsMemory) {
  pages_.add_view(at(0), page_ + 1, at(2));
  pages_.close(at(1) + 8, 8, Closed::All, command(0, 5));
  EXPECT_EQ(access(), "rw,,rw,,");
  open_up_to(5);
  EXPECT_EQ(access(), "rw,rw,rw,rw,");
  pages_.close(at(0), 2 * page_, Closed::Writes, command(0, 6));
  EXPECT_EQ(access(), "r,r,r,r,");
  EXPECT_TRUE(pages_.open(at(3) + 20, true, 1));
  ASSERT_EQ(touches_.size(), 1u);
  EXPECT_EQ(touches_[0].first, at(1) + 20) << "the variable's own address";
  EXPECT_EQ(access(), "r,r,r,rw,");
  pages_.forget(at(0), 2 * page_);
  EXPECT_EQ(access().substr(4), "rw,rw,") << "the host goes on to use it";
}

}  // namespace
}  // namespace warpwise::exec
