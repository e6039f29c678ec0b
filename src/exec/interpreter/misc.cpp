// Stack and miscellaneous instructions (PTX ISA 9.7.16, 9.7.18).
#include "exec/fault/fault_report.h"
#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using device::Failure;
using ptx::Type;

// The stack grows upwards: a function's free local memory starts behind its frame.
void run_alloca(Step& s) {
  uint64_t align = s.present(2) ? static_cast<uint64_t>(s.operand(2).bits) : 8;
  uint64_t size = static_cast<uint64_t>(s.a()), start = (s.frame().stack + align - 1) / align * align;
  if (size > s.block.run.program.local_bytes || start + size > s.block.run.program.local_bytes) {
    return s.fail(Failure::HardwareStackError, describe_stack_overflow(s.block.run.launch, s.frame().function));
  }
  s.frame().stack = start + size;
  s.d(Bits{start}, s.type());
}
// The stack pointer, so that stackrestore can forget later allocas.
void run_stacksave(Step& s) { s.d(Bits{s.frame().stack}, s.type()); }
void run_stackrestore(Step& s) { s.frame().stack = static_cast<uint64_t>(s.bits_in(0, s.type())); }

void run_nanosleep(Step& s) { s.give_way(); }
void run_trap(Step& s) { s.fail(Failure::LaunchFailure, "trap", std::nullopt, Misuse::Trap); }
void run_brkpt(Step& s) { s.fail(Failure::LaunchFailure, "breakpoint without a debugger"); }
void run_pmevent(Step&) {}  // performance monitors: none here

}  // namespace warpwise::exec::interpreter
