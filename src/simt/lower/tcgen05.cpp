// tcgen05: tensor memory and its products (PTX ISA 9.0, 9.7.16). The engine defines what they do (numerics/tcgen05.h,
// exec/services/tensor_unit.h). Here each becomes a call. Products, copies and shifts happen at once, so a commit
// arrives at once and the fences have nothing left to order.
#include "ptx/shapes/tcgen05.h"

#include "simt/abi.h"
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

// [taddr + 16]: a register and a constant.
Value tensor_address(Emit& e, const Operand& address) {
  Operand base;
  base.kind = Operand::Kind::Register;
  base.reg = address.reg;
  base.component = address.component;
  return e.in(base, Type::U32) + static_cast<uint32_t>(address.offset);
}

Value blocks(Emit& e) { return e.i32(ptx::tcgen05_blocks(*e.inst)); }
Value kind_of(Emit& e, TensorColumns what) { return e.i32(static_cast<uint32_t>(what)); }

void move(Emit& e) {
  const numerics::TensorMove move = ptx::tensor_move(*e.inst);
  const ptx::TensorMoveOperands o = ptx::tensor_move_operands(*e.inst);
  llvm::SmallVector<Value> words;
  if (move.store)
    for (const Operand& word : o.registers->elements) words.push_back(e.bits(e.in(word, Type::B32)));
  Value second = e.i32(o.split ? static_cast<uint32_t>(o.split->bits) : 0);
  Value result = call_tensor_move(e.ir, move.pack(), tensor_address(e, *o.address), second, words,
                                  move.store ? 0 : move.registers());
  if (move.store) return;
  for (unsigned r = 0; r < move.registers(); ++r) e.out(o.registers->elements[r], e.field(result, r));
}

void wait(Emit& e) { call_tensor_move(e.ir, 0, e.i32(0), e.i32(0), {}, 0); }

void multiply(Emit& e) {
  const numerics::Tcgen05Form form = ptx::tcgen05_form(*e.inst);
  const ptx::Tcgen05ProductOperands o = ptx::tcgen05_product_operands(*e.inst);
  auto address = [&](const Operand* operand) { return operand ? zext(tensor_address(e, *operand), 64) : e.i64(0); };
  Value a = form.a_in_tensor_memory ? address(o.a) : e.in(*o.a, Type::B64);
  Value zero_columns = o.zero_columns ? e.in(*o.zero_columns, Type::B64) : e.i64(0);
  llvm::SmallVector<Value> words{e.i64(form.pack()),
                                 address(o.d),
                                 zext(e.in(*o.descriptor, Type::B32), 64),
                                 a,
                                 e.in(*o.b, Type::B64),
                                 address(o.metadata),
                                 address(o.scale_a),
                                 address(o.scale_b),
                                 zext(e.predicate(*o.accumulate), 64),
                                 zero_columns};
  for (unsigned n = 0; n < 4; ++n) {
    const bool given = o.disabled_lanes && 2 * n < o.disabled_lanes->elements.size();
    auto lanes = [&](unsigned k) { return zext(e.in(o.disabled_lanes->elements[2 * n + k], Type::B32), 64); };
    words.push_back(given ? lanes(0) | lanes(1) << 32 : e.i64(0));
  }
  call(e.ir, Dialect::TensorMultiply, llvm::ArrayRef<Value>(words));
}

}  // namespace

void lower_tcgen05_alloc(Emit& e) {
  e.call(Dialect::TensorColumns, kind_of(e, TensorColumns::Allocate), blocks(e), e.generic_address(0, e.inst->space()),
         e.i32(0), e.in(1, Type::B32));
}
void lower_tcgen05_dealloc(Emit& e) {
  e.call(Dialect::TensorColumns, kind_of(e, TensorColumns::Release), blocks(e), e.i64(0), e.in(0, Type::B32),
         e.in(1, Type::B32));
}
void lower_tcgen05_relinquish(Emit& e) {
  e.call(Dialect::TensorColumns, kind_of(e, TensorColumns::Relinquish), blocks(e), e.i64(0), e.i32(0), e.i32(0));
}

void lower_tcgen05_ld(Emit& e) { move(e); }
void lower_tcgen05_ld_halves(Emit& e) { move(e); }
void lower_tcgen05_st(Emit& e) { move(e); }
void lower_tcgen05_st_halves(Emit& e) { move(e); }
void lower_tcgen05_wait_ld(Emit& e) { wait(e); }
void lower_tcgen05_wait_st(Emit& e) { wait(e); }

void lower_tcgen05_cp(Emit& e) {
  e.call(Dialect::TensorCopyIn, e.i64(ptx::tensor_copy_form(*e.inst).pack()), zext(blocks(e), 64),
         zext(tensor_address(e, e.operand(0)), 64), e.in(1, Type::B64));
}
void lower_tcgen05_shift(Emit& e) {
  e.call(Dialect::TensorShift, zext(blocks(e), 64), zext(tensor_address(e, e.operand(0)), 64));
}

void lower_tcgen05_mma(Emit& e) { multiply(e); }
void lower_tcgen05_mma_scaled(Emit& e) { multiply(e); }
void lower_tcgen05_mma_sparse(Emit& e) { multiply(e); }
void lower_tcgen05_mma_sparse_scaled(Emit& e) { multiply(e); }
void lower_tcgen05_mma_ws(Emit& e) { multiply(e); }
void lower_tcgen05_mma_ws_sparse(Emit& e) { multiply(e); }

void lower_tcgen05_commit(Emit& e) {
  Value ranks = e.has(Mod::MulticastCluster) ? zext(e.in(1, Type::B16), 64) : e.i64(0);
  e.call(Dialect::TensorCommit, e.generic_address(0, e.inst->space()), ranks);
}
void lower_tcgen05_fence_before(Emit&) {}
void lower_tcgen05_fence_after(Emit&) {}

}  // namespace warpwise::simt
