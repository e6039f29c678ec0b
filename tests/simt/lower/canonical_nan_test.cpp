// The price of canonical NaN: none inside loops, none for numbers that are only moved.
#include <gtest/gtest.h>

#include "scalar_jit.h"

namespace warpwise::simt::test {
namespace {

std::string cleaned(const std::string& body) {
  std::string ir;
  Error error = Kernel::try_lower(
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      ".reg .b64 %rd; .reg .f32 %f<8>; .reg .b32 %r<8>; .reg .pred %p; .reg .b16 %h<4>;\nld.param.u64 %rd, [out];\n" +
          body + "\nret;\n}\n",
      &ir, true);
  EXPECT_EQ(error.code, "") << error.message;
  return ir;
}

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST(CanonicalNaN, MovesKeepTheirBits) {
  std::string ir = cleaned(
      "ld.global.f32 %f1, [%rd]; mov.f32 %f2, %f1; copysign.f32 %f3, %f1, %f1; mov.b32 %r1, %f2; st.global.u32 [%rd], "
      "%r1; st.global.f32 [%rd+4], %f3;\n"
      "ld.global.b32 %r2, [%rd+8]; mov.b32 %f4, %r2; st.global.f32 [%rd+12], %f4;");
  EXPECT_EQ(count(ir, "fcmp uno"), 0u) << ir;
  EXPECT_EQ(count(ir, "call float @ww.canonical"), 0u) << ir;
}

// neg and abs make a NaN of their own; the corrections are theirs, one each.
TEST(CanonicalNaN, SignsAreComputed) {
  std::string ir = cleaned(
      "ld.global.f32 %f1, [%rd]; neg.f32 %f2, %f1; abs.f32 %f3, %f1; st.global.f32 [%rd], %f2; st.global.f32 [%rd+4], "
      "%f3;");
  EXPECT_EQ(count(ir, "fcmp uno"), 2u) << ir;
}

TEST(CanonicalNaN, LoopsPayNothing) {
  std::string ir = cleaned(
      "ld.global.f32 %f1, [%rd]; mov.f32 %f2, 0f00000000; mov.u32 %r1, 0;\n"
      "LOOP: fma.rn.f32 %f2, %f1, %f1, %f2; mul.f32 %f1, %f1, %f2; add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 100; @%p "
      "bra LOOP;\n"
      "st.global.f32 [%rd], %f2;");
  // One correction, before the store.
  EXPECT_EQ(count(ir, "fcmp uno"), 1u) << ir;
}

TEST(CanonicalNaN, AChoiceCorrectsItsComputedArm) {
  std::string ir = cleaned(
      "ld.global.f32 %f1, [%rd]; add.f32 %f2, %f1, %f1; ld.global.u32 %r1, [%rd]; setp.eq.u32 %p, %r1, 3; selp.f32 "
      "%f3, %f1, %f2, %p; st.global.f32 [%rd], %f3;");
  EXPECT_EQ(count(ir, "fcmp uno"), 1u) << ir;
}

TEST(CanonicalNaN, OneValueIsCorrectedOnce) {
  std::string ir = cleaned(
      "ld.global.f32 %f1, [%rd]; add.f32 %f2, %f1, %f1; st.global.f32 [%rd], %f2; st.global.f32 [%rd+4], %f2; mov.b32 "
      "%r1, %f2; st.global.u32 [%rd+8], %r1;");
  EXPECT_EQ(count(ir, "fcmp uno"), 1u) << ir;
}

}  // namespace
}  // namespace warpwise::simt::test
