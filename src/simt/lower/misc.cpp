// Stack and miscellaneous instructions (PTX ISA 9.7.16, 9.7.18).
#include "simt/lower/dispatch.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using ptx::Type;

// Of a thread (CUDA programming guide, technical specifications).
constexpr uint64_t kMostLocalBytes = 512 << 10;

// The stack grows upwards: a function's free local memory starts after its frame (addresses.cpp).
void lower_alloca(Emit& e) {
  FunctionLowering& f = e.function();
  uint64_t align = e.operand_count() > 2 && e.operand(2).is(ptx::Operand::Kind::Immediate) ? e.operand(2).bits : 8;
  Value size = zext(e.a(), 64);
  Value start = (f.free_local() + (align - 1)) & ~(align - 1);
  Value end = start + size;
  // A size beyond all memory must not wrap around to a small end.
  e.call(Dialect::StackCheck, select(size > e.i64(kMostLocalBytes), size, end));
  e.ir.CreateStore(end.get(), f.stack_pointer);
  e.d(start);
}

// The stack pointer, so that stackrestore can forget later allocas.
void lower_stacksave(Emit& e) { e.d(e.function().free_local()); }
void lower_stackrestore(Emit& e) {
  FunctionLowering& f = e.function();
  if (f.stack_pointer) e.ir.CreateStore(zext(e.in(0), 64).get(), f.stack_pointer);
}

void lower_nanosleep(Emit& e) { e.call(Dialect::Nanosleep, e.in(0, Type::U32)); }
void lower_trap(Emit& e) { e.call(Dialect::Trap); }
void lower_brkpt(Emit& e) { e.call(Dialect::Brkpt); }
void lower_pmevent(Emit&) {}  // performance monitors: none here

}  // namespace warpwise::simt
