// Where a thread that waits in a loop lets others run (simt/thread/bind_thread.cpp): on the way back, not with the lock
// in hand.
#include <gtest/gtest.h>

#include "../dumped_code.h"

namespace warpwise::simt {
namespace {

std::string thread_function(const std::string& body) {
  const std::string ptx =
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a) {\n"
      "  .reg .b64 %a;\n  .reg .b32 %v;\n  .reg .pred %p;\n  ld.param.u64 %a, [a];\n" +
      body + "  ret;\n}\n";
  return code_after("bind_thread", ptx, 64);
}

TEST(Yields, NotWithTheLockInHand) {
  const std::string code = thread_function(
      "try:\n  atom.global.cas.b32 %v, [%a], 0, 1;\n  setp.ne.u32 %p, %v, 0;\n  @%p bra try;\n"
      "  ld.volatile.global.u32 %v, [%a+4];\n  add.u32 %v, %v, 1;\n  st.volatile.global.u32 [%a+4], %v;\n  "
      "atom.global.exch.b32 %v, [%a], 0;\n");
  const size_t take = code.find("cmpxchg");
  ASSERT_NE(take, std::string::npos) << "the kernel runs thread by thread: " << code;
  const size_t branch = code.find("br i1", take), yield = code.find("call void %", take);
  ASSERT_NE(yield, std::string::npos) << "no thread lets others run";
  EXPECT_LT(branch, yield) << "it is known whether the lock was taken before others run";
}

}  // namespace
}  // namespace warpwise::simt
