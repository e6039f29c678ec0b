// Which kernels may begin in the interpreter (exec/tiers/begins_interpreted.h).
#include "exec/tiers/begins_interpreted.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "ptx/parse/parser.h"

namespace warpwise::exec {
namespace {

// Of a kernel with these statements.
bool may_begin(const std::string& statements, const std::string& before = "", Order order = Order::MayMatter) {
  const std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n" + before +
                           ".visible .entry k(.param .u64 a) {\n  .reg .b64 %a, %b;\n  .reg .b32 %r, %s, %t;\n"
                           "  .reg .f32 %f;\n  .reg .pred %p;\n  .shared .align 8 .b8 s[64];\n"
                           "  ld.param.u64 %a, [a];\n  mov.u32 %s, s;\n" +
                           statements + "\n  ret;\n}\n";
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("k.ptx", text), diagnostics);
  if (!module) {
    ADD_FAILURE() << statements << "\n" << render_text(diagnostics, false);
    return false;
  }
  KernelImage image;
  image.module = std::make_shared<const ptx::Module>(std::move(*module));
  while (!image.function().is_entry) ++image.kernel;
  image.layout = ptx::lay_out_kernel(*image.module, image.kernel);
  return may_begin_interpreted(image, order);
}

TEST(BeginsInterpreted, what_depends_on_no_order) {
  for (const char* statements : {
           "mov.u32 %r, %tid.x; st.global.u32 [%a], %r;",
           "ld.global.nc.f32 %f, [%a]; fma.rn.f32 %f, %f, %f, %f; st.shared.f32 [%s], %f; bar.sync 0;",
           "red.global.add.u32 [%a], 1;",
           "red.shared.max.s32 [%s], 3;",
           "atom.global.add.u32 %r, [%a], 1;",  // %r is not read
           "atom.global.or.b32 _, [%a], 1;",
           "shfl.sync.bfly.b32 %r, %s, 1, 31, -1; vote.sync.any.pred %p, %p, -1;",
           "ld.volatile.shared.u32 %r, [%s]; st.volatile.shared.u32 [%s], %r;",
           "cp.async.ca.shared.global [%s], [%a], 8; cp.async.wait_all;",
           "bar.warp.sync -1;",
           "membar.cta;",
       })
    EXPECT_TRUE(may_begin(statements)) << statements;
}

TEST(BeginsInterpreted, what_the_order_of_threads_decides) {
  for (const char* statements : {
           "atom.global.add.u32 %r, [%a], 1; st.global.u32 [%a+4], %r;",
           "atom.shared.add.u32 %r, [%s], 1; add.u32 %t, %t, %r;",
           "red.global.add.f32 [%a], %f;",
           "atom.global.exch.b32 %r, [%a], 1;",
           "atom.global.cas.b32 %r, [%a], 1, 2;",
           "red.global.inc.u32 [%a], 7;",
       }) {
    EXPECT_FALSE(may_begin(statements)) << statements;
    EXPECT_TRUE(may_begin(statements, "", Order::DoesNotMatter)) << statements;
  }
}

TEST(BeginsInterpreted, what_others_may_see_or_what_is_not_undone) {
  for (const char* statements : {
           "ld.volatile.global.u32 %r, [%a];",
           "st.volatile.global.u32 [%a], %r;",
           "ld.acquire.gpu.global.u32 %r, [%a];",
           "st.release.gpu.global.u32 [%a], %r;",
           "red.release.gpu.global.add.u32 [%a], 1;",
           "red.relaxed.sys.global.add.u32 [%a], 1;",
           "membar.gl;",
           "mov.u32 %r, %clock;",
           "mov.u64 %b, %globaltimer;",
           "nanosleep.u32 100;",
           "activemask.b32 %r;",
           "mbarrier.init.shared.b64 [%s], 1;",
           "barrier.cluster.arrive;",
       })
    EXPECT_FALSE(may_begin(statements)) << statements;
}

TEST(BeginsInterpreted, functions_count) {
  const std::string ticket =
      ".func ticket(.param .b64 a) { .reg .b64 %a; .reg .b32 %r; ld.param.u64 %a, [a]; atom.global.add.u32 %r, [%a], "
      "1; "
      "st.global.u32 [%a+4], %r; ret; }\n";
  EXPECT_TRUE(may_begin("st.global.u32 [%a], 1;", ticket)) << "it is not called";
  EXPECT_FALSE(may_begin("{ .param .b64 x; st.param.b64 [x], %a; call ticket, (x); }", ticket));
  const std::string allocates = ".extern .func (.param .b64 r) malloc(.param .b64 n);\n";
  EXPECT_FALSE(may_begin("{ .param .b64 x; .param .b64 y; st.param.b64 [x], %a; call (y), malloc, (x); }", allocates));
}

}  // namespace
}  // namespace warpwise::exec
