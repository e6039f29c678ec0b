#include "toolchain/machine_code.h"

#include <gtest/gtest.h>

#include "temporary.h"

namespace warpwise::toolchain {
namespace {

TEST(MachineCode, is_found_under_keys_of_any_length) {
  TemporaryFolder folder = test_folder();
  MachineCodeStore store{Cache(folder.path())};
  std::string key = std::string(5000, 'k') + "/avx512", other = std::string(5000, 'k') + "/avx2";
  std::vector<std::byte> code{std::byte{0x7f}, std::byte{0}, std::byte{0xc3}};
  EXPECT_FALSE(store.load(key));
  store.store(key, code);
  EXPECT_EQ(store.load(key), code);
  EXPECT_FALSE(store.load(other));
}

}  // namespace
}  // namespace warpwise::toolchain
