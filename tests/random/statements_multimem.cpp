// multimem: what lies behind one address on several devices. Each thread has 16 bytes of its own there; cells that all
// threads reduce are left the same by every order.
#include <fmt/format.h>

#include "statements.h"

namespace warpwise::random_programs {

Statement Leaves::multimem() {
  constexpr const char *kLoads[] = {"", ".weak", ".relaxed.gpu", ".acquire.sys.global"},
                       *kStores[] = {"", ".weak.global", ".relaxed.gpu", ".release.sys"},
                       *kReds[] = {"", ".global", ".relaxed.gpu", ".release.sys"};
  const std::string load = fmt::format("{}multimem.ld_reduce{}", guard(), kLoads[choose_.below(4)]),
                    store = fmt::format("{}multimem.st{}", guard(), kStores[choose_.below(4)]),
                    red = fmt::format("{}multimem.red{}", guard(), kReds[choose_.below(4)]);
  const unsigned word = 4 * choose_.below(4), pair = word & 8;
  auto one = [&] { return fmt::format("[%copies+{}]", word); };
  auto two = [&] { return fmt::format("[%copies+{}]", pair); };
  switch (choose_.below(newest_ ? 17 : 15)) {
    case 0: {
      constexpr const char* kLogic[] = {"and", "or", "xor"};
      return code({fmt::format("{}.{}.b32 {}, {};", load, kLogic[choose_.below(3)], r(), one())});
    }
    case 1:
      return code({fmt::format("{}.add.{} {}, {};", load, choose_.one_in(2) ? "u32" : "s32", r(), one())});
    case 2: {
      constexpr const char* kExtremes[] = {"min.u64", "max.u64", "min.s64", "max.s64"};
      return code({fmt::format("{}.{} {}, {};", load, kExtremes[choose_.below(4)], reg("rd"), two())});
    }
    case 3:
      return code({fmt::format("{}.add.f32 {}, {};", load, reg("f"), one())});
    case 4:
      return code({fmt::format("{}.add.v4.f32 {{%f0, %f1, %f2, %f3}}, [%copies];", load)});
    case 5:  // of numbers: each engine has NaNs of its own for doubles
      return code({fmt::format("cvt.rn.f64.s32 %gd, {};", r()), fmt::format("multimem.st.f64 {}, %gd;", two()),
                   fmt::format("{}.add.f64 {}, %gd;", red, two()),
                   fmt::format("{}.add.f64 {}, {};", load, reg("fd"), two())});
    case 6: {
      constexpr const char* kHalves[] = {"add.v4.f16x2",  "add.acc::f32.v4.f16x2", "min.v4.f16x2",
                                         "max.v4.bf16x2", "add.v4.bf16x2",         "add.acc::f32.v4.bf16x2"};
      return code({fmt::format("{}.{} {{%r0, %r1, %r2, %r3}}, [%copies];", load, kHalves[choose_.below(6)])});
    }
    case 7:
      return code({fmt::format("{}.{} {}, {};", store, choose_.one_in(2) ? "b32" : "u32", one(), r())});
    case 8:
      return code({fmt::format("{}.b64 {}, {};", store, two(), reg("rd"))});
    case 9:
      return code({fmt::format("{}.v2.f16x2 {}, {{{}, {}}};", store, two(), reg("hh"), reg("hh"))});
    case 10:
      return code({fmt::format("{}.add.f32 {}, {};", red, one(), reg("f"))});
    case 11: {
      constexpr const char* kHalves[] = {"add.v2.f16x2", "min.v2.f16x2", "max.v2.bf16x2", "add.v2.bf16x2"};
      return code({fmt::format("{}.{} {}, {{{}, {}}};", red, kHalves[choose_.below(4)], two(), r(), r())});
    }
    case 12:
      return code({fmt::format("{}.add.u64 {}, {};", red, two(), reg("rd"))});
    case 15: {
      constexpr const char* kSums[] = {"add", "add.acc::f16", "min", "max"};
      return code({fmt::format("{}.{}.v4.{} {{%r0, %r1, %r2, %r3}}, [%copies];", load, kSums[choose_.below(4)],
                               choose_.one_in(2) ? "e4m3x4" : "e5m2x4")});
    }
    case 16:
      return code(
          {fmt::format("{}.v2.{} {}, {{{}, {}}};", store, choose_.one_in(2) ? "e4m3x4" : "e5m2x4", two(), r(), r())});
    default:
      break;
  }
  constexpr const char* kShared[] = {"add.u32", "max.s32", "min.u32", "or.b32",
                                     "and.b32", "xor.b32", "max.u32", "min.s32"};
  const unsigned operation = choose_.below(8);
  return code({fmt::format("{}.{} [%common+{}], {};", red, kShared[operation], 4 * operation, r())});
}

}  // namespace warpwise::random_programs
