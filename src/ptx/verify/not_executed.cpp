#include "ptx/verify/not_executed.h"

namespace warpwise::ptx {

std::string_view why_not_executed(const Instruction& instruction) {
  if (instruction.has(Mod::Geom2dms) || instruction.has(Mod::GeomA2dms))
    return "textures with several samples for each texel are for programs of graphics: CUDA's API makes none";
  if (instruction.op == Op::tex_other || instruction.op == Op::tld4_other)  // behind an offset: a depth alone has a row
    return "a depth to compare with is for textures of depths, which CUDA's API does not make";
  return "this instruction is recognised but not executed yet; docs/isa.md lists what is";
}

}  // namespace warpwise::ptx
