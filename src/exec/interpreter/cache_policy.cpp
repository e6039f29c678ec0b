// createpolicy (PTX ISA 9.7.9.18): the bits of ptx/shapes/cache_policy.h.
#include "ptx/shapes/cache_policy.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Type;

void run_createpolicy_fractional(Step& s) {
  const float fraction = s.present(1) ? s.f32(1) : 1.0f;
  uint64_t sixteenths = 0;
  if (fraction > 0 && fraction <= 1)
    sixteenths = static_cast<uint64_t>((fraction - std::numeric_limits<float>::epsilon()) * 16);
  s.d(Bits{ptx::policy_choices(s.inst, ptx::PolicyKind::Share) | sixteenths << ptx::kPolicySize}, Type::B64);
}

void run_createpolicy_range(Step& s) {
  const uint64_t address = s.generic_address(s.operand(1), s.inst.space());
  const uint64_t primary = s.u32(2), total = std::max(s.u32(3), 1u);
  const unsigned total_log2 = static_cast<unsigned>(std::bit_width(total - 1));
  const uint64_t size = total_log2 > ptx::kPolicyRangeLog2 ? total_log2 - ptx::kPolicyRangeLog2 : 0;
  const unsigned block_log2 = static_cast<unsigned>(ptx::kPolicyLeastBlockLog2 + size);
  const uint64_t first = address >> block_log2;
  const uint64_t blocks = ((address + primary + (uint64_t{1} << block_log2) - 1) >> block_log2) - first;
  const uint64_t count = size == ptx::kPolicySizeThatWraps ? blocks & ptx::kPolicyMostBlocks
                                                           : std::clamp<uint64_t>(blocks, 1, ptx::kPolicyMostBlocks);
  s.d(Bits{ptx::policy_choices(s.inst, ptx::PolicyKind::Range) | size << ptx::kPolicySize |
           (first & 127) << ptx::kPolicyFirst | count << ptx::kPolicyCount},
      Type::B64);
}

// Of an access property. PTX calls both opaque; that they are the same bits is taken from libcu++, and an H200 agrees.
void run_createpolicy_cvt(Step& s) { s.d(s.bits_in(1, Type::B64), Type::B64); }

}  // namespace warpwise::exec::interpreter
