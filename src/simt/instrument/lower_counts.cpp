#include "simt/instrument/lower_counts.h"

#include "simt/instrument/counts.h"

namespace warpwise::simt {

namespace {

uint32_t cell_of(FunctionLowering& f, uint32_t instruction) { return f.module.cells[f.index] + instruction; }

void mark(Emit& e, uint32_t cell, CountedAccess access, Value address) {
  e.call(Dialect::CountAccess, e.i32(cell), e.i32(access.pack()), address);
}

}  // namespace

void count_block(FunctionLowering& f, uint32_t first, uint32_t end) {
  uint32_t loads = 0;
  for (uint32_t i = first; i < end; ++i) loads += loads_from_afar(f.ptx.instructions[i]);
  f.e.call(Dialect::CountBlock, f.e.i32(cell_of(f, first)), f.e.i32(end - first), f.e.i32(loads));
}

void count_guard(FunctionLowering& f, uint32_t instruction, Value guard) {
  const LaneMark what = ends_block(f.ptx.instructions[instruction]) ? LaneMark::Branch : LaneMark::Guard;
  f.e.call(Dialect::CountGuard, f.e.i32(cell_of(f, instruction)), f.e.i32(uint32_t(what)), guard);
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

void count_values(FunctionLowering& f, uint32_t instruction) {
  if (!f.module.values.has(f.index, instruction)) return;
  uint8_t element = 0;
  for (const ptx::Operand* operand : value_operands(f.ptx.instructions[instruction])) {
    const RegisterSlot& slot = f.registers[operand->reg];
    llvm::Value* value = f.builder.CreateLoad(slot.type, slot.parts[operand->component < 4 ? operand->component : 0]);
    llvm::Type* integer = f.builder.getIntNTy(unsigned(slot.type->getPrimitiveSizeInBits()));
    if (!slot.type->isIntegerTy()) value = f.builder.CreateBitCast(value, integer);
    const CountedAccess mark{CountedKind::Value, CountedSpace::Generic, 0, element++};
    f.e.call(Dialect::CountValue, f.e.i32(cell_of(f, instruction)), f.e.i32(mark.pack()),
             Value(f.builder, f.builder.CreateZExtOrTrunc(value, f.builder.getInt64Ty())));
  }
}

}  // namespace warpwise::simt
