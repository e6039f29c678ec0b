// Integer, extended-precision, logic and shift instructions against plain C++.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "scalar_jit.h"

namespace warpwise::simt::test {
namespace {

using Function = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;
__extension__ using Int128 = __int128;

uint64_t mask(unsigned width) { return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
int64_t sign(uint64_t v, unsigned width) { return static_cast<int64_t>(v << (64 - width)) >> (64 - width); }

unsigned width_of(const std::string& type) { return std::stoi(type.substr(1)); }

// `opcode d, a, b, c` over samples of the given operand types, against f, whose result is cut to d's width.
void check(const std::string& opcode, const std::string& d, const std::vector<std::string>& types, const Function& f) {
  std::string text = opcode + " %d";
  for (size_t k = 0; k < types.size(); ++k) text += std::string(", %") + "abce"[k];
  Instruction inst(text + ";", d, types);
  std::vector<std::vector<uint64_t>> samples;
  for (size_t k = 0; k < 3; ++k)
    samples.push_back(integer_samples(k < types.size() ? width_of(types[k]) : 32, 80, k + 1));
  for (size_t k = 0; k < 6400; ++k) {
    if (types.size() == 1 && k >= 80) break;
    std::vector<uint64_t> in{samples[0][k % 80], samples[1][(k / 80) % 80], samples[2][(k * 7 + k / 80) % 80]};
    uint64_t expected = f(in[0], in[1], in[2]) & mask(width_of(d));
    in.resize(types.size());
    uint64_t got = inst.evaluate(in);
    ASSERT_EQ(got, expected) << text
                             << fmt::format(" of {:#x} {:#x} {:#x}", in[0], in.size() > 1 ? in[1] : 0,
                                            in.size() > 2 ? in[2] : 0);
  }
}

// For .u16 … .s64: f gets values extended to 128 bits and the width.
using WideFunction = std::function<Int128(Int128, Int128, Int128, unsigned)>;
void check_all(const std::string& opcode, unsigned operands, const WideFunction& f,
               std::vector<std::string> types = {"u16", "u32", "u64", "s16", "s32", "s64"}) {
  for (const std::string& type : types) {
    unsigned width = width_of(type);
    auto wide = [&](uint64_t v) { return type[0] == 's' ? Int128(sign(v, width)) : Int128(v); };
    check(opcode + "." + type, type, std::vector<std::string>(operands, type), [&](uint64_t a, uint64_t b, uint64_t c) {
      return static_cast<uint64_t>(f(wide(a), wide(b), wide(c), width));
    });
  }
}

// Of a product or a sum only the low 128 bits matter, and those of two u64 do not fit a signed number.
Int128 times(Int128 a, Int128 b) {
  return static_cast<Int128>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}
Int128 plus(Int128 a, Int128 b) {
  return static_cast<Int128>(static_cast<unsigned __int128>(a) + static_cast<unsigned __int128>(b));
}

Int128 clamped(Int128 v) { return std::clamp<Int128>(v, INT32_MIN, INT32_MAX); }

TEST(Integer, AddSubtractMultiply) {
  check_all("add", 2, [](Int128 a, Int128 b, Int128, unsigned) { return a + b; });
  check_all("sub", 2, [](Int128 a, Int128 b, Int128, unsigned) { return a - b; });
  check_all("mul.lo", 2, [](Int128 a, Int128 b, Int128, unsigned) { return times(a, b); });
  check_all("mul.hi", 2, [](Int128 a, Int128 b, Int128, unsigned w) { return times(a, b) >> w; });
  check_all("mad.lo", 3, [](Int128 a, Int128 b, Int128 c, unsigned) { return plus(times(a, b), c); });
  check_all("mad.hi", 3, [](Int128 a, Int128 b, Int128 c, unsigned w) { return (times(a, b) >> w) + c; });
  check_all("add.sat", 2, [](Int128 a, Int128 b, Int128, unsigned) { return clamped(a + b); }, {"s32"});
  check_all("sub.sat", 2, [](Int128 a, Int128 b, Int128, unsigned) { return clamped(a - b); }, {"s32"});
  check_all("mad.hi.sat", 3, [](Int128 a, Int128 b, Int128 c, unsigned) { return clamped(((a * b) >> 32) + c); },
            {"s32"});
}

TEST(Integer, Wide) {
  check("mul.wide.u16", "u32", {"u16", "u16"}, [](uint64_t a, uint64_t b, uint64_t) { return a * b; });
  check("mul.wide.s32", "s64", {"s32", "s32"},
        [](uint64_t a, uint64_t b, uint64_t) { return sign(a, 32) * sign(b, 32); });
  check("mad.wide.u32", "u64", {"u32", "u32", "u64"}, [](uint64_t a, uint64_t b, uint64_t c) { return a * b + c; });
  check("mad.wide.s16", "s32", {"s16", "s16", "s32"},
        [](uint64_t a, uint64_t b, uint64_t c) { return sign(a, 16) * sign(b, 16) + c; });
}

TEST(Integer, TwentyFourBits) {
  auto low = [](uint64_t v) { return sign(v, 24); };
  check("mul24.lo.u32", "u32", {"u32", "u32"},
        [](uint64_t a, uint64_t b, uint64_t) { return (a & 0xffffff) * (b & 0xffffff); });
  check("mul24.hi.s32", "s32", {"s32", "s32"},
        [&](uint64_t a, uint64_t b, uint64_t) { return (low(a) * low(b)) >> 16; });
  check("mad24.lo.s32", "s32", {"s32", "s32", "s32"},
        [&](uint64_t a, uint64_t b, uint64_t c) { return low(a) * low(b) + c; });
  check("mad24.hi.sat.s32", "s32", {"s32", "s32", "s32"}, [&](uint64_t a, uint64_t b, uint64_t c) {
    return static_cast<uint64_t>(clamped(sign((low(a) * low(b)) >> 16, 32) + sign(c, 32)));
  });
}

// Division by zero gives all ones; the lowest number by -1 wraps.
TEST(Integer, DivideAndRemainder) {
  check_all("div", 2, [](Int128 a, Int128 b, Int128, unsigned) { return b ? a / b : -1; });
  check_all("rem", 2, [](Int128 a, Int128 b, Int128, unsigned) { return b ? a % b : -1; });
}
TEST(Integer, DivideByConstants) {
  for (const char* divisor : {"3", "-7", "1", "65536", "0"}) {
    int32_t d = std::stoi(divisor);
    Instruction inst(fmt::format("div.s32 %d, %a, {};", divisor), "s32", {"s32"});
    Instruction rem(fmt::format("rem.s32 %d, %a, {};", divisor), "s32", {"s32"});
    for (uint64_t a : integer_samples(32, 200)) {
      int64_t x = sign(a, 32);
      ASSERT_EQ(inst(a), uint32_t(d ? x / d : -1)) << x << divisor;
      ASSERT_EQ(rem(a), uint32_t(d ? x % d : -1)) << x << divisor;
    }
  }
}

TEST(Integer, SignsAndLimits) {
  check_all("abs", 1, [](Int128 a, Int128, Int128, unsigned) { return a < 0 ? -a : a; }, {"s16", "s32", "s64"});
  check_all("neg", 1, [](Int128 a, Int128, Int128, unsigned) { return -a; }, {"s16", "s32", "s64"});
  check_all("min", 2, [](Int128 a, Int128 b, Int128, unsigned) { return std::min(a, b); });
  check_all("max", 2, [](Int128 a, Int128 b, Int128, unsigned) { return std::max(a, b); });
  check_all("min.relu", 2, [](Int128 a, Int128 b, Int128, unsigned) { return std::max<Int128>(0, std::min(a, b)); },
            {"s32"});
  check_all("sad", 3, [](Int128 a, Int128 b, Int128 c, unsigned) { return c + (a < b ? b - a : a - b); });
}

template <class F>
uint64_t halves(uint64_t a, uint64_t b, F f) {
  return (f(a >> 16 & 0xffff, b >> 16 & 0xffff) & 0xffff) << 16 | (f(a & 0xffff, b & 0xffff) & 0xffff);
}

TEST(Integer, PairsOfHalves) {
  check("add.u16x2", "b32", {"b32", "b32"},
        [](uint64_t a, uint64_t b, uint64_t) { return halves(a, b, [](uint64_t x, uint64_t y) { return x + y; }); });
  check("min.s16x2", "b32", {"b32", "b32"}, [](uint64_t a, uint64_t b, uint64_t) {
    return halves(a, b, [](uint64_t x, uint64_t y) { return uint64_t(std::min(sign(x, 16), sign(y, 16))); });
  });
  check("max.u16x2", "b32", {"b32", "b32"}, [](uint64_t a, uint64_t b, uint64_t) {
    return halves(a, b, [](uint64_t x, uint64_t y) { return std::max(x, y); });
  });
  check("max.relu.s16x2", "b32", {"b32", "b32"}, [](uint64_t a, uint64_t b, uint64_t) {
    return halves(a, b,
                  [](uint64_t x, uint64_t y) { return uint64_t(std::max<int64_t>({0, sign(x, 16), sign(y, 16)})); });
  });
}

TEST(Integer, Bits) {
  check("popc.b32", "b32", {"b32"}, [](uint64_t a, uint64_t, uint64_t) { return std::popcount(a); });
  check("popc.b64", "b32", {"b64"}, [](uint64_t a, uint64_t, uint64_t) { return std::popcount(a); });
  check("clz.b32", "b32", {"b32"}, [](uint64_t a, uint64_t, uint64_t) { return std::countl_zero(uint32_t(a)); });
  check("clz.b64", "b32", {"b64"}, [](uint64_t a, uint64_t, uint64_t) { return std::countl_zero(a); });
  auto reverse = [](uint64_t a, unsigned w) {
    uint64_t r = 0;
    for (unsigned k = 0; k < w; ++k) r |= (a >> k & 1) << (w - 1 - k);
    return r;
  };
  check("brev.b32", "b32", {"b32"}, [&](uint64_t a, uint64_t, uint64_t) { return reverse(a, 32); });
  check("brev.b64", "b64", {"b64"}, [&](uint64_t a, uint64_t, uint64_t) { return reverse(a, 64); });
}

// The manual's loop (9.7.1.16).
TEST(Integer, FindBit) {
  for (std::string type : {"u32", "s32", "u64", "s64"}) {
    for (bool amount : {false, true}) {
      unsigned w = width_of(type);
      check(std::string("bfind") + (amount ? ".shiftamt." : ".") + type, "b32", {type},
            [&](uint64_t a, uint64_t, uint64_t) -> uint64_t {
              if (type[0] == 's' && sign(a, w) < 0) a = ~a & mask(w);
              for (int k = w - 1; k >= 0; --k) {
                if (a >> k & 1) return amount ? w - 1 - k : k;
              }
              return ~uint64_t{0};
            });
    }
  }
}

// The manual's loop (9.7.1.17).
TEST(Integer, FindNthSetBit) {
  Instruction fns("fns.b32 %d, %a, %b, %c;", "b32", {"b32", "b32", "s32"});
  for (uint64_t bits : integer_samples(32, 60)) {
    for (unsigned base = 0; base < 32; base += 3) {
      for (int offset = -33; offset <= 33; ++offset) {
        uint32_t expected = 0xffffffff;
        if (offset == 0) {
          if (bits >> base & 1) expected = base;
        } else {
          int count = std::abs(offset), step = offset > 0 ? 1 : -1;
          for (int pos = base; pos >= 0 && pos < 32; pos += step) {
            if ((bits >> pos & 1) && --count == 0) {
              expected = pos;
              break;
            }
          }
        }
        ASSERT_EQ(fns(bits, base, uint32_t(offset)), expected) << bits << " " << base << " " << offset;
      }
    }
  }
}

// The manual's pseudo-code (9.7.1.19, 9.7.1.20).
TEST(Integer, BitFields) {
  for (std::string type : {"u32", "s32", "u64", "s64"}) {
    int msb = width_of(type) - 1;
    check("bfe." + type, type, {type, "u32", "u32"}, [&](uint64_t a, uint64_t b, uint64_t c) {
      unsigned pos = b & 0xff, len = c & 0xff;
      uint64_t fill = type[0] == 'u' || len == 0 ? 0 : a >> std::min<int>(pos + len - 1, msb) & 1;
      uint64_t d = 0;
      for (int i = 0; i <= msb; ++i) d |= (i < int(len) && int(pos) + i <= msb ? a >> (pos + i) & 1 : fill) << i;
      return d;
    });
  }
  for (unsigned w : {32u, 64u}) {
    std::string b = "b" + std::to_string(w);
    Instruction bfi(fmt::format("bfi.{} %d, %a, %b, %c, %e;", b), b, {b, b, "u32", "u32"});
    for (uint64_t x : integer_samples(w, 40, 1)) {
      for (uint64_t y : integer_samples(w, 20, 2)) {
        for (unsigned pos : {0, 1, 7, 31, 32, 40, 63, 64, 255, 256}) {
          for (unsigned len : {0, 1, 5, 16, 31, 32, 33, 63, 64, 255}) {
            uint64_t expected = y;
            for (unsigned i = 0; i < len && (pos & 0xff) + i < w; ++i) {
              unsigned at = (pos & 0xff) + i;
              uint64_t bit = i < w ? x >> i & 1 : 0;
              expected = (expected & ~(uint64_t{1} << at)) | bit << at;
            }
            ASSERT_EQ(bfi(x, y, pos, len), expected) << fmt::format("{:#x} {:#x} {} {}", x, y, pos, len);
          }
        }
      }
    }
  }
}

TEST(Integer, Masks) {
  auto power = [](uint64_t n) { return n >= 32 ? 0 : uint64_t{1} << n; };
  check("bmsk.clamp.b32", "b32", {"b32", "b32"},
        [&](uint64_t a, uint64_t b, uint64_t) { return a >= 32 ? 0 : (power(std::min<uint64_t>(b, 32)) - 1) << a; });
  check("bmsk.wrap.b32", "b32", {"b32", "b32"},
        [&](uint64_t a, uint64_t b, uint64_t) { return (power(b & 31) - 1) << (a & 31); });
  for (bool wrap : {false, true}) {
    std::string mode = wrap ? "wrap" : "clamp";
    auto limit = [=](uint64_t n) { return wrap ? n & 31 : std::min<uint64_t>(n, 32); };
    check("szext." + mode + ".u32", "u32", {"u32", "u32"},
          [&](uint64_t a, uint64_t b, uint64_t) { return limit(b) == 32 ? a : a & (power(limit(b)) - 1); });
    check("szext." + mode + ".s32", "s32", {"s32", "u32"},
          [&](uint64_t a, uint64_t b, uint64_t) { return limit(b) ? uint64_t(sign(a, limit(b))) : 0; });
  }
}

TEST(Integer, DotProducts) {
  auto byte = [](uint64_t v, int k, bool s) { return s ? int64_t(int8_t(v >> 8 * k)) : int64_t(uint8_t(v >> 8 * k)); };
  auto half = [](uint64_t v, int k, bool s) {
    return s ? int64_t(int16_t(v >> 16 * k)) : int64_t(uint16_t(v >> 16 * k));
  };
  for (bool as : {false, true}) {
    for (bool bs : {false, true}) {
      std::string suffix = fmt::format("{}.{}", as ? "s32" : "u32", bs ? "s32" : "u32");
      check("dp4a." + suffix, "b32", {"b32", "b32", "b32"}, [&](uint64_t a, uint64_t b, uint64_t c) {
        for (int k = 0; k < 4; ++k) c += byte(a, k, as) * byte(b, k, bs);
        return c;
      });
      for (int high : {0, 1}) {
        check(fmt::format("dp2a.{}.{}", high ? "hi" : "lo", suffix), "b32", {"b32", "b32", "b32"},
              [&](uint64_t a, uint64_t b, uint64_t c) {
                for (int k = 0; k < 2; ++k) c += half(a, k, as) * byte(b, 2 * high + k, bs);
                return c;
              });
      }
    }
  }
}

// --- extended precision ---

TEST(Extended, CarryChains) {
  // 64-bit sums and products out of 32-bit pieces.
  Instruction add(
      "{ .reg .b32 %l, %h, %x, %y, %u, %v;\n mov.b64 {%x, %y}, %a; mov.b64 {%u, %v}, %b;\n"
      " add.cc.u32 %l, %x, %u; addc.u32 %h, %y, %v; mov.b64 %d, {%l, %h}; }",
      "b64", {"b64", "b64"});
  Instruction sub(
      "{ .reg .b32 %l, %h, %x, %y, %u, %v;\n mov.b64 {%x, %y}, %a; mov.b64 {%u, %v}, %b;\n"
      " sub.cc.u32 %l, %x, %u; subc.u32 %h, %y, %v; mov.b64 %d, {%l, %h}; }",
      "b64", {"b64", "b64"});
  Instruction mad(
      "{ .reg .b32 %l, %h, %x, %y, %u, %v;\n mov.b64 {%x, %y}, %a; mov.b64 {%u, %v}, %b;\n"
      " mad.lo.cc.u32 %l, %x, %u, %v; madc.hi.u32 %h, %x, %u, %y; mov.b64 %d, {%l, %h}; }",
      "b64", {"b64", "b64"});
  for (uint64_t a : integer_samples(64, 100, 1)) {
    for (uint64_t b : integer_samples(64, 100, 2)) {
      ASSERT_EQ(add(a, b), a + b);
      ASSERT_EQ(sub(a, b), a - b);
      ASSERT_EQ(mad(a, b), (a & 0xffffffff) * (b & 0xffffffff) + ((a & 0xffffffff00000000) | b >> 32));
    }
  }
}

TEST(Extended, CarryInMakesACarry) {
  // ffffffff + 0 + carry carries again; under a false guard the flag stays.
  Instruction chain("{ .reg .b32 %t;\n add.cc.u32 %t, %a, 1; addc.cc.u32 %t, %b, 0; addc.u32 %d, 0, 0; }", "b32",
                    {"b32", "b32"});
  EXPECT_EQ(chain(0xffffffff, 0xffffffff), 1u);
  EXPECT_EQ(chain(0xffffffff, 5u), 0u);
  Instruction guarded("{ .reg .b32 %t;\n add.cc.u32 %t, %a, 1; @%b add.cc.u32 %t, 0, 0; addc.u32 %d, 0, 0; }", "b32",
                      {"b32", "pred"});
  EXPECT_EQ(guarded(0xffffffff, 0), 1u);
  EXPECT_EQ(guarded(0xffffffff, 1), 0u);
}

// --- logic and shifts ---

TEST(Logic, Words) {
  for (std::string type : {"b16", "b32", "b64"}) {
    check("and." + type, type, {type, type}, [](uint64_t a, uint64_t b, uint64_t) { return a & b; });
    check("or." + type, type, {type, type}, [](uint64_t a, uint64_t b, uint64_t) { return a | b; });
    check("xor." + type, type, {type, type}, [](uint64_t a, uint64_t b, uint64_t) { return a ^ b; });
    check("not." + type, type, {type}, [](uint64_t a, uint64_t, uint64_t) { return ~a; });
    check("cnot." + type, type, {type}, [](uint64_t a, uint64_t, uint64_t) { return a == 0; });
  }
  Instruction and_pred("and.pred %d, %a, !%b;", "pred", {"pred", "pred"});
  EXPECT_EQ(and_pred(1, 0), 1u);
  EXPECT_EQ(and_pred(1, 1), 0u);
}

TEST(Logic, AllTablesOfLop3) {
  for (unsigned table = 0; table < 256; ++table) {
    Instruction lop3(fmt::format("lop3.b32 %d, %a, %b, %c, {};", table), "b32", {"b32", "b32", "b32"});
    // All combinations of three bits at once.
    ASSERT_EQ(lop3(0xf0, 0xcc, 0xaa) & 0xff, table);
  }
  Instruction with_predicate("lop3.or.b32 %d|%p, %a, %b, 0, 0xc0, %c;\n selp.b32 %d, 1, 0, %p;", "b32",
                             {"b32", "b32", "pred"}, ".reg .pred %p;");
  EXPECT_EQ(with_predicate(6, 3, 0), 1u);
  EXPECT_EQ(with_predicate(4, 3, 0), 0u);
  EXPECT_EQ(with_predicate(4, 3, 1), 1u);
}

TEST(Shift, AmountsPastTheWidth) {
  for (std::string type : {"b16", "b32", "b64"}) {
    unsigned w = width_of(type);
    check("shl." + type, type, {type, "u32"}, [&](uint64_t a, uint64_t n, uint64_t) { return n >= w ? 0 : a << n; });
    check("shr.u" + type.substr(1), type, {type, "u32"},
          [&](uint64_t a, uint64_t n, uint64_t) { return n >= w ? 0 : a >> n; });
    check("shr.s" + type.substr(1), type, {type, "u32"},
          [&](uint64_t a, uint64_t n, uint64_t) { return sign(a, w) >> std::min<uint64_t>(n, 63); });
  }
}

TEST(Shift, Funnel) {
  for (bool wrap : {false, true}) {
    std::string mode = wrap ? ".wrap" : ".clamp";
    auto amount = [=](uint64_t c) { return wrap ? c & 31 : std::min<uint64_t>(c, 32); };
    check("shf.l" + mode + ".b32", "b32", {"b32", "b32", "u32"},
          [&](uint64_t a, uint64_t b, uint64_t c) { return (b << 32 | a) << amount(c) >> 32; });
    check("shf.r" + mode + ".b32", "b32", {"b32", "b32", "u32"},
          [&](uint64_t a, uint64_t b, uint64_t c) { return (b << 32 | a) >> amount(c); });
  }
}

}  // namespace
}  // namespace warpwise::simt::test
