// Textures and surfaces (PTX ISA 9.7.10, 9.7.11). Whatever the instruction, it is a call of ww.image: a code that says
// what to do (ptx/shapes/image_access.h), the handle, words in, words out.
#include "ptx/shapes/image_access.h"
#include "simt/lower/dispatch.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using ptx::Operand;
using ptx::Type;

namespace {

Value handle_of(Emit& e, const Operand& address) {
  Operand base = address;
  base.kind = address.base == Operand::Base::Symbol ? Operand::Kind::Symbol : Operand::Kind::Register;
  return e.in(base, Type::B64);
}

Value word_of(Value bits) { return bits.bits() < 32 ? zext(bits, 32) : bits; }

void lower_image(Emit& e) {
  const ptx::ImageInstruction image = ptx::take_apart(*e.inst);
  llvm::SmallVector<llvm::Value*, 16> arguments = {e.i64(image.access.pack()).get(), handle_of(e, *image.handle).get()};
  for (const ptx::ImageOperand& word : image.words) {
    Value bits = e.bits(e.in(*word.operand, word.type));
    if (bits.bits() == 64) {
      arguments.push_back(trunc(bits, 32).get());
      arguments.push_back(trunc(bits >> 32, 32).get());
    } else {
      arguments.push_back(word_of(bits).get());
    }
  }
  while (arguments.size() < 2 + ptx::kMostImageWords) arguments.push_back(e.i32(0).get());
  Value results = call(e.ir, Dialect::Image, arguments);
  unsigned next = 0;
  for (const ptx::ImageOperand& result : image.results) {
    Value value = e.field(results, next++);
    const unsigned width = ptx::bits_of(result.type);
    if (width == 64) value = zext(value, 64) | (zext(e.field(results, next++), 64) << 32);
    if (width < 32) value = trunc(value, width);
    if (result.type == Type::F32) value = float_of(value);
    if (result.type == Type::F16) value = half_of(value);
    e.out(*result.operand, value);
  }
  if (image.resident) e.out(*image.resident, e.i1(true));
}

}  // namespace

void lower_tex(Emit& e) { lower_image(e); }
void lower_tex_x2(Emit& e) { lower_image(e); }
void lower_tex_base(Emit& e) { lower_image(e); }
void lower_tex_level(Emit& e) { lower_image(e); }
void lower_tex_level_x2(Emit& e) { lower_image(e); }
void lower_tex_grad(Emit& e) { lower_image(e); }
void lower_tex_grad_x2(Emit& e) { lower_image(e); }
void lower_tld4(Emit& e) { lower_image(e); }
void lower_txq(Emit& e) { lower_image(e); }
void lower_txq_level(Emit& e) { lower_image(e); }
void lower_suld(Emit& e) { lower_image(e); }
void lower_sust(Emit& e) { lower_image(e); }
void lower_sust_formatted(Emit& e) { lower_image(e); }
void lower_sured(Emit& e) { lower_image(e); }
void lower_sured_formatted(Emit& e) { lower_image(e); }
void lower_suq(Emit& e) { lower_image(e); }

// Is it the address of a variable of that type?
void lower_istypep(Emit& e) {
  const ptx::Module& module = e.function().module.ptx;
  Value address = e.in(1, Type::B64), is = e.i1(false);
  for (uint32_t v = 0; v < module.variables.size(); ++v) {
    if (module.variables[v].type != e.type()) continue;
    Operand variable;
    variable.kind = Operand::Kind::Symbol;
    variable.symbol = {ptx::SymbolRef::Kind::ModuleVariable, v};
    is = is | Value(e.ir, e.ir.CreateICmpEQ(address.get(), e.address_of(variable).get()));
  }
  e.d(is);
}

}  // namespace warpwise::simt
