// Kernels of many small arms, `if (i == 0) …; if (i == 1) …;`: their code grows with the arms and not with the square
// of them (simt/scalar/simplify_arithmetic.cpp, compares_often).
#include <gtest/gtest.h>

#include "dumped_code.h"

namespace warpwise::simt {
namespace {

std::string arms(unsigned n) {
  std::string text =
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry t(.param .u64 a) {\n  .reg .b64 %p;\n  .reg "
      ".b32 %i;\n  .reg .pred %c;\n"
      "  ld.param.u64 %p, [a];\n  mov.u32 %i, %tid.x;\n";
  for (unsigned k = 0; k < n; ++k) {
    const std::string number = std::to_string(k);
    text += "  setp.ne.s32 %c, %i, " + number + ";\n  @%c bra L" + number + ";\n  st.global.u32 [%p+" +
            std::to_string(4 * k) + "], 1;\nL" + number + ":\n";
  }
  return text + "  ret;\n}\n";
}

size_t branches(unsigned n) { return count(code_after("tidy_control_flow", arms(n), 128), "br i1"); }

TEST(ManyArms, GrowWithTheirNumber) {
  EXPECT_LE(branches(40), 41u);
  EXPECT_LE(branches(160), 161u);
}

}  // namespace
}  // namespace warpwise::simt
