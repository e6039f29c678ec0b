// Where rows of threads meet between a read and a write of a word that they share (simt/scalar/rows_read_first.h), read
// from the dump.
#include <gtest/gtest.h>

#include "../dumped_code.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {
namespace {

// A kernel that has the address of its column's word in %at and goes on with `then`.
std::string kernel(const std::string& then) {
  return ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u32 n) {\n"
         "  .reg .b64 %a, %at;\n  .reg .b32 %x, %y, %n, %v;\n  .reg .pred %p;\n"
         "  ld.param.u64 %a, [a];\n  ld.param.u32 %n, [n];\n  mov.u32 %x, %tid.x;\n  mov.u32 %y, %tid.y;\n"
         "  mul.wide.u32 %at, %x, 4;\n  add.u64 %at, %a, %at;\n" +
         then + "away:\n  ret;\n}\n";
}

constexpr const char* kAdd = "  ld.global.u32 %v, [%at];\n  add.u32 %v, %v, %n;\n  st.global.u32 [%at], %v;\n";

size_t meetings(const std::string& then, uint32_t threads = 32, uint32_t rows = 8, uint32_t watch = 0) {
  return count(code_after("rows_read_first", kernel(then), threads, watch, rows), "call void @ww.barrier.sync(i32 0");
}

TEST(RowsReadFirst, meet_before_they_write_what_they_have_read) {
  EXPECT_EQ(meetings(kAdd), 1u);
  EXPECT_EQ(meetings(std::string("  setp.ge.u32 %p, %x, %n;\n  @%p bra away;\n") + kAdd), 1u) << "some columns leave";
  EXPECT_EQ(meetings("  ld.global.u32 %v, [%at];\n  ld.global.u32 %y, [%at+128];\n  st.global.u32 [%at], %y;\n  "
                     "st.global.u32 [%at+128], %v;\n"),
            1u)
      << "two words read before either is written";
  EXPECT_EQ(
      meetings(std::string(kAdd) +
               "  ld.global.u32 %v, [%at+128];\n  st.global.u32 [%at+128], %n;\n  st.global.u32 [%at+256], %v;\n"),
      2u)
      << "one after the other";
}

TEST(RowsReadFirst, meet_once_before_a_loop_that_writes) {
  const std::string loop =
      "  ld.global.u32 %v, [%at];\nnext:\n  add.u32 %v, %v, %n;\n  st.global.u32 [%at], %v;\n  setp.lt.u32 %p, %v, "
      "1000;\n  @%p bra next;\n";
  const std::string code = code_after("rows_read_first", kernel(loop), 32, 0, 8);
  EXPECT_EQ(count(code, "call void @ww.barrier.sync(i32 0"), 1u);
  EXPECT_LT(code.find("call void @ww.barrier.sync"), code.find("next"));
}

TEST(RowsReadFirst, do_not_meet_where_no_row_can_lose) {
  EXPECT_EQ(meetings(kAdd, 256, 1), 0u) << "one row";
  EXPECT_EQ(meetings(kAdd, 8, 4), 0u) << "one warp";
  EXPECT_EQ(meetings(std::string("  mul.wide.u32 %a, %y, 128;\n  add.u64 %at, %at, %a;\n") + kAdd), 0u)
      << "rows have words of their own";
  EXPECT_EQ(meetings(std::string("  setp.ne.u32 %p, %y, 0;\n  @%p bra away;\n") + kAdd), 0u) << "one row alone";
  EXPECT_EQ(meetings("  st.global.u32 [%at], %n;\n  ld.global.u32 %v, [%at];\n  st.global.u32 [%at+128], %v;\n"), 0u)
      << "written before it is read";
  EXPECT_EQ(meetings("  ld.global.u32 %v, [%a];\n  add.u32 %v, %v, %n;\n  st.global.u32 [%a], %v;\n"), 0u)
      << "one word for all threads";
}

TEST(RowsReadFirst, do_not_meet_at_every_line_of_a_long_text) {
  std::string text;
  for (int k = 0; k < 1000; ++k) {
    const std::string word = "[%at+" + std::to_string(128 * k) + "]";
    text += "  ld.global.u32 %v, " + word + ";\n  add.u32 %v, %v, %n;\n  st.global.u32 " + word + ", %v;\n";
  }
  EXPECT_EQ(meetings(text), 0u);
}

TEST(RowsReadFirst, do_not_meet_where_somebody_may_wait_or_looks) {
  EXPECT_EQ(meetings(std::string("  bar.sync 0;\n") + kAdd), 0u) << "a barrier of the program's own";
  EXPECT_EQ(meetings(std::string("  atom.global.add.u32 %y, [%a], 1;\n") + kAdd), 0u);
  EXPECT_EQ(meetings(std::string("  ld.volatile.global.u32 %y, [%a];\n") + kAdd), 0u);
  EXPECT_EQ(meetings(kAdd, 32, 8, kWatchOrder), 0u) << "races are looked for";
}

}  // namespace
}  // namespace warpwise::simt
