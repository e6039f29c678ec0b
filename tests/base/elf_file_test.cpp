// Reading programs: this one, and damaged ones.
#include "base/elf_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace warpwise {
namespace {

extern "C" int a_function_of_this_program(int x) { return x + 1; }

bool contains(const std::vector<ElfSymbol>& symbols, std::string_view name, bool defined) {
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const ElfSymbol& s) { return s.name == name && s.defined == defined && s.function; });
}

TEST(ElfFile, TellsWhatAProgramNeedsAndHas) {
  auto elf = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(elf.ok()) << elf.error().message;
  auto needed = elf->needed();
  EXPECT_TRUE(std::any_of(needed.begin(), needed.end(), [](auto n) { return n.starts_with("libc.so"); }));
  EXPECT_TRUE(contains(elf->all_symbols(), "a_function_of_this_program", true));
  EXPECT_FALSE(elf->section(".text").empty());
  EXPECT_TRUE(elf->section(".no_such_section").empty());
  EXPECT_EQ(a_function_of_this_program(1), 2);
}

TEST(ElfFile, RefusesWhatIsNone) {
  EXPECT_EQ(ElfFile::open("/there/is/no/such/file").error().code, "U0001");
  EXPECT_EQ(ElfFile::open("/proc/self").error().code, "U0009") << "a folder";
  EXPECT_EQ(ElfFile::from_bytes("#!/bin/sh\n").error().code, "U0009");
  EXPECT_EQ(ElfFile::from_bytes("").error().code, "U0009");
}

// Cut off anywhere and with any byte of the header changed, it is refused or read, never read past its end.
TEST(ElfFile, SurvivesDamage) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(file), {}};
  auto look = [](std::string bytes) {
    auto elf = ElfFile::from_bytes(std::move(bytes));
    if (!elf) return size_t{0};
    return elf->needed().size() + elf->dynamic_symbols().size() + elf->section(".text").size();
  };
  size_t seen = look(whole);
  EXPECT_GT(seen, 0u);
  for (size_t size : {1ul, 4ul, 63ul, 64ul, 65ul, 4096ul, whole.size() / 2, whole.size() - 1})
    EXPECT_LE(look(whole.substr(0, size)), seen);
  for (size_t at = 4; at < 64; ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    (void)look(std::move(changed));
  }
}

}  // namespace
}  // namespace warpwise
