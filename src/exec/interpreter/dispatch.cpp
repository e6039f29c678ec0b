#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

namespace {

void refuse(Step& s) {
  s.fail(device::Failure::NotSupported, "P0900: this instruction is recognised but not executed yet");
}

// In the order of ptx::Op.
constexpr void (*kFunctions[])(Step&) = {
#define WARPWISE_RUN_Executed(name) run_##name,
#define WARPWISE_RUN_Recognised(name) refuse,
#define INST(name, pattern, state, ...) WARPWISE_RUN_##state(name)
#include "ptx/isa/instructions.inc"
#undef INST
};

}  // namespace

void dispatch(Step& s) { kFunctions[static_cast<unsigned>(s.inst.op)](s); }

}  // namespace warpwise::exec::interpreter
