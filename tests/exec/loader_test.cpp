// Object files are loaded, and malformed ones are errors (exec/loading/loader.h).
#include "exec/loading/loader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "kernels.h"

namespace warpwise::exec {
namespace {

template <class F>
F function(const LoadedCode& code, const char* name) {
  const void* address = code.symbol(name);
  EXPECT_NE(address, nullptr) << name;
  return reinterpret_cast<F>(const_cast<void*>(address));
}

TEST(Loader, runs_constants_jump_tables_and_memset) {
  auto object = kernels_object();
  auto loaded = LoadedCode::load(object);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  auto entry = function<int (*)(int)>(*loaded, "table_entry");
  EXPECT_EQ(entry(5), 9);
  EXPECT_TRUE(loaded->contains(reinterpret_cast<uint64_t>(entry)));
  auto jump = function<int (*)(int, int (*)(int))>(*loaded, "jump");
  auto increment = function<int (*)(int)>(*loaded, "increment");
  int expected[] = {5, 14, -5, 9 ^ 5, 65, 2, 0};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(jump(i, increment), expected[i]) << i;
  char bytes[100];
  std::memset(bytes, 1, sizeof bytes);
  function<void (*)(char*, unsigned long)>(*loaded, "clear")(bytes, 99);
  EXPECT_EQ(bytes[98], 0);
  EXPECT_EQ(bytes[99], 1);
  EXPECT_EQ(loaded->symbol("missing"), nullptr);
}

TEST(Loader, makes_code_and_constants_read_only) {
  auto loaded = LoadedCode::load(kernels_object());
  ASSERT_TRUE(loaded.ok());
  auto* code = const_cast<char*>(static_cast<const char*>(loaded->symbol("table_entry")));
  EXPECT_DEATH(*code = 0, "");
  auto* table = const_cast<int*>(static_cast<const int*>(function<const void* (*)()>(*loaded, "address_of_table")()));
  EXPECT_EQ(table[2], 4);
  EXPECT_DEATH(*table = 0, "");
}

TEST(Loader, refuses_what_is_no_object) {
  EXPECT_EQ(LoadedCode::load({}).error().code, "R0401");
  std::vector<std::byte> zeros(4096);
  EXPECT_EQ(LoadedCode::load(zeros).error().code, "R0401");
}

// Objects come from a cache on disk: damaged ones must not crash the loader. (They are not run.)
TEST(Loader, survives_damage) {
  const auto object = kernels_object();
  for (size_t cut = 0; cut < object.size(); cut += 97) {
    auto loaded = LoadedCode::load(std::span(object).first(cut));
    EXPECT_FALSE(loaded.ok()) << cut;
  }
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    auto damaged = object;
    for (int n = 0; n < 8; ++n) damaged[random() % damaged.size()] = std::byte(random());
    // Headers are a small part of the file; hit them more often.
    damaged[random() % 64] = std::byte(random());
    damaged[damaged.size() - 1 - random() % 1500] = std::byte(random());
    refused += !LoadedCode::load(damaged).ok();
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace warpwise::exec
