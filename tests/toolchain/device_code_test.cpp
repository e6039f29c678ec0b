// The device code of programs, honest and crafted ones.
#include "toolchain/device_code.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "program_with_section.h"
#include "toolchain/files.h"

namespace warpwise::toolchain {
namespace {

struct Entry {
  uint16_t kind = 1, version = 0x101;  // PTX
  uint32_t header_bytes = 64;
  uint64_t payload_bytes = 0;
  uint32_t compressed_bytes = 0, unknown = 0;
  uint16_t minor = 8, major = 7;
  uint32_t architecture = 90, name_offset = 0, name_bytes = 0;
  uint64_t flags = 0, zero = 0, unpacked_bytes = 0;
};
static_assert(sizeof(Entry) == 64);

template <class T>
std::string bytes_of(const T& record) {
  return std::string(reinterpret_cast<const char*>(&record), sizeof record);
}

std::string container(Entry entry, const std::string& payload) {
  struct {
    uint32_t magic = 0xba55ed50;
    uint16_t version = 1, header_bytes = 16;
    uint64_t entries_bytes;
  } header{.entries_bytes = sizeof entry + payload.size()};
  entry.payload_bytes = payload.size();
  return bytes_of(header) + bytes_of(entry) + payload;
}

DeviceCode read(const std::string& section, const std::filesystem::path& modules = "", size_t most = kMostDeviceCode) {
  auto elf = ElfFile::from_bytes(program_with_section(".nv_fatbin", section));
  EXPECT_TRUE(elf.ok());
  return device_code_of(*elf, 90, modules, most);
}

const std::string kPtx = ".version 8.7\n.target sm_90\n";

TEST(DeviceCode, is_found_in_containers_that_follow_each_other) {
  const DeviceCode code = read(container({}, kPtx) + std::string(24, '\0') + container({}, kPtx + "// two\n"));
  ASSERT_EQ(code.ptx.size(), 2u);
  EXPECT_EQ(code.ptx[0], kPtx);
  EXPECT_EQ(code.ptx[1], kPtx + "// two\n");
  EXPECT_TRUE(code.problems.empty());
}

TEST(DeviceCode, is_found_as_text) {
  const DeviceCode code = read(kPtx + '\0');
  ASSERT_EQ(code.ptx.size(), 1u);
  EXPECT_EQ(code.ptx[0], kPtx);
}

// An entry that says it becomes 512 MiB: no byte is allocated for it.
TEST(DeviceCode, has_a_limit) {
  Entry bomb;
  bomb.flags = 0x2000;  // LZ4
  bomb.compressed_bytes = 4;
  bomb.unpacked_bytes = size_t{512} << 20;
  const DeviceCode code = read(container(bomb, "\x1f\xff\xff\xff"), "", 1 << 20);
  EXPECT_TRUE(code.ptx.empty());
  ASSERT_EQ(code.problems.size(), 1u);
  EXPECT_TRUE(code.problems[0].starts_with("R0203")) << code.problems[0];
  EXPECT_TRUE(read(container({}, kPtx), "", kPtx.size() - 1).ptx.empty());
  // The limit is one of all modules together.
  EXPECT_EQ(read(container({}, kPtx) + container({}, kPtx), "", kPtx.size()).ptx.size(), 1u);
}

// Sizes that lead out of the section, or of the number's range.
TEST(DeviceCode, believes_no_size) {
  for (const uint64_t size : {uint64_t{1} << 20, ~uint64_t{0}, ~uint64_t{0} - 63}) {
    std::string crafted = container({}, kPtx);
    std::memcpy(crafted.data() + 8, &size, sizeof size);  // of all entries
    EXPECT_TRUE(read(crafted).ptx.empty()) << size;
    crafted = container({}, kPtx);
    std::memcpy(crafted.data() + 16 + 8, &size, sizeof size);  // of the payload
    EXPECT_TRUE(read(crafted).ptx.empty()) << size;
  }
}

// A million beginnings of containers, each of which claims all that follows: read in proportion to their number.
TEST(DeviceCode, takes_no_time_with_the_square_of_the_section) {
  std::string crafted;
  const std::string one = container({}, "").substr(0, 16);
  for (int i = 0; i < 1'000'000; ++i) crafted += one;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(read(crafted).problems.empty());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// As many names of files, none of which ends.
TEST(DeviceCode, takes_no_time_with_the_square_of_its_names) {
  std::string crafted;
  for (int i = 0; i < 1'000'000; ++i) crafted += "warpwise-ptx: ";
  const auto start = std::chrono::steady_clock::now();
  const DeviceCode code = read(crafted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_GE(code.problems.size(), 1u);
  EXPECT_LE(code.problems.size(), 100u);
}

// One file, named a million times, is no million files in memory.
TEST(DeviceCode, has_a_limit_for_files_too) {
  auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path());
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(write_file(folder->path() / "key.ptx", kPtx).ok());
  const DeviceCode code =
      read("warpwise-ptx: key\nwarpwise-ptx: key\nwarpwise-ptx: key\n", folder->path(), 2 * kPtx.size());
  EXPECT_EQ(code.ptx.size(), 2u);
  ASSERT_EQ(code.problems.size(), 1u);
  EXPECT_TRUE(code.problems[0].starts_with("R0203")) << code.problems[0];
}

// A name in a program is no path.
TEST(DeviceCode, reads_files_of_its_folder_alone) {
  auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path());
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(write_file(folder->path() / "key.ptx", kPtx).ok());
  std::filesystem::create_directory(folder->path() / "inside");
  EXPECT_EQ(read("warpwise-ptx: key\n", folder->path()).ptx.size(), 1u);
  EXPECT_TRUE(read("warpwise-ptx: ../key\n", folder->path() / "inside").ptx.empty());
  EXPECT_TRUE(read("warpwise-ptx: " + (folder->path() / "key").string() + "\n", folder->path()).ptx.empty());
  const DeviceCode code = read("warpwise-ptx: key\n");
  EXPECT_TRUE(code.ptx.empty());
  ASSERT_EQ(code.problems.size(), 1u);
  EXPECT_TRUE(code.problems[0].starts_with("R0204")) << code.problems[0];
}

}  // namespace
}  // namespace warpwise::toolchain
