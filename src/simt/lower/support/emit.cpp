// Operands: from PTX's registers, immediates, symbols and vectors to Values and back.
#include "simt/lower/support/emit.h"

#include <fmt/format.h>

#include <bit>

#include "simt/lower/special_registers.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using ptx::Operand;
using ptx::Type;
using Kind = ptx::Operand::Kind;

llvm::Type* Emit::llvm_type(Type type) const {
  switch (type) {
    case Type::F16:
      return ir.getHalfTy();
    case Type::F32:
      return ir.getFloatTy();
    case Type::F64:
      return ir.getDoubleTy();
    default:
      return ir.getIntNTy(ptx::bits_of(type));
  }
}

Type Emit::register_type(const Operand& operand) const { return function_.ptx.registers[operand.reg].type; }

Value Emit::escape(Value v) {
  if (!v.is_float()) return v;
  if (llvm::isa<llvm::Constant>(v.get())) return v;
  llvm::Module& module = *ir.GetInsertBlock()->getModule();
  return v.with(ir.CreateCall(declare_canonical(module, v.type()), {v.get()}));
}

namespace {

// `v` as `wanted`: the same bits where the widths agree; else the low part, or extended.
Value convert(Emit& e, Value v, llvm::Type* wanted, bool sign_extend) {
  if (v.type() == wanted) return v;
  unsigned bits = wanted->getPrimitiveSizeInBits();
  Value integer = extend(e.bits(v), bits, sign_extend);
  return wanted->isFloatingPointTy() ? as_type(integer, wanted) : integer;
}

Value immediate(Emit& e, const Operand& operand, Type type) {
  uint64_t bits = operand.bits;
  switch (type) {
    case Type::F64:
      return e.f64(std::bit_cast<double>(bits));
    case Type::F32: {
      uint32_t word = static_cast<uint32_t>(bits);
      if (operand.exact_f32) {
        word = operand.float_bits;
      } else if (operand.is_float) {
        return e.f32(static_cast<float>(std::bit_cast<double>(bits)));
      }
      return float_of(e.i32(word));
    }
    case Type::F16:
      return half_of(e.i16(static_cast<uint16_t>(bits)));
    default:
      break;
  }
  if (operand.exact_f32) bits = operand.float_bits;
  unsigned width = ptx::bits_of(type);
  return e.i64(0).with(e.ir.getInt(llvm::APInt(64, bits).sextOrTrunc(width)));
}

}  // namespace

// LLVM's inliner simplifies the code that it copies and replaces x * 1.0 by x, so a NaN would keep its payload
// (scalar/canonical_nan.h). In functions that are called, constants therefore go through a register of their own, and
// become constants again after inlining.
Value Emit::unfolded(Value number) {
  if (function_.ptx.is_entry || !number.type()->isFloatingPointTy()) return number;
  llvm::AllocaInst* slot = function_.entry_alloca(number.type(), "number");
  ir.CreateStore(number.get(), slot);
  return {ir, ir.CreateLoad(number.type(), slot)};
}

Value Emit::in(const Operand& operand, Type type) {
  llvm::Type* wanted = llvm_type(type);
  switch (operand.kind) {
    case Kind::Register: {
      const RegisterSlot& slot = function_.registers[operand.reg];
      unsigned part = operand.component == Operand::kWhole ? 0 : operand.component;
      if (!slot.parts[part]) part = 0;
      Value v(ir, ir.CreateLoad(slot.type, slot.parts[part]));
      if (operand.negated) v = !v;
      return convert(*this, v, wanted, ptx::is_signed(type));
    }
    case Kind::Immediate:
      if (type == Type::Pred) return i1(operand.bits != 0);
      return unfolded(immediate(*this, operand, type));
    case Kind::Special:
      return convert(*this, special_register(*this, operand), wanted, false);
    case Kind::Symbol:
      return convert(*this, address_of(operand), wanted, false);
    case Kind::Vector: {
      // {a, b, ...}: the first element has the lowest bits.
      unsigned count = operand.elements.size();
      unsigned width = ptx::bits_of(type), piece = width / count;
      Value whole(ir, ir.getIntN(width, 0));
      Type element_type = piece == 8 ? Type::B8 : piece == 16 ? Type::B16 : piece == 32 ? Type::B32 : Type::B64;
      for (unsigned k = 0; k < count; ++k) {
        whole = whole | (zext(in(operand.elements[k], element_type), width) << (k * piece));
      }
      return convert(*this, whole, wanted, false);
    }
    default:
      unsupported("an operand of this kind");
      return Value(ir, llvm::Constant::getNullValue(wanted));
  }
}

