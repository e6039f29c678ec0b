#include "toolchain/inputs.h"

#include <gtest/gtest.h>

#include "temporary.h"
#include "toolchain/hash.h"

namespace warpwise::toolchain {
namespace {

constexpr int64_t kLater = INT64_MAX;

TEST(Inputs, survive_the_cache) {
  TemporaryFolder folder = test_folder();
  std::string path = folder.path() / "a header.h";
  put(path, "int a;");
  auto files = take_inputs({path}, kLater);
  ASSERT_TRUE(files);
  std::vector<InputVariant> variants{{*files, hash_of("result")}, {{}, hash_of("none")}};
  auto read = decode_variants(encode_variants(variants));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].files[0].path, path);
  EXPECT_EQ((*read)[0].files[0].stamp, (*files)[0].stamp);
  EXPECT_EQ((*read)[0].result, hash_of("result"));
  EXPECT_TRUE(unchanged((*read)[0]));
}

TEST(Inputs, content_decides_when_the_stamp_differs) {
  TemporaryFolder folder = test_folder();
  std::string path = folder.path() / "h.h";
  put(path, "int a;");
  InputVariant variant{*take_inputs({path}, kLater), hash_of("r")};
  put(path, "int a;");  // another inode, the same content
  EXPECT_TRUE(unchanged(variant));
  put(path, "int b;");
  EXPECT_FALSE(unchanged(variant));
  std::filesystem::remove(path);
  EXPECT_FALSE(unchanged(variant));
}

TEST(Inputs, a_file_that_changes_meanwhile_is_not_trusted) {
  TemporaryFolder folder = test_folder();
  std::string path = folder.path() / "h.h";
  put(path, "int a;");
  EXPECT_FALSE(take_inputs({path}, stamp_of(path)->modified_ns));
  EXPECT_FALSE(take_inputs({(folder.path() / "absent").string()}, kLater));
}

TEST(Inputs, refuses_text_that_is_not_its_own) {
  for (const char* text : {"result xyz\n", "file 1 2 3\n", "file 1 2 3 4 00000000000000000000000000000000 p\n",
                           "junk\n", "result 00000000000000000000000000000000"})
    EXPECT_FALSE(decode_variants(text)) << text;
  EXPECT_TRUE(decode_variants(""));
}

TEST(Dependencies, read_make_rules) {
  EXPECT_EQ(parse_dependencies("k.o: k.cu \\\n  /usr/include/a.h b\\ c.h \\\n  d$$e.h f\\#g.h\n"),
            (std::vector<std::string>{"k.cu", "/usr/include/a.h", "b c.h", "d$e.h", "f#g.h"}));
  EXPECT_EQ(parse_dependencies("a.o : x.cu\n"), (std::vector<std::string>{"x.cu"}))
      << "nvcc writes a blank before the colon";
  EXPECT_TRUE(parse_dependencies("").empty());
}

}  // namespace
}  // namespace warpwise::toolchain
