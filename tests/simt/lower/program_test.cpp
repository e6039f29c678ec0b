// Memory, control flow, calls, atomics and warp collectives: whole small kernels.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scalar_jit.h"

namespace warpwise::simt::test {
namespace {

std::string module_of(const std::string& text) { return ".version 8.5\n.target sm_90a\n.address_size 64\n" + text; }

// A kernel with a pointer parameter, registers %r (b32), %rd (b64), %f, %p of each kind, around `body`.
std::string kernel_of(const std::string& body, const std::string& before = "") {
  return module_of(before +
                   "\n.visible .entry k(.param .u64 out)\n{\n"
                   "  .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<8>; .reg .pred %p<4>;\n"
                   "  ld.param.u64 %rd0, [out];\n" +
                   body + "\n  ret;\n}\n");
}

// Runs the body; `words` is what %rd0 points to.
std::vector<uint32_t> run(const std::string& body, std::vector<uint32_t> words = std::vector<uint32_t>(8),
                          const std::string& before = "") {
  auto kernel = Kernel::compile(kernel_of(body, before));
  alignas(16) uint32_t memory[16] = {};
  std::copy(words.begin(), words.end(), memory);
  kernel->parameters[0] = reinterpret_cast<uint64_t>(memory);
  kernel->run();
  return {memory, memory + words.size()};
}
uint32_t run1(const std::string& body, const std::string& before = "") { return run(body, {0}, before)[0]; }

using Words = std::vector<uint32_t>;

// --- memory ---

TEST(Memory, NarrowLoadsExtend) {
  EXPECT_EQ(
      run("ld.global.s8 %r1, [%rd0]; ld.global.u8 %r2, [%rd0]; ld.global.s16 %r3, [%rd0]; ld.global.u16 %r4, [%rd0];\n"
          "st.global.v4.b32 [%rd0], {%r1, %r2, %r3, %r4};",
          {0xfff0u, 0, 0, 0}),
      (Words{0xfffffff0, 0xf0, 0xfffffff0, 0xfff0}));
  EXPECT_EQ(run("mov.b32 %r1, 0x12345678; st.global.u8 [%rd0+1], %r1; st.global.u16 [%rd0+2], %r1;", {0}),
            Words{0x56787800});
}

TEST(Memory, VectorsAndOverlap) {
  EXPECT_EQ(run("ld.global.v2.b64 {%rd1, %rd2}, [%rd0]; st.global.v2.u64 [%rd0], {%rd2, %rd1};", {1, 2, 3, 4}),
            (Words{3, 4, 1, 2}));
  // The address register is among the destinations.
  EXPECT_EQ(run("mov.u64 %rd1, %rd0; st.global.u64 [%rd0+8], 7; ld.global.v2.b64 {%rd0, %rd2}, [%rd0]; st.global.u64 "
                "[%rd1], %rd2;",
                {1, 0, 0, 0})[0],
            7u);
  EXPECT_EQ(
      run("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd0]; st.global.v2.f32 [%rd0], {%f4, %f3};", {1, 2, 0x7fc12345, 4}),
      (Words{4, 0x7fc12345, 0x7fc12345, 4}));
}

TEST(Memory, VectorRegisters) {
  EXPECT_EQ(run(".reg .v4 .b32 %v; .reg .v2 .f32 %w; ld.global.v4.b32 %v, [%rd0]; ld.global.v2.f32 %w, [%rd0+8]; "
                "add.u32 %r1, %v.y, %v.w;\n"
                "st.global.v2.f32 [%rd0], %w; st.global.u32 [%rd0+8], %r1;",
                {1, 2, 3, 4}),
            (Words{3, 4, 6, 4}));
}

TEST(Memory, SharedLocalConstGlobal) {
  EXPECT_EQ(run1(".shared .align 4 .b8 s[64];\n mov.u32 %r1, s; st.shared.u32 [%r1+8], 5; ld.shared.u32 %r2, [s+8]; "
                 "st.global.u32 [%rd0], %r2;"),
            5u);
  EXPECT_EQ(run1(".local .align 8 .b8 l[32];\n mov.u64 %rd1, l; cvta.local.u64 %rd2, %rd1; st.u32 [%rd2+4], 9; "
                 "ld.local.u32 %r2, [l+4]; st.global.u32 [%rd0], %r2;"),
            9u);
  EXPECT_EQ(run1("mov.u64 %rd1, g; st.u32 [%rd1+16], 11; ld.global.u32 %r1, [g+16]; ld.const.u32 %r2, [c]; add.u32 "
                 "%r1, %r1, %r2; st.global.u32 [%rd0], %r1;",
                 ".global .align 4 .b8 g[64];\n.const .u32 c = 3;"),
            11u);
  EXPECT_EQ(run1("mov.u32 %r1, dyn; st.shared.u32 [dyn+4], 3; ld.shared.u32 %r2, [%r1+4]; add.u32 %r2, %r2, %r1; "
                 "st.global.u32 [%rd0], %r2;",
                 ".shared .align 4 .b8 fixed[20];\n.extern .shared .align 16 .b8 dyn[];"),
            3u + 0u);
}

TEST(Memory, Windows) {
  EXPECT_EQ(run1(".shared .align 4 .b8 s[64];\n mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1; isspacep.shared %p1, "
                 "%rd2; isspacep.global %p2, %rd0;\n"
                 "cvta.to.shared.u64 %rd3, %rd2; sub.u64 %rd3, %rd3, %rd1; cvt.u32.u64 %r3, %rd3;\n"
                 "selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; "
                 "st.global.u32 [%rd0], %r1;"),
            3u);
}

TEST(Memory, VolatileAndOrderedAccessesWork) {
  EXPECT_EQ(run("ld.volatile.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, 1; st.release.gpu.global.u32 [%rd0], %r1; "
                "ld.acquire.sys.global.u32 %r2, [%rd0];\n"
                "fence.acq_rel.gpu; membar.gl; st.volatile.global.u32 [%rd0+4], %r2; ld.relaxed.cta.global.f32 %f1, "
                "[%rd0]; st.relaxed.gpu.global.f32 [%rd0+8], %f1;",
                {4, 0, 0}),
            (Words{5, 5, 5}));
  std::string ir;
  ASSERT_EQ(
      Kernel::try_lower(kernel_of("ld.acquire.gpu.global.u32 %r1, [%rd0]; st.global.v2.u32 [%rd0], {%r1, %r1};"), &ir)
          .code,
      "");
  EXPECT_NE(ir.find("load atomic i32"), std::string::npos) << ir;
  EXPECT_NE(ir.find("acquire, align 4"), std::string::npos) << ir;
  EXPECT_NE(ir.find("!ww.group"), std::string::npos) << ir;
}

// --- moves ---

TEST(Move, PackingAndSelecting) {
  EXPECT_EQ(run("mov.b64 %rd1, {1, 2}; mov.b64 {%r1, %r2}, %rd1; mov.b32 %r3, {%h1, %h2}; st.global.v2.u32 [%rd0], "
                "{%r2, %r1};",
                {0, 0}),
            (Words{2, 1}));
  EXPECT_EQ(run1("mov.b16 %h1, 0x1234; mov.b16 %h2, 0x5678; mov.b32 %r1, {%h1, %h2}; st.global.u32 [%rd0], %r1;"),
            0x56781234u);
  EXPECT_EQ(run1("mov.b32 {_, %h1}, 0xabcd0123; cvt.u32.u16 %r1, %h1; st.global.u32 [%rd0], %r1;"), 0xabcdu);
  EXPECT_EQ(run1("mov.f32 %f1, 0f3F800000; mov.b32 %r1, %f1; st.global.u32 [%rd0], %r1;"), 0x3f800000u);
  EXPECT_EQ(
      run1("mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r1, %r1, 1000, %r2; st.global.u32 [%rd0], %r1;"),
      5032u);
}

// Every selector of the default mode, and the manual's tables of the others (9.7.9.7).
TEST(Move, Permute) {
  Instruction prmt("prmt.b32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"});
  uint64_t a = 0x83726150, b = 0xf7e6d5c4, bytes = b << 32 | a;
  for (uint32_t c = 0; c < 0x10000; c += 13) {
    uint32_t expected = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned s = c >> 4 * i & 15;
      uint32_t byte = bytes >> 8 * (s & 7) & 255;
      if (s & 8) byte = byte & 128 ? 255 : 0;
      expected |= byte << 8 * i;
    }
    ASSERT_EQ(prmt(a, b, c), expected) << c;
  }
  struct Mode {
    const char* name;
    std::array<uint16_t, 4> bytes;  // the byte numbers as hex digits, for c = 0 to 3
  };
  const Mode kModes[] = {{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
                         {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
                         {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  for (const Mode& mode : kModes) {
    Instruction inst(fmt::format("prmt.b32.{} %d, %a, %b, %c;", mode.name), "b32", {"b32", "b32", "b32"});
    for (unsigned c = 0; c < 4; ++c) {
      uint32_t expected = 0;
      for (unsigned i = 0; i < 4; ++i) expected |= (bytes >> 8 * (mode.bytes[c] >> 4 * i & 15) & 255) << 8 * i;
      ASSERT_EQ(inst(a, b, c), expected) << mode.name << c;
    }
  }
}

// --- comparison ---

TEST(Compare, FloatsWithNaN) {
  struct Case {
    const char* name;
    bool (*is)(float, float);
  };
  const Case kCases[] = {{"eq", [](float a, float b) { return a == b; }},
                         {"ne", [](float a, float b) { return a < b || a > b; }},
                         {"lt", [](float a, float b) { return a < b; }},
                         {"le", [](float a, float b) { return a <= b; }},
                         {"gt", [](float a, float b) { return a > b; }},
                         {"ge", [](float a, float b) { return a >= b; }},
                         {"equ", [](float a, float b) { return !(a < b || a > b); }},
                         {"neu", [](float a, float b) { return !(a == b); }},
                         {"ltu", [](float a, float b) { return !(a >= b); }},
                         {"leu", [](float a, float b) { return !(a > b); }},
                         {"gtu", [](float a, float b) { return !(a <= b); }},
                         {"geu", [](float a, float b) { return !(a < b); }},
                         {"num", [](float a, float b) { return a == a && b == b; }},
                         {"nan", [](float a, float b) { return a != a || b != b; }}};
  std::vector<uint64_t> samples = float_samples(32, 96);
  for (const Case& test : kCases) {
    Instruction inst(fmt::format("setp.{}.f32 %d, %a, %b;", test.name), "pred", {"f32", "f32"});
    for (uint64_t a : samples) {
      for (uint64_t b : samples)
        ASSERT_EQ(inst(a, b), uint64_t{test.is(f32(a), f32(b))}) << test.name << f32(a) << " " << f32(b);
    }
  }
}

TEST(Compare, Integers) {
  Instruction lt("setp.lt.s32 %d, %a, %b;", "pred", {"s32", "s32"}),
      lo("setp.lo.u32 %d, %a, %b;", "pred", {"u32", "u32"}), hs("setp.hs.u64 %d, %a, %b;", "pred", {"u64", "u64"}),
      ge("setp.ge.s16 %d, %a, %b;", "pred", {"s16", "s16"});
  for (uint64_t a : integer_samples(32, 40, 1)) {
    for (uint64_t b : integer_samples(32, 40, 2)) {
      ASSERT_EQ(lt(a, b), uint64_t{int32_t(a) < int32_t(b)});
      ASSERT_EQ(lo(a, b), uint64_t{a < b});
      ASSERT_EQ(hs(a, b), uint64_t{a >= b});
      ASSERT_EQ(ge(a & 0xffff, b & 0xffff), uint64_t{int16_t(a) >= int16_t(b)});
    }
  }
}

TEST(Compare, TwoResultsAndThirdOperand) {
  // p|q with a boolean operator; q is the opposite comparison, combined likewise.
  EXPECT_EQ(run("setp.eq.u32 %p3, 1, 1; setp.lt.and.s32 %p1|%p2, 1, 2, !%p3; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, "
                "0, %p2;\n"
                "setp.lt.or.s32 %p1|%p2, 1, 2, %p3; selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, 1, 0, %p2; st.global.v4.u32 "
                "[%rd0], {%r1, %r2, %r3, %r4};",
                Words(4)),
            (Words{0, 0, 1, 1}));
  EXPECT_EQ(run("mov.b32 %r1, 0x3c004000; mov.b32 %r2, 0x3c003c00; setp.gt.f16x2 %p1|%p2, %r1, %r2; selp.u32 %r3, 1, "
                "0, %p1; selp.u32 %r4, 1, 0, %p2;\n"
                "set.eq.f16x2.f16x2 %r5, %r1, %r2; set.gt.u32.f16x2 %r6, %r1, %r2; st.global.v4.u32 [%rd0], {%r3, %r4, "
                "%r5, %r6};",
                Words(4)),
            (Words{1, 0, 0x3c000000, 0x0000ffff}));
  EXPECT_EQ(Instruction("set.lt.f32.s32 %d, %a, %b;", "f32", {"s32", "s32"})(uint32_t(-1), 0), bits(1.0f));
  EXPECT_EQ(Instruction("set.geu.u32.f64 %d, %a, %b;", "u32", {"f64", "f64"})(bits(1.0), bits(double(NAN))),
            0xffffffffu);
  EXPECT_EQ(Instruction("slct.u32.f32 %d, 1, 2, %a;", "u32", {"f32"})(bits(-0.0f)), 1u);
  EXPECT_EQ(Instruction("slct.u32.f32 %d, 1, 2, %a;", "u32", {"f32"})(0x7fc00000), 2u);
  EXPECT_EQ(Instruction("slct.u32.s32 %d, 1, 2, %a;", "u32", {"s32"})(uint32_t(-1)), 2u);
}

// --- control ---

TEST(Control, LoopsAndGuards) {
  EXPECT_EQ(run1("mov.u32 %r1, 0; mov.u32 %r2, 0;\nLOOP: add.u32 %r2, %r2, %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, "
                 "%r1, 10; @%p1 bra LOOP;\n"
                 "@!%p1 st.global.u32 [%rd0], %r2; @%p1 st.global.u32 [%rd0], 1; @%p1 exit;"),
            45u);
  EXPECT_EQ(run1("setp.eq.u32 %p1, 1, 2; mov.u32 %r1, 5; @%p1 mov.u32 %r1, 6; @!%p1 add.u32 %r1, %r1, 1; st.global.u32 "
                 "[%rd0], %r1;"),
            6u);
}

TEST(Control, BranchTable) {
  auto choose = [](int index) {
    return run1(fmt::format(
        "mov.u32 %r1, {};\n ts: .branchtargets A, B, C;\n brx.idx %r1, ts;\n"
        "A: st.global.u32 [%rd0], 10; ret;\nB: st.global.u32 [%rd0], 20; ret;\nC: st.global.u32 [%rd0], 30;",
        index));
  };
  EXPECT_EQ(choose(0), 10u);
  EXPECT_EQ(choose(1), 20u);
  EXPECT_EQ(choose(2), 30u);
}

const char kFunctions[] = R"(
.func (.param .b32 result) twice(.param .b32 x) {
  .reg .b32 %a;
  ld.param.b32 %a, [x];
  add.u32 %a, %a, %a;
  st.param.b32 [result], %a;
  ret;
}
.func (.param .b32 result) square(.param .b32 x) {
  .reg .b32 %a;
  ld.param.b32 %a, [x];
  mul.lo.u32 %a, %a, %a;
  st.param.b32 [result], %a;
  ret;
}
.func (.reg .u32 result) registers(.reg .u32 x, .reg .u32 y) {
  sub.u32 result, x, y;
  ret;
}
.func (.param .b32 result) factorial(.param .b32 n) {
  .reg .b32 %n, %r;
  .reg .pred %p;
  .local .align 4 .b8 slot[4];
  ld.param.b32 %n, [n];
  st.local.u32 [slot], %n;
  mov.u32 %r, 1;
  setp.lt.u32 %p, %n, 2;
  @%p bra DONE;
  { .param .b32 arg; .param .b32 ret0;
    sub.u32 %r, %n, 1;
    st.param.b32 [arg], %r;
    call.uni (ret0), factorial, (arg);
    ld.param.b32 %r, [ret0]; }
  ld.local.u32 %n, [slot];
  mul.lo.u32 %r, %r, %n;
DONE:
  st.param.b32 [result], %r;
  ret;
}
.func (.param .b32 result) pick(.param .align 8 .b8 s[16], .param .b32 index) {
  .reg .b64 %a, %o; .reg .b32 %i;
  mov.b64 %a, s;
  ld.param.u32 %i, [index];
  mul.wide.u32 %o, %i, 4;
  add.u64 %a, %a, %o;
  ld.param.u32 %i, [%a];
  st.param.b32 [result], %i;
  ret;
}
.func leave() { exit; }
)";

TEST(Control, Calls) {
  EXPECT_EQ(run1("{ .param .b32 x; .param .b32 y; st.param.b32 [x], 21; call.uni (y), twice, (x); ld.param.b32 %r1, "
                 "[y]; }\n st.global.u32 [%rd0], %r1;",
                 kFunctions),
            42u);
  EXPECT_EQ(run1("call.uni (%r1), registers, (%r2, 5);\n st.global.u32 [%rd0], 0; mov.u32 %r2, 12; call (%r1), "
                 "registers, (%r2, 5); st.global.u32 [%rd0], %r1;",
                 kFunctions),
            7u);
  EXPECT_EQ(run1("{ .param .b32 x; .param .b32 y; st.param.b32 [x], 6; call.uni (y), factorial, (x); ld.param.b32 %r1, "
                 "[y]; }\n st.global.u32 [%rd0], %r1;",
                 kFunctions),
            720u);
  EXPECT_EQ(run1("{ .param .align 8 .b8 s[16]; .param .b32 i; .param .b32 y; st.param.v4.b32 [s], {10, 11, 12, 13}; "
                 "st.param.b32 [i], 2;\n"
                 "call.uni (y), pick, (s, i); ld.param.b32 %r1, [y]; }\n st.global.u32 [%rd0], %r1;",
                 kFunctions),
            12u);
}

TEST(Control, IndirectCallsAndExit) {
  auto through = [](const char* function) {
    return run1(fmt::format("mov.u64 %rd1, {};\n {{ .param .b32 x; .param .b32 y; st.param.b32 [x], 9;\n proto: "
                            ".callprototype (.param .b32 _) _ (.param .b32 _);\n"
                            "call (y), %rd1, (x), proto; ld.param.b32 %r1, [y]; }}\n st.global.u32 [%rd0], %r1;\n "
                            "mov.u64 %rd2, twice; mov.u64 %rd3, square;",
                            function),
                kFunctions);
  };
  EXPECT_EQ(through("twice"), 18u);
  EXPECT_EQ(through("square"), 81u);
  // exit in a function ends the thread.
  EXPECT_EQ(run1("st.global.u32 [%rd0], 1; call.uni leave; st.global.u32 [%rd0], 2;", kFunctions), 1u);
}

TEST(Control, Services) {
  calls().clear();
  EXPECT_EQ(run1("mov.u64 %rd1, text; { .param .b64 p; .param .b64 q; .param .b32 y; st.param.b64 [p], text_address; "
                 "st.param.b64 [q], 0; }\n"
                 "{ .param .b64 n; .param .b64 y; st.param.b64 [n], 64; call.uni (y), malloc, (n); ld.param.b64 %rd2, "
                 "[y]; cvt.u32.u64 %r1, %rd2; }\n st.global.u32 [%rd0], %r1;",
                 ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.global .b8 text[4];\n.global .b64 "
                 "text_address_dummy;\n.const .b32 unused;\n.global .b64 text_address;"),
            4096u);
  EXPECT_EQ(calls(), std::vector<std::string>{"ww.malloc 64"});
}

TEST(Control, StackAllocation) {
  EXPECT_EQ(run1("mov.u64 %rd1, 24; alloca.u64 %rd2, %rd1; alloca.u64 %rd3, %rd1, 16; st.local.u32 [%rd2], 1; "
                 "st.local.u32 [%rd3], 2;\n"
                 "ld.local.u32 %r1, [%rd2]; sub.u64 %rd4, %rd3, %rd2; cvt.u32.u64 %r2, %rd4; add.u32 %r1, %r1, %r2; "
                 "st.global.u32 [%rd0], %r1;"),
            33u);
}

// --- atomics ---

TEST(Atomics, Integers) {
  EXPECT_EQ(run("atom.global.add.u32 %r1, [%rd0], 5; atom.global.max.s32 %r2, [%rd0+4], 3; atom.global.inc.u32 %r3, "
                "[%rd0+8], 7; atom.global.cas.b32 %r4, [%rd0+12], 4, 9;\n"
                "st.global.v4.u32 [%rd0+16], {%r1, %r2, %r3, %r4};",
                {1, 0xffffffff, 7, 4, 0, 0, 0, 0}),
            (Words{6, 3, 0, 9, 1, 0xffffffff, 7, 4}));
  EXPECT_EQ(run("red.global.dec.u32 [%rd0], 5; red.global.and.b32 [%rd0+4], 12; red.relaxed.gpu.global.xor.b32 "
                "[%rd0+8], 1; red.global.min.u32 [%rd0+12], 2;",
                {0, 10, 3, 0xffffffff}),
            (Words{5, 8, 2, 2}));
  EXPECT_EQ(run("atom.acq_rel.sys.global.exch.b64 %rd1, [%rd0], 77; st.global.u64 [%rd0+8], %rd1;", {5, 6, 0, 0}),
            (Words{77, 0, 5, 6}));
  EXPECT_EQ(run(".shared .u32 s; st.shared.u32 [s], 4; atom.shared.add.u32 %r1, [s], 3; ld.shared.u32 %r2, [s]; "
                "st.global.v2.u32 [%rd0], {%r1, %r2};",
                {0, 0}),
            (Words{4, 7}));
}

TEST(Atomics, Floats) {
  uint32_t one = 0x3f800000, two = 0x40000000, three = 0x40400000;
  EXPECT_EQ(
      run("mov.f32 %f1, 0f40000000; atom.global.add.f32 %f2, [%rd0], %f1; st.global.f32 [%rd0+4], %f2;", {one, 0}),
      (Words{three, one}));
  EXPECT_EQ(run("mov.b32 %r1, 0x3c004000; atom.global.add.noftz.f16x2 %r2, [%rd0], %r1; st.global.u32 [%rd0+4], %r2;",
                {0x3c003c00, 0}),
            (Words{0x40004200, 0x3c003c00}));
  EXPECT_EQ(run("mov.b16 %h1, 0x3f80; red.global.add.noftz.bf16 [%rd0], %h1;", {0x3f80}), Words{0x4000});
  EXPECT_EQ(run("mov.f32 %f1, 0f3F800000; red.global.add.v2.f32 [%rd0], {%f1, %f1};", {one, two}), (Words{two, three}));
  EXPECT_EQ(run("mov.b32 %r1, 0x3c004000; red.global.max.noftz.v2.f16x2 [%rd0], {%r1, %r1};", {0x40003c00, 0}),
            (Words{0x40004000, 0x3c004000}));
}

// --- other lanes ---

TEST(Warp, CallsOfTheDialect) {
  calls().clear();
  Words result =
      run("shfl.sync.up.b32 %r1|%p1, 7, 1, 0, -1; selp.u32 %r2, 1, 0, %p1; redux.sync.max.s32 %r3, 9, -1; "
          "vote.sync.ballot.b32 %r4, %p1, 15;\n"
          "bar.sync 1, 64; barrier.sync 2; bar.arrive 3, 96; bar.red.popc.u32 %r5, 4, 64, %p1; bar.red.and.pred %p2, "
          "5, !%p1; bar.warp.sync 3; nanosleep.u32 20;\n"
          "st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};",
          Words(4));
  EXPECT_EQ(result, (Words{8, 1, 9, 15}));
  EXPECT_EQ(calls(),
            (std::vector<std::string>{"ww.shfl.up 7 1 0 4294967295", "ww.redux 4 9 4294967295", "ww.barrier.sync 1 64",
                                      "ww.barrier.sync 2 0", "ww.barrier.arrive 3 96", "ww.barrier.red 4 64 0 true",
                                      "ww.barrier.red 5 0 1 false", "ww.bar.warp.sync 3", "ww.nanosleep 20"}));
}

TEST(Warp, TrapEndsTheThread) {
  calls().clear();
  EXPECT_EQ(run1("st.global.u32 [%rd0], 1; trap; st.global.u32 [%rd0], 2;"), 1u);
  EXPECT_EQ(calls(), std::vector<std::string>{"ww.trap"});
}

// --- video ---

TEST(Video, Scalar) {
  EXPECT_EQ(Instruction("vadd.s32.s32.s32.sat %d, %a, %b;", "b32", {"b32", "b32"})(0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(Instruction("vsub.s32.u32.u32 %d, %a.b1, %b.h1;", "b32", {"b32", "b32"})(0x00001200, 0x00150000),
            0xfffffffdu);
  EXPECT_EQ(Instruction("vabsdiff.u32.s32.s32.add %d, %a.b0, %b.b0, %c;", "b32", {"b32", "b32", "b32"})(0xff, 4, 100),
            105u);
  EXPECT_EQ(
      Instruction("vmax.s32.s32.s32 %d.b2, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(5, uint32_t(-3), 0x11223344),
      0x11053344u);
  EXPECT_EQ(Instruction("vshl.u32.u32.u32.clamp %d, %a, %b;", "b32", {"b32", "b32"})(3, 99), 0u);
  EXPECT_EQ(Instruction("vshr.s32.s32.u32.wrap %d, %a, %b;", "b32", {"b32", "b32"})(0x80000000, 33), 0xc0000000u);
  EXPECT_EQ(Instruction("vmad.s32.s32.s32.po %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(3, uint32_t(-5), 4),
            uint32_t(-10));
  EXPECT_EQ(Instruction("vmad.u32.u32.u32.shr7 %d, %a.h0, %b.h0, %c;", "b32", {"b32", "b32", "b32"})(0x200, 0x10, 128),
            65u);
  EXPECT_EQ(Instruction("vset.s32.s32.lt %d, %a, %b;", "b32", {"b32", "b32"})(uint32_t(-1), 0), 1u);
}

TEST(Video, Simd) {
  EXPECT_EQ(
      Instruction("vadd4.u32.u32.u32.sat %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(0xff010203, 0x01010101, 0),
      0xff020304u);
  EXPECT_EQ(Instruction("vsub2.s32.s32.s32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(0x00050001, 0x00020003, 0),
            0x0003fffeu);
  EXPECT_EQ(Instruction("vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(0x01020304,
                                                                                                   0x04030201, 10),
            18u);
  EXPECT_EQ(Instruction("vavrg4.u32.u32.u32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(0x01020304, 0x02020202, 0),
            0x02020303u);
  EXPECT_EQ(Instruction("vmin2.s32.s32.s32 %d.h0, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(0x0001ffff, 0x00020001,
                                                                                              0xaaaabbbb),
            0xaaaaffffu);
  EXPECT_EQ(Instruction("vset4.u32.u32.ne %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"})(0x01020304, 0x01000300, 0),
            0x00010001u);
}

// --- refusals ---

TEST(Refusals, NameTheInstructionAndTheLine) {
  Error error = Kernel::try_lower(
      kernel_of("{ .reg .b64 %x; .reg .b32 %n; tex.2dms.v4.u32.s32 {%n, %n, %n, %n}, [%x, {%n, %n, %n, %n}]; }"));
  EXPECT_EQ(error.code, "P0900");
  EXPECT_NE(error.message.find("`tex`"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("test.ptx:"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace warpwise::simt::test
