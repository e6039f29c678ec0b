// wgmma (PTX ISA 9.7.15). The product is one call of the dialect for each warp; it happens at once, so fences, groups
// and waits have nothing left to do.
#include "ptx/shapes/wgmma.h"

#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Operand;
using ptx::Type;
using ptx::WgmmaOperand;

namespace {

void multiply(Emit& e) {
  const numerics::WgmmaForm form = ptx::wgmma_form(*e.inst);
  const Operand& d = e.operand(WgmmaOperand::kD);
  const Operand& scale = e.operand(WgmmaOperand(*e.inst).scale_d);
  Value accumulate = scale.is(Operand::Kind::Immediate) ? e.i32(scale.bits != 0) : zext(e.predicate(scale), 32);
  llvm::SmallVector<Value> words;
  if (form.a_in_registers)
    for (const Operand& word : e.operand(WgmmaOperand::kA).elements) words.push_back(e.in(word, Type::B32));
  if (form.sparse) words.push_back(e.in(WgmmaOperand::kMetadata, Type::B32));
  for (const Operand& word : d.elements)
    words.push_back(e.bits(e.in(word, form.d == numerics::WgmmaSum::F32 ? Type::F32 : Type::B32)));
  Value a = form.a_in_registers ? e.i64(0) : e.in(WgmmaOperand::kA, Type::B64);
  Value result = call_wgmma(e.ir, form.pack(), a, e.in(WgmmaOperand::kB, Type::B64), accumulate, words, form.d_words());
  for (unsigned k = 0; k < d.elements.size(); ++k) {
    Value word = e.field(result, k);
    e.out(d.elements[k], form.d == numerics::WgmmaSum::F32 ? float_of(word) : word);
  }
}

}  // namespace

void lower_wgmma_f16(Emit& e) { multiply(e); }
void lower_wgmma_bf16(Emit& e) { multiply(e); }
void lower_wgmma_tf32(Emit& e) { multiply(e); }
void lower_wgmma_f8(Emit& e) { multiply(e); }
void lower_wgmma_s8(Emit& e) { multiply(e); }
void lower_wgmma_b1(Emit& e) { multiply(e); }
void lower_wgmma_sp_f16(Emit& e) { multiply(e); }
void lower_wgmma_sp_bf16(Emit& e) { multiply(e); }
void lower_wgmma_sp_tf32(Emit& e) { multiply(e); }
void lower_wgmma_sp_f8(Emit& e) { multiply(e); }
void lower_wgmma_sp_s8(Emit& e) { multiply(e); }
void lower_wgmma_fence(Emit&) {}
void lower_wgmma_commit_group(Emit&) {}
void lower_wgmma_wait_group(Emit&) {}

}  // namespace warpwise::simt
