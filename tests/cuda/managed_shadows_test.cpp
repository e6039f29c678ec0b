// Tests how the two sides of a managed variable are kept in step, and how the section that marks one is found.
#include "cuda/runtime/memory/managed_shadows.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "cuda/runtime/module/sections.h"

namespace warpwise::cuda {
namespace {

__attribute__((section("warpwise_test_section"))) int marked[3] = {1, 2, 3};
int unmarked = 4;

TEST(Sections, are_found_by_the_address_of_a_variable) {
  EXPECT_TRUE(in_section(&marked[0], "warpwise_test_section"));
  EXPECT_TRUE(in_section(reinterpret_cast<char*>(&marked[3]) - 1, "warpwise_test_section"));
  EXPECT_FALSE(in_section(&marked[0], "warpwise_test"));
  EXPECT_FALSE(in_section(&unmarked, "warpwise_test_section"));
  EXPECT_TRUE(in_section(&unmarked, ".data"));
  int on_the_stack = 0;
  EXPECT_FALSE(in_section(&on_the_stack, ".data"));
  EXPECT_FALSE(in_section(nullptr, ".data"));
}

class Shadows : public ::testing::Test {
 protected:
  static device::Address address(const void* pointer) { return reinterpret_cast<device::Address>(pointer); }
  ManagedShadows shadows_;
  std::string host_ = std::string(10000, 'h'), device_ = std::string(10000, 'd');
};

TEST_F(Shadows, take_the_first_value_from_the_device_and_keep_their_own_later) {
  shadows_.attach(host_.data(), host_.size(), address(device_.data()), true);
  EXPECT_EQ(host_, std::string(10000, 'd'));
  shadows_.detach_all();
  host_[5] = 'x';
  shadows_.synchronise();
  EXPECT_EQ(device_[5], 'd') << "nothing is there";
  std::string reloaded(10000, 'r');
  shadows_.attach(host_.data(), host_.size(), address(reloaded.data()), true);
  EXPECT_EQ(reloaded, host_);
}

TEST_F(Shadows, carry_what_changed_on_either_side) {
  shadows_.attach(host_.data(), host_.size(), address(device_.data()), true);
  host_[0] = 'a', host_[4095] = 'b', host_[9999] = 'c';
  device_[1] = 'A', device_[4096] = 'B', device_[9998] = 'C';
  shadows_.synchronise();
  EXPECT_EQ(host_, device_);
  EXPECT_EQ(host_.substr(0, 3) + host_.substr(4095, 2) + host_.substr(9998), "aAdbBCc");
  device_[0] = 'd';
  shadows_.synchronise();
  EXPECT_EQ(host_[0], 'd') << "a value of old is a change, too";
  shadows_.remove(host_.data());
  device_[0] = 'z';
  shadows_.synchronise();
  EXPECT_EQ(host_[0], 'd');
}

// Pages that the host's variable fills completely and that are page-aligned on the device as well.
TEST_F(Shadows, share_whole_pages) {
  constexpr size_t kPage = 4096, kSize = 2 * kPage + 10;
  auto pages = [](int flags) {
    return static_cast<char*>(mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0));
  };
  char *host = pages(MAP_PRIVATE), *device = pages(MAP_SHARED);
  std::memset(device, 'd', kSize);
  host[kSize] = 'n';  // the neighbour on the last page
  shadows_.attach(host, kSize, address(device), true);
  EXPECT_EQ(std::string(host, kSize), std::string(kSize, 'd'));
  EXPECT_EQ(host[kSize], 'n');
  host[0] = 'x', device[2 * kPage - 1] = 'y', host[2 * kPage] = 'z';
  EXPECT_EQ(device[0], 'x');
  EXPECT_EQ(host[2 * kPage - 1], 'y');
  EXPECT_EQ(device[2 * kPage], 'd') << "not a whole page";
  shadows_.synchronise();
  EXPECT_EQ(device[2 * kPage], 'z');
  shadows_.detach_all();
  EXPECT_EQ(host[0], 'x');
  device[1] = 'q';
  EXPECT_EQ(host[1], 'd') << "two memories again";
  shadows_.attach(host, kSize, address(device), true);
  EXPECT_EQ(device[1], 'd') << "the host's value stays";
  host[1] = 'h';
  EXPECT_EQ(device[1], 'h');
  shadows_.remove(host);
  EXPECT_EQ(host[1], 'h');
  device[2] = 'q';
  EXPECT_EQ(host[2], 'd');
  munmap(host, 3 * kPage);
  munmap(device, 3 * kPage);
}

TEST_F(Shadows, are_translated_wherever_they_are_arguments) {
  const device::Address there = address(device_.data());
  EXPECT_EQ(shadows_.on_device(address(host_.data())), address(host_.data())) << "not attached";
  shadows_.attach(host_.data(), host_.size(), there, true);
  EXPECT_EQ(shadows_.on_device(address(host_.data() + 9999)), there + 9999);
  EXPECT_EQ(shadows_.on_device(address(host_.data() + 10000)), address(host_.data() + 10000));
  struct {
    int n = 3;
    void* inside;
    double x = 1.5;
    const void* outside = &unmarked;
    short last = 7;
  } arguments;
  arguments.inside = host_.data() + 8;
  shadows_.put_on_device(
      {reinterpret_cast<std::byte*>(&arguments), offsetof(decltype(arguments), last) + sizeof(short)});
  EXPECT_EQ(address(arguments.inside), there + 8);
  EXPECT_EQ(arguments.outside, &unmarked);
  EXPECT_EQ(arguments.n, 3);
  EXPECT_EQ(arguments.x, 1.5);
  EXPECT_EQ(arguments.last, 7);
}

}  // namespace
}  // namespace warpwise::cuda
