// createpolicy (PTX ISA 9.7.9.18): the bits of ptx/shapes/cache_policy.h.
#include "ptx/shapes/cache_policy.h"

#include <limits>

#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Type;

void lower_createpolicy_fractional(Emit& e) {
  const Value choices = e.i64(ptx::policy_choices(*e.inst, ptx::PolicyKind::Share));
  if (e.operand_count() < 2 || e.operand(1).is(ptx::Operand::Kind::None))
    return e.d(choices | uint64_t{15} << ptx::kPolicySize);
  const Value fraction = e.in(1, Type::F32);
  const Value sixteenths = (fraction - std::numeric_limits<float>::epsilon()) * 16;
  const Value there = (fraction > 0) & (fraction <= 1);
  e.d(choices | zext(to_i32(select(there, sixteenths, 0)), 64) << ptx::kPolicySize);
}

void lower_createpolicy_range(Emit& e) {
  const Value address = e.generic_address(1, e.inst->space());
  const Value primary = zext(e.in(2, Type::U32), 64), total = zext(e.in(3, Type::U32), 64);
  const Value total_log2 = 64 - leading_zeros(umax(total, total.like(1)) - 1);
  const Value size = select(total_log2 > ptx::kPolicyRangeLog2, total_log2 - ptx::kPolicyRangeLog2, 0);
  const Value block_log2 = size + ptx::kPolicyLeastBlockLog2;
  const Value first = address >> block_log2;
  const Value blocks = ((address + primary + (size.like(1) << block_log2) - 1) >> block_log2) - first;
  const Value some = umin(umax(blocks, blocks.like(1)), ptx::kPolicyMostBlocks);
  const Value count = select(size == ptx::kPolicySizeThatWraps, blocks & ptx::kPolicyMostBlocks, some);
  e.d(e.i64(ptx::policy_choices(*e.inst, ptx::PolicyKind::Range)) | size << ptx::kPolicySize |
      (first & 127) << ptx::kPolicyFirst | count << ptx::kPolicyCount);
}

// Of an access property. PTX calls both opaque. That they are the same bits follows libcu++, and an H200 agrees.
void lower_createpolicy_cvt(Emit& e) { e.d(e.in(1, Type::B64)); }

}  // namespace warpwise::simt
