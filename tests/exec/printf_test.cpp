// printf() of kernels (exec/services/printf.h).
#include "exec/services/printf.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

class Printf : public testing::Test {
 protected:
  device::Address put(const void* data, size_t size) {
    auto address = arena_.allocate(size, device::MemoryKind::Device).value();
    std::memcpy(engine_view(address), data, size);
    return address;
  }
  device::Address text(const char* s) { return put(s, std::strlen(s) + 1); }

  template <class... T>
  std::string print(const char* format, T... values) {
    std::vector<std::byte> arguments;
    [[maybe_unused]] auto pack = [&](auto value) {
      size_t at = (arguments.size() + sizeof value - 1) / sizeof value * sizeof value;
      arguments.resize(at + sizeof value);
      std::memcpy(arguments.data() + at, &value, sizeof value);
    };
    (pack(values), ...);
    device::Address packed = arguments.empty() ? 0 : put(arguments.data(), arguments.size());
    std::string out;
    count_ = format_printf(arena_, text(format), packed, out);
    return out;
  }

  Arena arena_{1 << 20};
  int count_ = 0;
};

TEST_F(Printf, converts_as_c_does) {
  EXPECT_EQ(print("hello 100%%\n"), "hello 100%\n");
  EXPECT_EQ(count_, 0);
  EXPECT_EQ(print("%d %5d|%-5d|%05d|%+d", -1, 42, 42, 42, 7), "-1    42|42   |00042|+7");
  EXPECT_EQ(count_, 5);
  EXPECT_EQ(print("%u %x %#X %o", 4000000000u, 255, 255, 8), "4000000000 ff 0XFF 10");
  EXPECT_EQ(print("%d %lld %d", 1, int64_t{-5000000000}, 2), "1 -5000000000 2");
  EXPECT_EQ(print("%lu %zu", uint64_t{1} << 40, uint64_t{7}), "1099511627776 7");
  EXPECT_EQ(print("%hd %hhu", 65537, 257), "1 1");
  EXPECT_EQ(print("%c%c", int{'o'}, int{'k'}), "ok");
  EXPECT_EQ(print("%d %f %.3e %g", 1, 0.5, 12345.678, 1e10), "1 0.500000 1.235e+04 1e+10");
  EXPECT_EQ(print("%*d|%-*d|%.*f", 6, 1, 4, 2, 2, 3.14159), "     1|2   |3.14");
  EXPECT_EQ(print("%p", uint64_t{0x200000000010}), "0x200000000010");
  EXPECT_EQ(print("%a", 1.0), "0x1p+0");
}

TEST_F(Printf, reads_strings_of_the_device) {
  EXPECT_EQ(print("<%s> <%5.2s>", text("word"), text("word")), "<word> <   wo>");
  EXPECT_EQ(print("%s", uint64_t{0}), "(null)");
  EXPECT_EQ(print("%s", uint64_t{12345}), "(bad address 0x3039)");
  // A string without an end stops with its allocation.
  EXPECT_EQ(print("%s", put("abcd", 4)), "abcd");
}

TEST_F(Printf, prints_what_it_does_not_know_as_it_stands) {
  EXPECT_EQ(print("%y %"), "%y %");
  std::string out;
  EXPECT_EQ(format_printf(arena_, 0, 0, out), -1);
  EXPECT_EQ(format_printf(arena_, 0x1234, 0, out), -1);
}

}  // namespace
}  // namespace warpwise::exec
