// PTX of kernels that take compilers long, as code generators and large libraries of device functions make them:
//
//     unrolled(28'000)   straight line: a tile of a product, unrolled to the end, as tensor compilers write it
//     field(10)          a tree of calls ten deep, three to four calls a function, as an arithmetic of field elements
//     has branching(2'200)   loops, branches and barriers that threads take differently, as a sort of many cases has
//
// Each is right for blocks of any one-dimensional shape up to 256 threads, and writes a word for each thread to `out`.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace warpwise::test {

inline std::string kernel_head(const std::string& name) {
  return ".visible .entry " + name +
         "(.param .u64 out, .param .u64 in, .param .u32 n) {\n"
         "  .reg .b64 %out, %in, %at, %w<8>;\n  .reg .b32 %t, %n, %k, %i, %r<64>;\n"
         "  .reg .f32 %f<256>;\n  .reg .pred %p<64>;\n  .shared .align 16 .b8 tile[4096];\n"
         "  ld.param.u64 %out, [out];\n  ld.param.u64 %in, [in];\n  ld.param.u32 %n, [n];\n"
         "  cvta.to.global.u64 %out, %out;\n  cvta.to.global.u64 %in, %in;\n"
         "  mov.u32 %t, %tid.x;\n  mov.u32 %k, %ctaid.x;\n  mov.u32 %i, %ntid.x;\n  mad.lo.u32 %i, %k, %i, %t;\n"
         "  mul.wide.u32 %at, %i, 4;\n  add.u64 %out, %out, %at;\n";
}
constexpr const char* kModuleHead = ".version 8.5\n.target sm_90\n.address_size 64\n";

// 64 sums in registers, with a row of the tile and a column of numbers loaded for each step of the product.
inline std::string unrolled(unsigned instructions) {
  std::string text = kModuleHead + kernel_head("unrolled") +
                     "  and.b32 %r0, %t, 31;\n  mul.wide.u32 %w0, %r0, 4;\n  add.u64 %w1, %in, %w0;\n"
                     "  shl.b32 %r1, %r0, 2;\n  mov.u32 %r2, tile;\n  add.u32 %r1, %r1, %r2;\n"
                     "  ld.global.f32 %f200, [%w1];\n  st.shared.f32 [%r1], %f200;\n  bar.sync 0;\n";
  for (unsigned k = 0; k < 64; ++k) text += fmt::format("  mov.f32 %f{}, 0f00000000;\n", k);
  unsigned made = 90;
  for (unsigned step = 0; made + 80 < instructions; ++step) {
    for (unsigned k = 0; k < 8; ++k) {
      text += fmt::format("  ld.shared.f32 %f{}, [tile+{}];\n", 64 + k, (step * 8 + k) % 32 * 4);
      text += fmt::format("  ld.global.nc.f32 %f{}, [%w1+{}];\n", 72 + k, (step + k) % 32 * 128);
    }
    for (unsigned k = 0; k < 64; ++k)
      text += fmt::format("  fma.rn.f32 %f{0}, %f{1}, %f{2}, %f{0};\n", k, 64 + k / 8, 72 + k % 8);
    made += 80;
  }
  for (unsigned k = 1; k < 64; ++k) text += fmt::format("  add.f32 %f0, %f0, %f{};\n", k);
  return text + "  st.global.f32 [%out], %f0;\n  ret;\n}\n";
}

