// Which launches have threads that share no byte of what a parameter points to (check/race/apart_memory.h).
#include "check/race/apart_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace warpwise::check {
namespace {

using simt::ApartAccesses;
using simt::LaunchSum;

// A kernel's parameters: a pointer at 0, numbers of 32 bits behind it.
struct Launch {
  explicit Launch(device::Dim3 grid, std::vector<int32_t> numbers = {}) : bytes(8 + numbers.size() * 4) {
    std::memcpy(bytes.data() + 8, numbers.data(), numbers.size() * 4);
    launch.grid = grid;
    launch.parameters = bytes;
  }
  std::vector<std::byte> bytes;
  exec::KernelLaunch launch;
};

LaunchSum number(int64_t value) { return {{{value, 0, 0}}}; }
LaunchSum times_parameter(int64_t factor, uint32_t index = 0) { return {{{factor, 4, 8 + 4 * index}}}; }

// p[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] in blocks of 16 x 16
ApartAccesses rows() {
  ApartAccesses a;
  a.bytes = 4, a.modulus = uint64_t{1} << 34;
  a.threads[0] = a.threads[1] = 16;
  a.by_thread[0] = number(4), a.by_thread[1] = times_parameter(4);
  a.by_block[0] = number(64), a.by_block[1] = times_parameter(64);
  a.offsets = {LaunchSum{}};
  return a;
}

TEST(ApartMemory, is_nested_distances) {
  EXPECT_TRUE(are_apart(rows(), Launch({2, 2, 1}, {32}).launch));
  EXPECT_TRUE(are_apart(rows(), Launch({2, 2, 1}, {33}).launch));
  EXPECT_TRUE(are_apart(rows(), Launch({2, 2, 1}, {-32}).launch));
}

TEST(ApartMemory, is_none_where_rows_are_too_narrow) {
  EXPECT_FALSE(are_apart(rows(), Launch({2, 2, 1}, {31}).launch));
  EXPECT_FALSE(are_apart(rows(), Launch({3, 2, 1}, {32}).launch));
  EXPECT_FALSE(are_apart(rows(), Launch({2, 2, 1}, {-31}).launch));
  EXPECT_FALSE(are_apart(rows(), Launch({2, 2, 1}, {0}).launch));
}

TEST(ApartMemory, is_none_where_blocks_of_a_dimension_do_not_differ) {
  EXPECT_TRUE(are_apart(rows(), Launch({2, 2, 1}, {32}).launch));
  EXPECT_FALSE(are_apart(rows(), Launch({2, 2, 2}, {32}).launch));
}

// for (int i = threadIdx.x; i < m; i += 256) p[blockIdx.x * n + i], of which n and m are parameters
ApartAccesses loop(uint32_t bound = 0) {
  ApartAccesses a;
  a.bytes = 4, a.modulus = 1024;
  a.threads[0] = 256;
  a.by_thread[0] = number(4);
  a.by_block[0] = times_parameter(4);
  a.reach = {{{4, 4, 8 + 4 * bound}, {-4, 0, 0}}};
  a.offsets = {LaunchSum{}};
  return a;
}

TEST(ApartMemory, is_as_far_from_block_to_block_as_a_loop_reaches) {
  EXPECT_TRUE(are_apart(loop(), Launch({9, 1, 1}, {1000}).launch));
  EXPECT_TRUE(are_apart(loop(), Launch({9, 1, 1}, {1}).launch));
  EXPECT_TRUE(are_apart(loop(1), Launch({9, 1, 1}, {1001, 1000}).launch));
  EXPECT_FALSE(are_apart(loop(1), Launch({9, 1, 1}, {999, 1000}).launch));
  EXPECT_TRUE(are_apart(loop(1), Launch({1, 1, 1}, {999, 1000}).launch)) << "one block";
  EXPECT_TRUE(are_apart(loop(1), Launch({9, 1, 1}, {-1000, 1000}).launch));
  EXPECT_FALSE(are_apart(loop(1), Launch({9, 1, 1}, {0, 1000}).launch));
  EXPECT_FALSE(are_apart(loop(), Launch({9, 1, 1}, {0}).launch)) << "a loop that is not entered";
  EXPECT_FALSE(are_apart(loop(), Launch({9, 2, 1}, {1000}).launch)) << "blocks that do not differ";
}

TEST(ApartMemory, is_none_where_the_blocks_of_a_loop_may_wrap) {
  ApartAccesses a = loop();
  a.wrap = 8 * 4000;
  EXPECT_TRUE(are_apart(a, Launch({8, 1, 1}, {1000}).launch));
  EXPECT_FALSE(are_apart(a, Launch({9, 1, 1}, {1000}).launch));
}

TEST(ApartMemory, is_not_in_a_loop_whose_turns_overlap) {
  ApartAccesses a = loop();
  a.modulus = 1020;
  EXPECT_FALSE(are_apart(a, Launch({1, 1, 1}, {1000}).launch));
  a = loop();
  a.offsets = {LaunchSum{}, number(8)};
  EXPECT_FALSE(are_apart(a, Launch({1, 1, 1}, {1000}).launch)) << "a neighbour's word";
  a.offsets = {LaunchSum{}, number(1024)};
  EXPECT_FALSE(are_apart(a, Launch({1, 1, 1}, {1000}).launch)) << "the next turn's";
}

TEST(ApartMemory, is_not_known_of_a_loop_without_a_bound) {
  ApartAccesses a = loop();
  a.reach = {};
  EXPECT_FALSE(are_apart(a, Launch({9, 1, 1}, {1000}).launch));
}

TEST(ApartMemory, is_none_where_addresses_may_wrap) {
  ApartAccesses a = rows();
  EXPECT_TRUE(are_apart(a, Launch({2, 2, 1}, {1 << 27}).launch));   // 31 rows of 2^29 bytes and one row's words
  EXPECT_FALSE(are_apart(a, Launch({2, 2, 1}, {1 << 28}).launch));  // twice as much
  a.modulus = 0;
  EXPECT_TRUE(are_apart(a, Launch({2, 2, 1}, {1 << 28}).launch));
}

TEST(ApartMemory, is_none_where_a_wider_access_reaches_the_next_word) {
  ApartAccesses a = rows();
  a.bytes = 8;
  EXPECT_FALSE(are_apart(a, Launch({2, 2, 1}, {32}).launch));
}

TEST(ApartMemory, compares_several_places_of_a_thread) {
  ApartAccesses a;
  a.bytes = 4, a.threads[0] = 128;
  a.by_thread[0] = number(8), a.by_block[0] = number(1024);
  a.offsets = {number(0), number(4)};
  EXPECT_TRUE(are_apart(a, Launch({9, 1, 1}).launch));
  a.offsets = {number(0), number(8)};  // the next thread's
  EXPECT_FALSE(are_apart(a, Launch({9, 1, 1}).launch));
  a.offsets = {number(0), number(2)};  // half of a word
  EXPECT_FALSE(are_apart(a, Launch({9, 1, 1}).launch));
  a.offsets = {number(4), times_parameter(4)};  // the same one, the next one between, or the next thread's
  EXPECT_TRUE(are_apart(a, Launch({9, 1, 1}, {1}).launch));
  EXPECT_TRUE(are_apart(a, Launch({9, 1, 1}, {2}).launch));
  EXPECT_FALSE(are_apart(a, Launch({9, 1, 1}, {3}).launch));
}

TEST(ApartMemory, is_none_where_the_launch_is_not_as_assumed) {
  ApartAccesses a = rows();
  a.assumed.add({simt::LaunchRange::Of::Parameter, 4, 8, 0, 1000});
  EXPECT_TRUE(are_apart(a, Launch({2, 2, 1}, {1000}).launch));
  EXPECT_FALSE(are_apart(a, Launch({2, 2, 1}, {1001}).launch));
  EXPECT_FALSE(are_apart(a, Launch({2, 2, 1}).launch));  // there is no such parameter
}

}  // namespace
}  // namespace warpwise::check
