// Device code in the wrappings of compilers: containers, plain text, references; and damaged ones.
#include "cuda/runtime/module/fatbinary.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace warpwise::cuda {
namespace {

constexpr uint64_t kLz4 = 0x2000, kZstd = 0x8000, kExact = 0x100000, kFamily = 0x200000;

template <class Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Writes containers as nvcc does.
class Container {
 public:
  Container& add(uint16_t kind, uint32_t architecture, std::string text, uint64_t flags = 0) {
    size_t unpacked = text.size();
    if (flags & kLz4) {
      std::string packed(LZ4_compressBound(static_cast<int>(text.size())), '\0');
      packed.resize(LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()),
                                         static_cast<int>(packed.size())));
      text = packed;
    }
    if (flags & kZstd) {
      std::string packed(ZSTD_compressBound(text.size()), '\0');
      packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
      text = packed;
    }
    size_t stored = text.size();
    text.resize((text.size() + 7) / 8 * 8);
    put<uint16_t>(entries_, kind);
    put<uint16_t>(entries_, 0x101);
    put<uint32_t>(entries_, 64);
    put<uint64_t>(entries_, text.size());
    put<uint32_t>(entries_, flags & (kLz4 | kZstd) ? static_cast<uint32_t>(stored) : 0);
    put<uint32_t>(entries_, 0);
    put<uint16_t>(entries_, 0);
    put<uint16_t>(entries_, 9);
    put<uint32_t>(entries_, architecture);
    put<uint64_t>(entries_, 0);
    put<uint64_t>(entries_, flags | 0x11);
    put<uint64_t>(entries_, 0);
    put<uint64_t>(entries_, flags & (kLz4 | kZstd) ? unpacked : 0);
    entries_ += text;
    return *this;
  }
  std::string bytes() const {
    std::string out;
    put<uint32_t>(out, kContainerMagic);
    put<uint16_t>(out, 1);
    put<uint16_t>(out, 16);
    put<uint64_t>(out, entries_.size());
    return out + entries_;
  }

 private:
  std::string entries_;
};

std::string ptx_for(int architecture) {
  return ".version 8.0\n.target sm_" + std::to_string(architecture) + "\n" + std::string(300, '/') + "\n";
}

Result<std::string> choose(const std::string& bytes, unsigned architecture) {
  return choose_ptx(TRY(parse_container(bytes)), architecture);
}

TEST(FatBinary, TakesTheNewestPtxTheDeviceCanRun) {
  std::string bytes = Container()
                          .add(1, 70, ptx_for(70))
                          .add(2, 90,
                               "\x7f"
                               "ELF")
                          .add(1, 80, ptx_for(80))
                          .add(1, 100, ptx_for(100))
                          .bytes();
  EXPECT_EQ(*choose(bytes, 90), ptx_for(80));
  EXPECT_EQ(*choose(bytes, 75), ptx_for(70));
  EXPECT_EQ(*choose(bytes, 120), ptx_for(100));
}

TEST(FatBinary, Compressed) {
  EXPECT_EQ(*choose(Container().add(1, 90, ptx_for(90), kLz4).bytes(), 90), ptx_for(90));
  EXPECT_EQ(*choose(Container().add(1, 90, ptx_for(90), kZstd).bytes(), 90), ptx_for(90));
}

TEST(FatBinary, ArchitectureSpecificPtxRunsThereAlone) {
  std::string bytes = Container()
                          .add(1, 80, ptx_for(80))
                          .add(1, 90, "exact.version", kExact)
                          .add(1, 100, "family.version", kFamily)
                          .bytes();
  EXPECT_EQ(*choose(bytes, 90), "exact.version");
  EXPECT_EQ(*choose(bytes, 89), ptx_for(80));
  EXPECT_EQ(*choose(bytes, 103), "family.version");
  EXPECT_EQ(*choose(bytes, 120), ptx_for(80));
}

TEST(FatBinary, SaysWhatToRebuild) {
  auto none = choose(Container().add(2, 80, "x").add(2, 90, "y").bytes(), 90);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "R0201");
  EXPECT_EQ(none.error().message,
            "the program has machine code for sm_80, sm_90 and no PTX: rebuild with -gencode "
            "arch=compute_90,code=compute_90");
  auto newer = choose(Container().add(1, 100, ptx_for(100)).bytes(), 90);
  ASSERT_FALSE(newer.ok());
  EXPECT_EQ(newer.error().code, "R0202");
  EXPECT_NE(newer.error().message.find("has PTX for sm_100 and the device is sm_90"), std::string::npos);
}

