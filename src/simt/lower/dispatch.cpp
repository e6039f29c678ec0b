#include "simt/lower/dispatch.h"

#include "ptx/verify/not_executed.h"

namespace warpwise::simt {

namespace {

void refuse(Emit& e) { e.refuse(ptx::why_not_executed(*e.inst)); }

using Lowering = void (*)(Emit&);

// In the order of ptx::Op.
constexpr Lowering kLowerings[] = {
#define WARPWISE_LOWER_Executed(name) lower_##name,
#define WARPWISE_LOWER_Recognised(name) refuse,
#define INST(name, pattern, state, ...) WARPWISE_LOWER_##state(name)
#include "ptx/isa/instructions.inc"
#undef INST
};

}  // namespace

void dispatch(Emit& e) { kLowerings[static_cast<unsigned>(e.inst->op)](e); }

}  // namespace warpwise::simt
