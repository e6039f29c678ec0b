#include "toolchain/messages.h"

#include <gtest/gtest.h>

namespace warpwise::toolchain {
namespace {

TEST(Messages, are_said_once) {
  std::string error = "k.cu:3:5: error: use of undeclared identifier 'x'\n    3 |     x = 1;\n      |     ^\n";
  std::string warning = "k.cu:9:1: warning: unused\nk.cu:8:1: note: declared here\n";
  MessageFilter filter;
  EXPECT_EQ(filter.unseen(error + warning + "1 warning and 1 error generated when compiling for sm_90a.\n"),
            error + warning);
  EXPECT_EQ(filter.unseen(error + "1 error generated when compiling for host.\n"), "");
  EXPECT_EQ(filter.unseen("k.cu:10:1: error: another\n"), "k.cu:10:1: error: another\n");
}

TEST(Messages, keep_their_include_stack) {
  std::string message = "In file included from k.cu:1:\nIn file included from a.h:2:\nb.h:3:1: error: no\n";
  MessageFilter filter;
  EXPECT_EQ(filter.unseen(message), message);
  EXPECT_EQ(filter.unseen(message), "");
}

TEST(Messages, that_are_no_diagnostics_pass) {
  MessageFilter filter;
  EXPECT_EQ(filter.unseen("ld.lld: cannot open x"), "ld.lld: cannot open x\n");
}

TEST(Messages, name_variables_without_a_value) {
  const auto found = uninitialised_variables(
      "In file included from k.cu:1:\n"
      "k.cu:7:5: warning: variable 'sum' is uninitialized when used here [-Wuninitialized]\n"
      "    7 |     sum += a[i];\n"
      "a:b.cu:9:1: warning: variable 'x' is used uninitialized whenever 'if' condition is false "
      "[-Wsometimes-uninitialized]\n"
      "k.cu:8:1: warning: unused variable 'y' [-Wunused-variable]\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].file, "k.cu");
  EXPECT_EQ(found[0].line, 7u);
  EXPECT_EQ(found[0].text, "variable 'sum' is uninitialized when used here");
  EXPECT_EQ(found[1].file, "a:b.cu");
  EXPECT_EQ(found[1].line, 9u);
}

TEST(Messages, name_missing_headers) {
  EXPECT_EQ(missing_headers("k.cu:1:10: fatal error: 'thrust/sort.h' file not found\n"),
            (std::vector<std::string>{"thrust/sort.h"}));
  EXPECT_EQ(missing_headers("k.cu:1:10: fatal error: cub/cub.cuh: No such file or directory\n"),
            (std::vector<std::string>{"cub/cub.cuh"}));
}

}  // namespace
}  // namespace warpwise::toolchain
