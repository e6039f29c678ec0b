#include "simt/instrument/lower_counts.h"

#include "simt/instrument/counts.h"

namespace warpwise::simt {

namespace {

uint32_t cell_of(FunctionLowering& f, uint32_t instruction) { return f.module.cells[f.index] + instruction; }

void mark(Emit& e, uint32_t cell, CountedAccess access, Value address) {
  e.call(Dialect::CountAccess, e.i32(cell), e.i32(access.pack()), address);
}

}  // namespace

void count_block(FunctionLowering& f, uint32_t instruction) {
  f.e.call(Dialect::CountBlock, f.e.i32(cell_of(f, instruction)));
}

void count_guard(FunctionLowering& f, uint32_t instruction, Value guard) {
  f.e.call(Dialect::CountGuard, f.e.i32(cell_of(f, instruction)), f.e.i32(ends_block(f.ptx.instructions[instruction])),
           guard);
}

void count_access(Emit& e, uint32_t instruction) {
  const uint32_t cell = cell_of(e.function(), instruction);
  if (auto counted = counted_operand(*e.inst)) {
    // Registers of a call are no memory.
    if (auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(e.place(counted->operand, counted->space).pointer))
      mark(e, cell, counted->access, Value(e.ir, cast->getOperand(0)));
    return;
  }
  if (e.inst->spec().name == "brx_idx")
    mark(e, cell, {CountedKind::Switch, CountedSpace::Generic, 0, 0}, zext(e.in(0, ptx::Type::U32), 64));
}

}  // namespace warpwise::simt
