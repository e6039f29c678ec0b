// Which stores other warps do not see before the next synchronisation (simt/scalar/defer_stores.h), read from the dump.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../dumped_code.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {
namespace {

// A kernel with threadIdx.x in %x, threadIdx.y in %y, a word of `a` for each x at %at, the parameters n, a and b, and 4
// KiB of shared memory at s.
std::string kernel(const std::string& body) {
  return ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u64 b, .param .u32 "
         "n) "
         "{\n  .reg .b64 %a, %b, %at, %o, %q;\n  .reg .b32 %x, %y, %n, %v, %w, %i;\n  .reg .pred %p;\n"
         "  .shared .align 16 .b8 s[4096];\n  ld.param.u64 %a, [a];\n  ld.param.u64 %b, [b];\n  ld.param.u32 %n, [n];\n"
         "  mov.u32 %x, %tid.x;\n  mov.u32 %y, %tid.y;\n  mul.wide.u32 %o, %x, 4;\n  add.u64 %at, %a, %o;\n" +
         body + "away:\n  ret;\n}\n";
}

size_t count_events(const std::string& code, EventKind kind) {
  size_t found = 0;
  const std::string call = "call void @ww.event(i1 ", argument = ", i32 ";
  for (size_t at = 0; (at = code.find(call, at)) != code.npos;) {
    at = code.find(argument, at) + argument.size();
    found += kind_of(uint32_t(std::stoul(code.substr(at)))) == kind;
  }
  return found;
}
size_t events(EventKind kind, const std::string& body, uint32_t threads, uint32_t rows) {
  return count_events(code_after("defer_stores", kernel(body), threads, 0, rows), kind);
}
size_t deferred(const std::string& body, uint32_t threads = 32, uint32_t rows = 8) {
  return events(EventKind::DeferStore, body, threads, rows);
}

constexpr const char* kAdd = "  ld.global.u32 %v, [%at];\n  add.u32 %v, %v, %n;\n  st.global.u32 [%at], %v;\n";

TEST(DeferStores, that_another_warp_may_read) {
  EXPECT_EQ(deferred(kAdd), 1u) << "rows share their words";
  EXPECT_EQ(deferred("  ld.global.u32 %v, [%a];\n  add.u32 %v, %v, 1;\n  st.global.u32 [%a], %v;\n", 256, 1), 1u)
      << "one word for all threads";
  EXPECT_EQ(deferred("  ld.global.u32 %v, [%at+4];\n  st.global.u32 [%at], %v;\n", 256, 1), 1u) << "the neighbour's";
  EXPECT_EQ(deferred("  and.b32 %i, %x, 31;\n  mul.wide.u32 %o, %i, 4;\n  add.u64 %at, %a, %o;\n" + std::string(kAdd),
                     256, 1),
            1u)
      << "the same words for each warp";
  EXPECT_EQ(
      deferred(
          "  ld.global.u32 %i, [%at];\n  mul.wide.u32 %o, %i, 4;\n  add.u64 %q, %a, %o;\n  st.global.u32 [%q], %x;\n",
          256, 1),
      1u)
      << "anywhere";
}

// Two loads in two branches are one pointer because they are of one parameter.
TEST(DeferStores, through_a_parameter_that_two_branches_read) {
  const std::string branches =
      "  setp.lt.u32 %p, %x, 128;\n  @%p bra low;\n"
      "  xor.b32 %i, %x, %n;\n  st.shared.u32 [s], %i;\n  ld.param.u64 %q, [{}];\n  add.u64 %q, %q, %o;\n"
      "  st.global.u32 [%q+-512], %i;\n  bra.uni away;\n"
      "low:\n  ld.param.u64 %q, [a];\n  add.u64 %q, %q, %o;\n  ld.global.u32 %v, [%q];\n  st.shared.u32 [s+4], %v;\n";
  EXPECT_EQ(deferred(fmt::format(fmt::runtime(branches), "a"), 256, 1), 1u);
  EXPECT_EQ(deferred(fmt::format(fmt::runtime(branches), "b"), 256, 1), 0u);
}

// Generic addresses of the block's shared memory, too.
TEST(DeferStores, through_shared_memory_that_two_branches_name) {
  const std::string branches =
      "  setp.lt.u32 %p, %x, 128;\n  @%p bra low;\n"
      "  xor.b32 %i, %x, %n;\n  st.global.u32 [%at], %i;\n  mov.u64 %q, s;\n  cvta.shared.u64 %q, %q;\n"
      "  add.u64 %q, %q, %o;\n  st.u32 [%q+-512], %i;\n  bra.uni away;\n"
      "low:\n  mov.u64 %q, s;\n  cvta.shared.u64 %q, %q;\n  add.u64 %q, %q, %o;\n  ld.u32 %v, [%q];\n"
      "  st.global.u32 [%at], %v;\n";
  EXPECT_EQ(deferred(branches, 256, 1), 1u);
}

TEST(DeferStores, not_where_warps_have_words_of_their_own) {
  EXPECT_EQ(deferred(kAdd, 256, 1), 0u) << "a word for each thread";
  EXPECT_EQ(deferred(kAdd, 8, 4), 0u) << "one warp";
  EXPECT_EQ(deferred("  mul.wide.u32 %q, %y, 128;\n  add.u64 %at, %at, %q;\n" + std::string(kAdd)), 0u)
      << "rows have words of their own";
  EXPECT_EQ(deferred("  setp.ne.u32 %p, %y, 0;\n  @%p bra away;\n" + std::string(kAdd)), 0u) << "one row alone";
  EXPECT_EQ(deferred("  add.u64 %q, %b, %o;\n  ld.global.u32 %v, [%q+4];\n  st.global.u32 [%at], %v;\n", 256, 1), 0u)
      << "another allocation";
  EXPECT_EQ(deferred("  mov.u32 %i, s;\n  shl.b32 %v, %x, 2;\n  add.u32 %i, %i, %v;\n  ld.shared.u32 %v, [%i+1024];\n"
                     "  setp.ge.u32 %p, %x, 128;\n  @%p bra away;\n  st.shared.u32 [%i], %v;\n",
                     256, 1),
            0u)
      << "half of the threads write the lower half of what all read the upper part of";
}

TEST(DeferStores, not_where_bounded_indices_stay_in_rows_of_warps) {
  // A row of 256 words for each warp, a word of it by the low byte of what was loaded.
  auto rows = [](const char* mask) {
    return fmt::format(
        "  ld.global.u32 %v, [%at];\n  and.b32 %v, %v, {};\n  shl.b32 %v, %v, 2;\n  shl.b32 %i, %y, 10;\n"
        "  add.u32 %i, %i, %v;\n  ld.shared.u32 %w, [%i];\n  add.u32 %w, %w, %n;\n  st.shared.u32 [%i], %w;\n",
        mask);
  };
  EXPECT_EQ(deferred(rows("255"), 32, 4), 0u);
  EXPECT_EQ(deferred(rows("511"), 32, 4), 1u);
}

TEST(DeferStores, not_where_a_counter_is_used_behind_its_loop) {
  // A column of `s` for each of 256 threads: written row by row, then read backwards from where the loop ended. The
  // loop may not be entered.
  auto column = [](int row, int step) {
    return fmt::format(
        "  mov.u32 %i, %x;\n  mov.u32 %w, %n;\n  setp.eq.u32 %p, %n, 0;\n  @%p bra read;\n"
        "write:\n  shl.b32 %v, %i, 2;\n  mov.u32 %y, s;\n  add.u32 %v, %v, %y;\n  st.shared.u32 [%v], %w;\n"
        "  add.u32 %i, %i, {};\n  sub.u32 %w, %w, 1;\n  setp.ne.u32 %p, %w, 0;\n  @%p bra write;\n"
        "read:\n  shl.b32 %v, %i, 2;\n  mov.u32 %y, s;\n  add.u32 %v, %v, %y;\n  ld.shared.u32 %w, [%v+{}];\n"
        "  st.global.u32 [%at], %w;\n",
        row, step);
  };
  EXPECT_EQ(deferred(column(256, -1024), 256, 1), 0u);
  EXPECT_EQ(deferred(column(256, -1020), 256, 1), 1u) << "the neighbour's column";
  EXPECT_EQ(deferred(column(128, -1024), 256, 1), 1u) << "two threads share a column";
}

TEST(DeferStores, not_where_an_atomic_follows_at_once) {
  const std::string both =
      "  mov.u32 %i, s;\n  ld.global.u32 %v, [%at];\n  add.u32 %i, %i, %v;\n"
      "  st.shared.u32 [%i], %n;\n";
  EXPECT_EQ(
      deferred(both + "  bar.warp.sync -1;\n  atom.shared.add.u32 %w, [%i], 1;\n  st.global.u32 [%at], %w;\n", 256, 1),
      0u);
  EXPECT_EQ(deferred(both + "  setp.eq.u32 %p, %x, 0;\n  @%p bra away;\n  atom.shared.add.u32 %w, [%i], 1;\n", 256, 1),
            1u)
      << "not on every path";
}

TEST(DeferStores, not_outside_of_what_the_phase_reads) {
  const std::string code = code_after("defer_stores",
                                      kernel("  ld.global.u32 %v, [%at];\n  ld.shared.u32 %w, [s+20];\n"
                                             "  mov.u32 %i, s;\n  add.u32 %i, %i, %v;\n  st.shared.u32 [%i], %w;\n"),
                                      32, 0, 8);
  // [16, 32): 20 to 24 in whole pieces of 16 bytes.
  EXPECT_NE(code.find("icmp ult i64"), code.npos) << code;
  EXPECT_NE(code.find(", 16, !dbg"), code.npos) << code;
}

TEST(DeferStores, that_ldmatrix_of_another_warp_may_read) {
  const std::string store =
      "  mov.u32 %i, s;\n  shl.b32 %v, %x, 4;\n  add.u32 %i, %i, %v;\n  st.shared.u32 [%i], %n;\n";
  const std::string load = "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%w}, [s];\n  st.global.u32 [%at], %w;\n";
  EXPECT_EQ(deferred(store + load, 256, 1), 1u) << "the store to shared memory, and not that to global memory";
  EXPECT_EQ(deferred(store + "  bar.sync 0;\n" + load, 256, 1), 0u);
}

TEST(DeferStores, not_behind_a_barrier) {
  const std::string shared = "  mov.u32 %i, s;\n  shl.b32 %v, %x, 2;\n  add.u32 %i, %i, %v;\n";
  EXPECT_EQ(deferred(shared + "  ld.shared.u32 %v, [%i+4];\n  bar.sync 0;\n  st.shared.u32 [%i], %v;\n", 256, 1), 0u);
  EXPECT_EQ(deferred(shared + "  ld.shared.u32 %v, [%i+4];\n  st.shared.u32 [%i], %v;\n", 256, 1), 1u);
}

// Turns of a loop: %i is 128, 64, … 1. Code that is checked keeps such loops, other code unrolls them.
size_t deferred_in_turns(const std::string& turn, const std::string& before = "",
                         const std::string& step = "shr.u32 %i, %i, 1", uint32_t threads = 256) {
  const std::string body = "  mov.u32 %i, 128;\n" + before + "again:\n" + turn + "behind:\n  bar.sync 0;\n  " + step +
                           ";\n  setp.ne.u32 %p, %i, 0;\n  @%p bra again;\n";
  return count_events(code_after("defer_stores", kernel(body), threads, kWatchAddresses), EventKind::DeferStore);
}

TEST(DeferStores, not_in_turns_of_a_loop_that_keep_apart) {
  // s[x] += s[x + i], for x < i
  const std::string words =
      "  shl.b32 %v, %x, 2;\n  shl.b32 %w, %i, 2;\n  mov.u32 %n, s;\n  add.u32 %v, %v, %n;\n"
      "  add.u32 %w, %v, %w;\n  ld.shared.u32 %w, [%w];\n  st.shared.u32 [%v], %w;\n";
  const std::string guard = "  setp.ge.u32 %p, %x, %i;\n  @%p bra behind;\n";
  EXPECT_EQ(deferred_in_turns(guard + words), 0u);
  EXPECT_EQ(deferred_in_turns("  setp.gt.u32 %p, %x, %i;\n  @%p bra behind;\n" + words), 1u)
      << "thread i reads and stores, too: s[i] is read by thread 0";
  EXPECT_EQ(deferred_in_turns(words), 1u) << "no guard";
  EXPECT_EQ(deferred_in_turns(guard + words, "  ld.global.u32 %i, [%a];\n"), 1u) << "a counter that begins anywhere";
  EXPECT_EQ(deferred_in_turns(guard + words, "", "add.u32 %i, %i, 77"), 1u) << "too many turns";
  EXPECT_EQ(deferred_in_turns(guard + words, "", "ld.global.u32 %i, [%b]"), 1u) << "a step that is not known";
  EXPECT_EQ(deferred_in_turns("  setp.eq.u32 %p, %y, 7;\n  @%p bra behind;\n  setp.lt.u32 %p, %x, %i;\n"
                              "  @%p bra on;\n  bra behind;\non:\n" +
                              words),
            0u)
      << "a guard of two conditions";
}

TEST(DeferStores, in_turns_that_threads_may_not_share) {
  const std::string words =
      "  setp.ge.u32 %p, %x, %i;\n  @%p bra behind;\n  shl.b32 %v, %x, 2;\n  shl.b32 %w, %i, 2;\n"
      "  mov.u32 %n, s;\n  add.u32 %v, %v, %n;\n  add.u32 %w, %v, %w;\n"
      "  ld.shared.u32 %w, [%w];\n  st.shared.u32 [%v], %w;\n";
  EXPECT_EQ(deferred_in_turns(words, "  setp.gt.u32 %p, %x, 99;\n  @%p bra away;\n"), 0u)
      << "threads that leave wait at no barrier";
  EXPECT_EQ(deferred_in_turns(words, "  setp.gt.u32 %p, %x, 99;\n  @%p bra again;\n  bar.sync 0;\n"), 1u)
      << "some meet the others at another barrier: they are a turn ahead";
  EXPECT_EQ(deferred_in_turns(words, "", "setp.ge.u32 %p, %x, 64;\n  @%p bra away;\n  shr.u32 %i, %i, 1"), 0u)
      << "threads that leave the loop wait at no barrier";
  EXPECT_EQ(deferred_in_turns(words, "",
                              "setp.lt.u32 %p, %x, 64;\n  @%p bra last;\n  bar.sync 0;\n  bra away;\nlast:\n"
                              "  shr.u32 %i, %i, 1"),
            1u)
      << "threads that leave the loop wait at a barrier behind it";
  EXPECT_EQ(deferred_in_turns("  bar.sync 1, 128;\n" + words), 1u) << "a barrier of a part of the block";
  // The load with the next turn's %i lies between the same two barriers as the store of this one.
  EXPECT_EQ(
      deferred_in_turns("  shl.b32 %w, %i, 2;\n  mov.u32 %n, s;\n  add.u32 %w, %w, %n;\n  ld.shared.u32 %w, [%w];\n"
                        "  bar.sync 0;\n  setp.ge.u32 %p, %x, 32;\n  @%p bra over;\n  shl.b32 %v, %i, 1;\n"
                        "  add.u32 %v, %v, %n;\n  st.shared.u32 [%v], %w;\nover:\n  shr.u32 %i, %i, 1;\n"
                        "  setp.ne.u32 %p, %i, 0;\n  @%p bra again;\n  bra away;\n"),
      1u)
      << "what is read in the next turn";
}

// A tree, and behind it all threads read its result.
TEST(DeferStores, not_where_all_threads_leave_the_loop_together) {
  const std::string turn =
      "  shl.b32 %v, %x, 2;\n  shl.b32 %w, %i, 2;\n  mov.u32 %y, s;\n  add.u32 %v, %v, %y;\n  add.u32 %w, %v, %w;\n"
      "  setp.ge.u32 %p, %x, %i;\n  @%p bra behind;\n  ld.shared.u32 %w, [%w];\n  st.shared.u32 [%v], %w;\n";
  auto behind = [&](const std::string& rest, const std::string& before = "",
                    const std::string& step = "shr.u32 %i, %i, 1") {
    const std::string body = before + "  mov.u32 %i, 128;\nagain:\n" + turn + "behind:\n  bar.sync 0;\n  " + step +
                             ";\n  setp.ne.u32 %p, %i, 0;\n  @%p bra again;\n" + rest;
    return count_events(code_after("defer_stores", kernel(body), 256, kWatchAddresses), EventKind::DeferStore);
  };
  const std::string result = "  ld.shared.u32 %w, [s];\n  st.global.u32 [%at], %w;\n";
  EXPECT_EQ(behind(result), 0u);
  EXPECT_EQ(behind(result + "  bar.sync 0;\n  st.shared.u32 [%v], %x;\n"), 0u) << "and write again behind a barrier";
  EXPECT_EQ(behind(result + "  st.shared.u32 [%v], %x;\n"), 1u) << "and write again at once";
  EXPECT_EQ(behind("", "", "ld.shared.u32 %w, [s];\n  st.global.u32 [%at], %w;\n  shr.u32 %i, %i, 1"), 1u)
      << "and read it in each turn";
  EXPECT_EQ(behind(result + "  add.u32 %n, %n, 1;\n  setp.lt.u32 %p, %n, 9;\n  @%p bra more;\n", "more:\n"), 1u)
      << "and begin another tree without a barrier";
  EXPECT_EQ(behind("  bar.sync 0;\n" + result +
                       "  bar.sync 0;\n  add.u32 %n, %n, 1;\n  setp.lt.u32 %p, %n, 9;\n"
                       "  @%p bra more;\n",
                   "more:\n"),
            0u)
      << "and begin another tree behind a barrier";
  EXPECT_EQ(behind(result, "", "shr.u32 %i, %i, 1;\n  setp.eq.u32 %p, %x, 200;\n  @%p mov.u32 %i, 0"), 1u)
      << "a thread leaves the loop before the others";
  EXPECT_EQ(behind(result, "", "ld.global.u32 %i, [%b]"), 1u) << "a number of turns that is loaded";
}

TEST(DeferStores, of_strided_loops_only_where_the_stride_falls_short) {
  auto loop = [](int stride) {
    return fmt::format(
        "next:\n{}  add.u64 %at, %at, {};\n  add.u32 %x, %x, {};\n  setp.lt.u32 %p, %x, %n;\n  @%p bra next;\n", kAdd,
        stride * 4, stride);
  };
  EXPECT_EQ(deferred(loop(256), 256, 1), 0u);
  EXPECT_EQ(deferred(loop(512), 256, 1), 0u);
  EXPECT_EQ(deferred(loop(128), 256, 1), 1u);
}

// nvcc counts in 32 bits, and keeps the index in 64 bits beside the counter.
TEST(DeferStores, of_extended_counters_only_where_the_stride_falls_short) {
  auto loop = [](int stride) {
    return fmt::format(
        "  mov.u32 %i, %nctaid.x;\n  mul.lo.u32 %i, %i, {};\n  cvt.s64.s32 %o, %x;\nnext:\n  shl.b64 %at, %o, 2;\n"
        "  add.u64 %at, %a, %at;\n{}  add.u32 %x, %x, %i;\n  cvt.s64.s32 %o, %x;\n  setp.lt.u64 %p, %o, 9999;\n"
        "  @%p bra next;\n",
        stride, kAdd);
  };
  EXPECT_EQ(deferred(loop(256), 256, 1), 0u);
  EXPECT_EQ(deferred(loop(128), 256, 1), 1u);
  EXPECT_EQ(deferred("  setp.eq.u32 %p, %n, 0;\n  cvt.u64.u32 %o, %x;\n  shl.b32 %i, %x, 1;\n  add.u32 %i, %i, %n;\n"
                     "  @%p bra one;\n  cvt.u64.u32 %o, %i;\none:\n  shl.b64 %at, %o, 2;\n  add.u64 %at, %a, %at;\n" +
                         std::string(kAdd),
                     256, 1),
            1u)
      << "two indices that threads have in other distances";
}

// Rows of n words, in blocks of 16 x 16: what the row's number is multiplied with is known to the launch alone.
struct Rows {
  size_t deferred;
  std::vector<LaunchRange> assumed;
};
Rows rows_of_n(const std::string& body, const MayAssume& may_assume = {}) {
  const DumpedKernel made = dump_after("defer_stores", kernel(body), 16, 0, 16, may_assume);
  return {count_events(made.code, EventKind::DeferStore), made.kernel.assumed.ranges.all()};
}
constexpr LaunchRange kN{LaunchRange::Of::Parameter, 4, 16};

constexpr const char* kRow = "  mov.u32 %i, %ctaid.y;\n  mad.lo.u32 %i, %i, 16, %y;\n";  // its number
constexpr const char* kInRow = "  add.u32 %i, %i, %x;\n  mul.wide.s32 %o, %i, 4;\n  add.u64 %at, %a, %o;\n";

TEST(DeferStores, not_in_rows_that_are_as_wide_as_the_block) {
  const Rows found = rows_of_n(kRow + std::string("  mul.lo.u32 %i, %i, %n;\n") + kInRow + kAdd);
  EXPECT_EQ(found.deferred, 0u);
  ASSERT_EQ(found.assumed.size(), 1u);
  EXPECT_TRUE(found.assumed[0].is_of_same(kN));
  EXPECT_EQ(found.assumed[0].least, 16u) << "words";
  EXPECT_EQ(found.assumed[0].most, ((uint64_t{1} << 34) - 16 * 4) / (15 * 4))
      << "32 bits hold an index in the last row";

  EXPECT_EQ(rows_of_n(kRow + std::string("  mul.lo.u32 %i, %i, %n;\n") + kInRow + kAdd, {true, false}).deferred, 1u)
      << "nothing may be assumed of n";
  EXPECT_EQ(rows_of_n("  mul.lo.u32 %i, %y, %n;\n  shl.b32 %w, %n, 1;\n  mad.lo.u32 %i, %y, %w, %i;\n" +
                      std::string(kInRow) + kAdd)
                .assumed.at(0)
                .least,
            6u)
      << "rows 3 n apart";
}

TEST(DeferStores, not_in_rows_whose_offset_has_64_bits) {
  const Rows found = rows_of_n(kRow +
                               std::string("  cvt.u64.u32 %o, %i;\n  cvt.s64.s32 %q, %n;\n"
                                           "  mul.lo.u64 %o, %o, %q;\n  cvt.u64.u32 %q, %x;\n"
                                           "  add.u64 %o, %o, %q;\n  shl.b64 %o, %o, 2;\n"
                                           "  add.u64 %at, %a, %o;\n") +
                               kAdd);
  EXPECT_EQ(found.deferred, 0u);
  ASSERT_EQ(found.assumed.size(), 2u);
  for (const LaunchRange& range : found.assumed) {
    if (range.of == LaunchRange::Of::GridY) {
      EXPECT_EQ(range.most, (INT32_MAX - 15u) / 16) << "the row's number fits";
    } else {
      EXPECT_TRUE(range.is_of_same(kN));
      EXPECT_EQ(range.least, 16u);
      EXPECT_LE(range.most, uint64_t{INT32_MAX}) << "n is the same with and without a sign";
    }
  }
}

TEST(DeferStores, not_where_an_index_is_computed_on_each_path) {
  auto paths = [](int other) {
    return fmt::format(
        "  setp.eq.u32 %p, %n, 0;\n  @%p bra none;\n  ld.global.u32 %w, [%b];\n  add.u32 %n, %n, %w;\n"
        "  shl.b32 %i, %x, 2;\n  bra both;\nnone:\n  mul.lo.u32 %i, %x, {};\nboth:\n  cvt.u64.u32 %o, %i;\n"
        "  add.u64 %at, %a, %o;\n{}",
        other, kAdd);
  };
  EXPECT_EQ(deferred(paths(4), 256, 1), 0u);
  EXPECT_EQ(deferred(paths(8), 256, 1), 1u) << "two indices";
}

TEST(DeferStores, in_rows_that_overlap_however_wide) {
  EXPECT_EQ(rows_of_n("  shr.u32 %i, %y, 2;\n  mul.lo.u32 %i, %i, %n;\n" + std::string(kInRow) + kAdd).deferred, 1u)
      << "four rows of threads for one of the matrix";
  EXPECT_EQ(rows_of_n(kRow + std::string("  xor.b32 %w, %n, 5;\n  mul.lo.u32 %i, %i, %w;\n") + kInRow + kAdd).deferred,
            1u)
      << "by something that is not a parameter";
}

TEST(DeferStores, are_committed_by_what_orders_accesses) {
  const std::string commits =
      "  setp.eq.u32 %p, %x, 0;\n  @%p bra away;\n  membar.gl;\n  red.global.add.u32 [%a], 1;\n";
  EXPECT_EQ(events(EventKind::CommitStores, kAdd + commits, 32, 8), 2u);
  EXPECT_EQ(events(EventKind::CommitStores, kAdd + std::string("  bar.sync 0;\n") + commits, 32, 8), 0u)
      << "nothing has been deferred since the barrier";
  EXPECT_EQ(events(EventKind::CommitStores, commits, 32, 8), 0u) << "nothing is deferred";
}

// Arrays of a structure in one allocation: the launch need not have them apart if the kernel reads none of them.
TEST(DeferStores, assumes_that_what_is_read_is_apart_from_what_is_written) {
  const std::string code =
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a, .param .u64 b, .param .u64 c) "
      "{\n  .reg .b64 %a, %b, %c, %o;\n  .reg .b32 %x, %v;\n  ld.param.u64 %a, [a];\n  ld.param.u64 %b, [b];\n"
      "  ld.param.u64 %c, [c];\n  mov.u32 %x, %tid.x;\n  mul.wide.u32 %o, %x, 4;\n  add.u64 %a, %a, %o;\n"
      "  add.u64 %b, %b, %o;\n  add.u64 %c, %c, %o;\n  ld.global.u32 %v, [%c+4];\n  st.global.u32 [%a], %v;\n"
      "  st.global.u32 [%b+4], %v;\n  ret;\n}\n";
  const DumpedKernel made = dump_after("defer_stores", code, 256);
  EXPECT_EQ(count_events(made.code, EventKind::DeferStore), 0u);
  EXPECT_EQ(made.kernel.assumed.distinct_pointers.all(), (std::vector<DistinctPointers>{{0, 16}, {8, 16}}));
}

}  // namespace
}  // namespace warpwise::simt