Value Emit::moved(unsigned index) {
  const Operand& to = operand(0);
  const Operand& from = operand(index);
  if (to.is(Kind::Register) && from.is(Kind::Register)) {
    llvm::Type* wanted = function_.registers[to.reg].type;
    const RegisterSlot& slot = function_.registers[from.reg];
    if (wanted == slot.type && wanted->getPrimitiveSizeInBits() == ptx::bits_of(type())) {
      unsigned part = from.component == Operand::kWhole || !slot.parts[from.component] ? 0 : from.component;
      return Value(ir, ir.CreateLoad(slot.type, slot.parts[part]));
    }
  }
  if (to.is(Kind::Register) && function_.registers[to.reg].type->getPrimitiveSizeInBits() == ptx::bits_of(type())) {
    return convert(*this, in(index), function_.registers[to.reg].type, false);
  }
  return in(index);
}

void Emit::out(const Operand& operand, Value v, bool sign_extend) {
  switch (operand.kind) {
    case Kind::Sink:
      return;
    case Kind::Register: {
      const RegisterSlot& slot = function_.registers[operand.reg];
      unsigned part = operand.component == Operand::kWhole ? 0 : operand.component;
      if (!slot.parts[part]) part = 0;
      Value value = convert(*this, v, slot.type, sign_extend);
      if (function_.guard) {
        Value old(ir, ir.CreateLoad(slot.type, slot.parts[part]));
        value = select(*function_.guard, value, old);
      }
      ir.CreateStore(value.get(), slot.parts[part]);
      return;
    }
    case Kind::Vector: {
      Value whole = bits(v);
      unsigned piece = whole.bits() / operand.elements.size();
      for (unsigned k = 0; k < operand.elements.size(); ++k) {
        out(operand.elements[k], trunc(whole >> (k * piece), piece), sign_extend);
      }
      return;
    }
    default:
      unsupported("a destination of this kind");
  }
}

llvm::Value* int_to_pointer(Builder& builder, llvm::Value* address, llvm::Type* type) {
  return builder.Insert(new llvm::IntToPtrInst(address, type));
}

Place Place::plus(uint64_t bytes) const {
  if (bytes == 0) return *this;
  if (auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointer)) {
    llvm::Value* sum = builder->CreateAdd(cast->getOperand(0), builder->getInt64(bytes));
    return {builder, int_to_pointer(*builder, sum, pointer->getType())};
  }
  return {builder, builder->CreateConstInBoundsGEP1_64(builder->getInt8Ty(), pointer, bytes)};
}

llvm::BasicBlock* Emit::new_block(std::string_view name) {
  return llvm::BasicBlock::Create(ir.getContext(), llvm::StringRef(name), function_.function);
}

void Emit::unsupported(std::string_view what) {
  refuse(fmt::format("{} is recognised but not executed yet; docs/isa.md lists what is", what));
}

void Emit::refuse(std::string_view why) {
  std::string place;
  if (auto source = function_.module.ptx.source; source && source->contains(inst->span)) {
    place = fmt::format("{}:{}: ", source->name(), source->locate(inst->span).line);
  }
  function_.fail("P0900", fmt::format("{}`{}` in `{}`: {}", place, inst->spec().opcode, function_.ptx.name, why));
}

}  // namespace warpwise::simt