// A product modulo a prime at the leaves; each level above calls the one below four times. Inlined, it grows by a
// factor of four with each level.
inline std::string field(unsigned depth) {
  std::string text =
      std::string(kModuleHead) +
      ".func (.param .b64 r) level0(.param .b64 x, .param .b64 y) {\n  .reg .b64 %x, %y, %h, %l, %m;\n  .reg .pred "
      "%p;\n"
      "  ld.param.b64 %x, [x];\n  ld.param.b64 %y, [y];\n  mul.lo.u64 %l, %x, %y;\n  mul.hi.u64 %h, %x, %y;\n"
      "  shr.u64 %m, %h, 32;\n  setp.lt.u64 %p, %l, %m;\n  sub.u64 %l, %l, %m;\n  @%p add.u64 %l, %l, -4294967295;\n"
      "  and.b64 %h, %h, 4294967295;\n  mul.lo.u64 %h, %h, 4294967295;\n  add.u64 %l, %l, %h;\n"
      "  setp.lt.u64 %p, %l, %h;\n  @%p add.u64 %l, %l, 4294967295;\n  st.param.b64 [r], %l;\n  ret;\n}\n";
  const auto call = [](unsigned level, const char* to, const char* x, const char* y) {
    return fmt::format(
        "  {{ .param .b64 px; .param .b64 py; .param .b64 pr;\n  st.param.b64 [px], {};\n  st.param.b64 [py], {};\n"
        "  call (pr), level{}, (px, py);\n  ld.param.b64 {}, [pr]; }}\n",
        x, y, level, to);
  };
  for (unsigned level = 1; level <= depth; ++level)
    text += fmt::format(
                ".func (.param .b64 r) level{}(.param .b64 x, .param .b64 y) {{\n  .reg .b64 %x, %y, %a, %b;\n"
                "  ld.param.b64 %x, [x];\n  ld.param.b64 %y, [y];\n",
                level) +
            call(level - 1, "%a", "%x", "%x") + call(level - 1, "%b", "%x", "%y") + "  add.u64 %a, %a, %b;\n" +
            call(level - 1, "%b", "%a", "%y") + call(level - 1, "%a", "%a", "%b") +
            "  st.param.b64 [r], %a;\n  ret;\n}\n";
  return text + kernel_head("field") + "  cvt.u64.u32 %w0, %i;\n  add.u64 %w0, %w0, 3;\n  mov.b64 %w1, 7;\n" +
         call(depth, "%w2", "%w0", "%w1") + "  cvt.u32.u64 %r0, %w2;\n  st.global.u32 [%out], %r0;\n  ret;\n}\n";
}

// Parts of some thirty instructions: a loop whose length differs from thread to thread, with branches inside that skip
// to one of several ends, over words in shared memory. A barrier follows every fourth part.
inline std::string branching(unsigned instructions) {
  std::string text = kModuleHead + kernel_head("branching") +
                     "  shl.b32 %r1, %t, 2;\n  mov.u32 %r2, tile;\n  add.u32 %r1, %r1, %r2;\n"
                     "  mov.u32 %r3, %i;\n  st.shared.u32 [%r1], %r3;\n  bar.sync 0;\n";
  for (unsigned part = 0; part * 34 + 24 < instructions; ++part) {
    const unsigned odd = part * 2 + 1;
    text += fmt::format(
        "  mad.lo.u32 %r3, %r3, {1}, {0};\n  shr.u32 %r4, %r3, 7;\n  and.b32 %r5, %r4, 7;\n  mov.u32 %k, 0;\n"
        "loop{0}:\n  setp.ge.u32 %p0, %k, %r5;\n  @%p0 bra end{0};\n  add.u32 %k, %k, 1;\n"
        "  ld.shared.u32 %r6, [%r1];\n  xor.b32 %r7, %r6, %k;\n  and.b32 %r8, %r7, 3;\n"
        "  setp.eq.u32 %p1, %r8, 0;\n  @%p1 bra less{0};\n  setp.eq.u32 %p2, %r8, 1;\n  @%p2 bra equal{0};\n"
        "  mad.lo.u32 %r3, %r7, {1}, %r3;\n  setp.gt.u32 %p3, %r3, %r6;\n  @%p3 bra less{0};\n"
        "  st.shared.u32 [%r1], %r3;\n  bra loop{0};\n"
        "less{0}:\n  shf.l.wrap.b32 %r3, %r3, %r3, {2};\n  sub.u32 %r9, %r6, %r3;\n  setp.lt.s32 %p4, %r9, 0;\n"
        "  @%p4 neg.s32 %r9, %r9;\n  st.shared.u32 [%r1], %r9;\n  setp.lt.u32 %p5, %r9, 16;\n  @%p5 bra end{0};\n"
        "  bra loop{0};\n"
        "equal{0}:\n  add.u32 %r3, %r3, %r7;\n  add.u32 %r10, %r3, {0};\n  st.shared.u32 [%r1], %r10;\n"
        "  setp.ne.u32 %p6, %r10, 0;\n  @%p6 bra loop{0};\nend{0}:\n",
        part, odd, part % 31 + 1);
    if (part % 4 == 3) text += "  bar.sync 0;\n";
  }
  return text + "  ld.shared.u32 %r6, [%r1];\n  add.u32 %r3, %r3, %r6;\n  st.global.u32 [%out], %r3;\n  ret;\n}\n";
}

}  // namespace warpwise::test
