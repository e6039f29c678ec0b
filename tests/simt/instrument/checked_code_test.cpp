// Instrumented code: what the check of an access becomes when it is vectorised
// (instrument/vectorise_shadow_checks.cpp), which events of barriers are left out (redundant_events.h), and what
// becomes of the others at the end (expand_events.h).
#include <gtest/gtest.h>

#include "../dumped_code.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {
namespace {

constexpr uint32_t kMemory = kWatchAddresses | kWatchInitialisation;

// A kernel of four warps: %a is a parameter's pointer plus 4 * the thread, %p the parameter, %i the thread.
std::string kernel(const std::string& body) {
  return ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a) {\n"
         "  .shared .align 16 .b8 s[512];\n  .reg .b64 %a, %p, %q, %at;\n  .reg .b32 %i, %v, %w, %n;\n  .reg .b16 "
         "%h;\n  .reg .pred %c;\n"
         "  ld.param.u64 %p, [a];\n  mov.u32 %i, %tid.x;\n  mul.wide.u32 %at, %i, 4;\n  add.u64 %a, %p, %at;\n" +
         body + "  ret;\n}\n";
}

std::string vectorised(const std::string& body, uint32_t watch = kMemory) {
  return code_after("vectorise", kernel(body), 128, watch);
}

// The block of that name, up to the next one.
std::string part(const std::string& code, const std::string& name) {
  const size_t begin = code.find("\n" + name + ":");
  return begin == code.npos ? "" : code.substr(begin, code.find("\n\n", begin) - begin);
}

constexpr const char* kReports = "call void @ww.report";

// The events of checkers; those of deferred stores (scalar/defer_stores.h) are the engine's own.
size_t checks(const std::string& code) {
  const std::string call = "call void @ww.report(ptr ";
  size_t found = 0;
  for (size_t at = 0; (at = code.find(call, at)) != code.npos;) {
    for (int argument = 0; argument < 3; ++argument)
      at = code.find(", i32 ", at) + 6;  // the warp, the lanes, the event
    found += !is_for_engine(kind_of(uint32_t(std::stoul(code.substr(at)))));
  }
  return found;
}

TEST(InstrumentedCode, IsUnchangedWithoutChecks) {
  const std::string code =
      vectorised("  ld.global.u32 %v, [%a];\n  add.u32 %v, %v, 1;\n  st.global.u32 [%a], %v;\n", 0);
  EXPECT_EQ(count(code, "ww.report"), 0u);
  EXPECT_EQ(count(code, "shadow"), 0u);
}

// Behind a parameter, what is known of its memory is asked first, in scalars; the shadow only where that is not enough.
TEST(InstrumentedCode, AsksWhatIsKnownOfAParametersMemoryFirst) {
  const std::string code = vectorised("  ld.global.u32 %v, [%a];\n  add.u32 %v, %v, 1;\n  st.global.u32 [%p], %v;\n");
  EXPECT_GE(count(code, "%known"), 1u);
  const std::string first = code.substr(0, code.find("\ncheck:"));
  EXPECT_EQ(count(first, "%shadow"), 0u) << first;
  EXPECT_NE(part(code, "check"), "");
  EXPECT_EQ(checks(code), 2u) << "one place for each access";
}

TEST(InstrumentedCode, AsksTheShadowWhereNoParameterLeads) {
  const std::string code = vectorised(
      "  ld.global.u64 %q, [%p];\n  add.u64 %q, %q, %at;\n  ld.global.u32 %v, [%q];\n  add.u32 %v, %v, 1;\n  "
      "st.global.u32 [%q], %v;\n");
  EXPECT_EQ(count(code, "\ncheck:"), 1u) << "of the three accesses, the parameter's own alone is known beforehand";
  EXPECT_EQ(checks(code), 3u);
}

// A pattern stays one in the shadow: one vector of it, and no gather.
TEST(InstrumentedCode, ReadsTheShadowByThePatternOfTheAccess) {
  const std::string code = vectorised(
      "  ld.shared.u32 %v, [s];\n  mov.u32 %w, s;\n  shl.b32 %n, %i, 2;\n  add.u32 %w, %w, %n;\n  st.shared.u32 [%w], "
      "%v;\n");
  EXPECT_EQ(count(code, "masked.gather"), 0u) << code;
  EXPECT_EQ(count(code, "%shadow = load i32"), 1u) << "one address for all lanes is one number";
}

// What is written becomes written, what is read stays.
TEST(InstrumentedCode, MarksWhatIsWritten) {
  const std::string reads = vectorised("  ld.shared.u32 %v, [s];\n  setp.eq.u32 %c, %v, 0;\n  @%c trap;\n");
  const std::string writes = vectorised("  st.shared.u32 [s], %i;\n");
  EXPECT_EQ(count(reads, "store i32"), 0u) << reads;
  EXPECT_GE(count(writes, "store i32"), 2u) << "the value, and the mark";
  EXPECT_EQ(count(vectorised("  st.shared.u32 [s], %i;\n", kWatchAddresses), "store i32"), 1u)
      << "initialisation is not checked";
}

// A tile is filled with what another place holds, and read behind a barrier. Whether that was written is asked once for
// the block, not of each word.
TEST(InstrumentedCode, AsksOfATileWhetherUnwrittenBytesWereCopied) {
  const std::string fill = "  ld.global.u32 %v, [%a];\n  mov.u32 %w, s;\n  shl.b32 %n, %i, 2;\n  add.u32 %w, %w, %n;\n";
  const std::string read =
      "  bar.sync 0;\n  ld.shared.u32 %v, [s+64];\n  add.u32 %v, %v, 1;\n  st.global.u32 [%a], %v;\n";
  const std::string copied = vectorised(fill + "  st.shared.u32 [%w], %v;\n" + read);
  EXPECT_EQ(count(copied, "\ncheck.copied:"), 1u) << copied;
  EXPECT_EQ(count(copied, "\ncopied.event:"), 1u) << "the store tells";
  const std::string made = vectorised(fill + "  add.u32 %v, %v, 1;\n  st.shared.u32 [%w], %v;\n" + read);
  EXPECT_EQ(count(made, "check.copied"), 0u) << "a sum is written";
  EXPECT_EQ(count(made, "copied.event"), 0u);
  const std::string before = vectorised(fill + "  st.shared.u32 [%w], %v;\n" + read.substr(read.find('\n') + 1));
  EXPECT_EQ(count(before, "check.copied"), 0u) << "without the barrier nothing is known";
}

// Of a copy, both places may be known when the launch begins. Otherwise the shadow of one becomes that of the other.
TEST(InstrumentedCode, CopiesTheShadowWithTheWord) {
  const std::string code = vectorised("  ld.global.u32 %v, [%a];\n  st.global.u32 [%a+512], %v;\n");
  EXPECT_EQ(count(code, "%state = phi <32 x i32> [ "), 1u) << code;
  EXPECT_EQ(count(code, "\nstore.shadow:"), 1u) << "it is stored where one of the two was not known";
  EXPECT_EQ(
      count(vectorised("  ld.global.u32 %v, [%a];\n  st.global.u32 [%a+512], %v;\n", kWatchAddresses), "store.shadow"),
      0u)
      << "initialisation is not checked";
}

// The tree over a block: its code shows that every warp arrives at each barrier, so there are no events.
const std::string kTree =
    "  mov.u32 %w, s;\n  shl.b32 %n, %i, 2;\n  add.u32 %w, %w, %n;\n  st.shared.u32 [%w], %i;\n  mov.u32 %n, 64;\n"
    "loop:\n  bar.sync 0;\n  setp.ge.u32 %c, %i, %n;\n  @%c bra on;\n  ld.shared.u32 %v, [%w+256];\n  st.shared.u32 "
    "[%w], %v;\n"
    "on:\n  shr.u32 %n, %n, 1;\n  setp.ne.u32 %c, %n, 0;\n  @%c bra loop;\n";

// How far the words of two blocks are apart. Compilers make a sum with blockIdx.x * 128 a disjunction, which is one as
// long as the other side has only the bits below.
TEST(InstrumentedCode, KnowsTheDistanceOfBlocksThatADisjunctionMakes) {
  auto bytes_between_blocks = [](const std::string& index) -> int64_t {
    const std::string body = "  mov.u32 %w, %ctaid.x;\n  shl.b32 %w, %w, 7;\n" + index +
                             "  mul.wide.s32 %at, %v, 4;\n  add.u64 %a, %p, %at;\n  st.global.u32 [%a], %i;\n";
    const CompiledKernel compiled = dump_after("vectorise", kernel(body), 128, kWatchOrder).kernel;
    if (compiled.apart_accesses.size() != 1) return -1;
    const auto& parts = compiled.apart_accesses[0].by_block[0].parts;
    return parts.size() == 1 && parts[0].bytes == 0 ? parts[0].factor : 0;
  };
  EXPECT_EQ(bytes_between_blocks("  add.u32 %v, %w, %i;\n"), 512);
  EXPECT_EQ(bytes_between_blocks("  or.b32 %v, %w, %i;\n"), 512);
  EXPECT_EQ(bytes_between_blocks("  or.b32 %v, %i, %w;\n"), 512);
  EXPECT_EQ(bytes_between_blocks("  shl.b32 %n, %i, 1;\n  or.b32 %v, %w, %n;\n"), 0) << "a bit of both";
}

TEST(InstrumentedCode, TellsOfNoBarrierThatAllReach) {
  EXPECT_EQ(checks(code_after("hoist_block_constants", kernel(kTree), 128, kWatchBarriers)), 0u);
  // Those who look for races hear of each from the block.
  const std::string code = code_after("hoist_block_constants", kernel("  bar.sync 0;\n  st.global.u32 [%a], %i;\n"),
                                      128, kWatchOrder | kWatchBarriers);
  EXPECT_EQ(count(code, "zeroinitializer, <32 x i64> zeroinitializer, i32 0)"), 1u) << code;
}

TEST(InstrumentedCode, TellsOfABarrierThatSomeReach) {
  const std::string some = "  setp.lt.u32 %c, %i, 64;\n  @!%c bra on;\n  bar.sync 0;\non:\n  st.global.u32 [%a], %i;\n";
  EXPECT_GE(count(code_after("hoist_block_constants", kernel(some), 128, kWatchBarriers), kReports), 2u)
      << "the barrier, and the place behind it";
}

// In the end events are calls through the table of services, and that of a barrier of the block has no addresses.
TEST(InstrumentedCode, EndsInCallsOfTheService) {
  const std::string code = code_after(
      "expand_events",
      kernel("  bar.sync 0;\n  st.global.u32 [%a], %i;\n  ld.shared.u32 %v, [s];\n  st.global.u32 [%p], %v;\n"), 128,
      kMemory | kWatchOrder);
  EXPECT_EQ(checks(code), 0u);
  EXPECT_EQ(count(code, "%event.values = alloca [32 x i64], align 64"), 1u) << "one place for all of them";
  EXPECT_EQ(count(code, "%event.addresses"), 0u) << "each is a number and a constant for each lane";
  EXPECT_GE(count(code, "ptr null, ptr null, i32 0)"), 1u) << code;
}

}  // namespace
}  // namespace warpwise::simt