TEST(FatBinary, EveryTruncationAndBrokenByteIsRefusedOrHarmless) {
  std::string whole = Container().add(1, 80, ptx_for(80), kZstd).add(1, 90, ptx_for(90), kLz4).bytes();
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(parse_container(whole.substr(0, size)).ok()) << size;
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string broken = whole;
    broken[i] = static_cast<char>(~broken[i]);
    (void)choose(broken, 90);  // must not crash; a sanitizer would report reads outside
  }
}

TEST(FatBinary, AHugeClaimIsNotAllocated) {
  std::string bytes = Container().add(1, 90, ptx_for(90), kZstd).bytes();
  uint64_t huge = ~uint64_t{0};
  std::memcpy(bytes.data() + 16 + 56, &huge, sizeof huge);
  auto result = choose(bytes, 90);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "R0203");
}

TEST(FatBinary, EmbeddedTextHasNoEndOfItsOwn) {
  std::string one = ptx_for(80);
  EXPECT_EQ(ptx_extent(one + std::string(1, '\0') + "rest"), one);
  EXPECT_EQ(ptx_extent(one + ptx_for(90)), one);
  EXPECT_EQ(ptx_extent(one + "\x50\xed\x55\xba\x01"), one);  // the container of the next object
  EXPECT_EQ(ptx_extent("// .version in a comment\n" + one), "// .version in a comment\n" + one);
  EXPECT_EQ(ptx_extent("// é\n" + one), "// é\n" + one);
  EXPECT_EQ(ptx_extent(""), "");
}

// Text that ends where readable memory ends, as the last object of a section may.
TEST(FatBinary, TextAtTheEndOfMemoryOfAnObject) {
  static const char text[] = ".version 8.0\n.target sm_80\n";
  FatBinaryWrapper wrapper{kWrapperMagic, 1, text, nullptr};
  EXPECT_EQ(*read_wrapper(wrapper, 90), text);
}

TEST(FatBinary, Wrappers) {
  std::string container = Container().add(1, 80, ptx_for(80)).bytes();
  FatBinaryWrapper wrapper{kWrapperMagic, 1, container.data(), nullptr};
  EXPECT_EQ(*read_wrapper(wrapper, 90), ptx_for(80));
  wrapper.magic = 1;
  EXPECT_EQ(read_wrapper(wrapper, 90).error().code, "R0203");
  FatBinaryWrapper empty{kWrapperMagic, 1, nullptr, nullptr};
  EXPECT_EQ(read_wrapper(empty, 90).error().code, "R0203");
  std::string linked = Container().add(2, 90, "x").bytes();
  const void* parts[] = {container.data(), linked.data(), container.data(), nullptr};  // one part has no PTX
  FatBinaryWrapper relocatable{kWrapperMagic, 2, linked.data(), parts};
  EXPECT_EQ(*read_wrapper(relocatable, 90), ptx_for(80) + ptx_for(80));
  const void* none[] = {linked.data(), nullptr};
  relocatable.prelinked = none;
  EXPECT_EQ(read_wrapper(relocatable, 90).error().code, "R0205");
  FatBinaryWrapper noise{kWrapperMagic, 1, "hello", nullptr};
  EXPECT_EQ(read_wrapper(noise, 90).error().code, "R0203");
}

TEST(FatBinary, References) {
  auto folder = std::filesystem::temp_directory_path() / "warpwise_modules_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "abc123.ptx") << ptx_for(80);
  FatBinaryWrapper wrapper{kWrapperMagic, 1, "warpwise-ptx: abc123\n", nullptr};
  unsetenv("WARPWISE_MODULES");
  EXPECT_EQ(read_wrapper(wrapper, 90).error().code, "R0204");
  setenv("WARPWISE_MODULES", folder.c_str(), 1);
  EXPECT_EQ(*read_wrapper(wrapper, 90), ptx_for(80));
  FatBinaryWrapper missing{kWrapperMagic, 1, "warpwise-ptx: nothing\n", nullptr};
  EXPECT_EQ(read_wrapper(missing, 90).error().code, "R0204");
  FatBinaryWrapper outside{kWrapperMagic, 1, "warpwise-ptx: ../abc123\n", nullptr};
  EXPECT_EQ(read_wrapper(outside, 90).error().code, "R0203");
  unsetenv("WARPWISE_MODULES");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warpwise::cuda
