// Which printf reads memory for what it prints.
#include "lab/judge/printed_reads.h"

#include <gtest/gtest.h>

namespace warpwise::lab {
namespace {

TEST(PrintedReads, are_arguments_that_index_or_dereference) {
  EXPECT_EQ(line_of_printed_read("int i;\n  printf(\"%f\", a[i]);"), 2u);
  EXPECT_EQ(line_of_printed_read("std::printf (\"%f\",\n *p);"), 1u);
  EXPECT_EQ(line_of_printed_read("printf(\"%d\", i);\nprintf(\"%f\", f(p->x));\n"), 2u);
  EXPECT_FALSE(line_of_printed_read("printf(\"%d %d\", i, 2 * i);"));
  EXPECT_FALSE(line_of_printed_read("// printf(\"%f\", a[i]);\nint n = a[0];"));
  EXPECT_FALSE(line_of_printed_read("printf(\"a[%d]\\n\", i); x = a[i];"));
  EXPECT_FALSE(line_of_printed_read("my_printf(\"%f\", a[i]);"));
  EXPECT_FALSE(line_of_printed_read("printf(\"%f\", a[i]"));
}

}  // namespace
}  // namespace warpwise::lab
