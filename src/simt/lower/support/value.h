// Values of the program under construction, with operators, so that a lowering reads like the manual:
//
//     e.d(a * b + c);      select(a < b, a, b)      (x >> 4) & 0xf
//
// A Value is an llvm::Value and the builder that makes its successors. Arithmetic follows its LLVM type:
// on float, double and half `+` is fadd and `<` an ordered comparison; on iN both are the *unsigned* (or
// sign-agnostic) operation, and what differs for signed numbers has a name (sdiv, slt, ashr). Plain
// numbers take the type of the other side. Nothing here flags an operation as free of overflow or NaN:
// PTX arithmetic wraps and is IEEE.
//
// Shifts here are LLVM's: the amount must be below the width. PTX's clamping is in logic_shift.cpp.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace warpwise::simt {

using Builder = llvm::IRBuilder<>;

class Value {
 public:
  Value() = default;
  Value(Builder& builder, llvm::Value* value) : builder_(&builder), value_(value) {}

  llvm::Value* get() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }
  Builder& builder() const { return *builder_; }
  llvm::Type* type() const { return value_->getType(); }
  unsigned bits() const { return type()->getPrimitiveSizeInBits(); }
  bool is_float() const { return type()->isFloatingPointTy(); }
  Value with(llvm::Value* value) const { return Value(*builder_, value); }

  // `number` as a constant of this value's type.
  template <class T>
    requires std::is_arithmetic_v<T>
  Value like(T number) const {
    if (is_float()) return with(llvm::ConstantFP::get(type(), static_cast<double>(number)));
    return with(llvm::ConstantInt::get(type(), llvm::APInt(64, static_cast<uint64_t>(number)).sextOrTrunc(bits())));
  }

 private:
  Builder* builder_ = nullptr;
  llvm::Value* value_ = nullptr;
};

template <class T>
concept Number = std::is_arithmetic_v<T>;

// OPERATOR(op, integer builder call, floating-point builder call)
#define WARPWISE_VALUE_OPERATORS(OPERATOR)   \
  OPERATOR(+, CreateAdd, CreateFAdd)         \
  OPERATOR(-, CreateSub, CreateFSub)         \
  OPERATOR(*, CreateMul, CreateFMul)         \
  OPERATOR(/, CreateUDiv, CreateFDiv)        \
  OPERATOR(%, CreateURem, CreateFRem)        \
  OPERATOR(<, CreateICmpULT, CreateFCmpOLT)  \
  OPERATOR(<=, CreateICmpULE, CreateFCmpOLE) \
  OPERATOR(>, CreateICmpUGT, CreateFCmpOGT)  \
  OPERATOR(>=, CreateICmpUGE, CreateFCmpOGE) \
  OPERATOR(==, CreateICmpEQ, CreateFCmpOEQ)  \
  OPERATOR(!=, CreateICmpNE, CreateFCmpUNE)
#define WARPWISE_BIT_OPERATORS(OPERATOR) \
  OPERATOR(&, CreateAnd, CreateAnd)      \
  OPERATOR(|, CreateOr, CreateOr)        \
  OPERATOR(^, CreateXor, CreateXor)      \
  OPERATOR(<<, CreateShl, CreateShl)     \
  OPERATOR(>>, CreateLShr, CreateLShr)

#define OPERATOR(op, on_int, on_float)                                                                   \
  inline Value operator op(Value a, Value b) {                                                           \
    Builder& builder = a.builder();                                                                      \
    return a.with(a.is_float() ? builder.on_float(a.get(), b.get()) : builder.on_int(a.get(), b.get())); \
  }                                                                                                      \
  template <Number T>                                                                                    \
  Value operator op(Value a, T b) {                                                                      \
    return a op a.like(b);                                                                               \
  }                                                                                                      \
  template <Number T>                                                                                    \
  Value operator op(T a, Value b) {                                                                      \
    return b.like(a) op b;                                                                               \
  }
WARPWISE_VALUE_OPERATORS(OPERATOR)
#undef OPERATOR
#define OPERATOR(op, on_int, on_float)                                                                \
  inline Value operator op(Value a, Value b) { return a.with(a.builder().on_int(a.get(), b.get())); } \
  template <Number T>                                                                                 \
  Value operator op(Value a, T b) {                                                                   \
    return a op a.like(b);                                                                            \
  }                                                                                                   \
  template <Number T>                                                                                 \
  Value operator op(T a, Value b) {                                                                   \
    return b.like(a) op b;                                                                            \
  }
WARPWISE_BIT_OPERATORS(OPERATOR)
#undef OPERATOR

inline Value operator-(Value a) {
  return a.with(a.is_float() ? a.builder().CreateFNeg(a.get()) : a.builder().CreateNeg(a.get()));
}
inline Value operator~(Value a) { return a.with(a.builder().CreateNot(a.get())); }
inline Value operator!(Value a) { return ~a; }

inline Value sdiv(Value a, Value b) { return a.with(a.builder().CreateSDiv(a.get(), b.get())); }
inline Value srem(Value a, Value b) { return a.with(a.builder().CreateSRem(a.get(), b.get())); }
inline Value ashr(Value a, Value b) { return a.with(a.builder().CreateAShr(a.get(), b.get())); }
template <Number T>
Value ashr(Value a, T b) {
  return ashr(a, a.like(b));
}
inline Value slt(Value a, Value b) { return a.with(a.builder().CreateICmpSLT(a.get(), b.get())); }
inline Value sle(Value a, Value b) { return a.with(a.builder().CreateICmpSLE(a.get(), b.get())); }
template <Number T>
Value slt(Value a, T b) {
  return slt(a, a.like(b));
}
template <Number T>
Value sle(Value a, T b) {
  return sle(a, a.like(b));
}

inline Value select(Value condition, Value a, Value b) {
  return a.with(a.builder().CreateSelect(condition.get(), a.get(), b.get()));
}
template <Number T>
Value select(Value condition, Value a, T b) {
  return select(condition, a, a.like(b));
}
template <Number T>
Value select(Value condition, T a, Value b) {
  return select(condition, b.like(a), b);
}

inline Value unary(llvm::Intrinsic::ID id, Value a) { return a.with(a.builder().CreateUnaryIntrinsic(id, a.get())); }
inline Value binary(llvm::Intrinsic::ID id, Value a, Value b) {
  return a.with(a.builder().CreateBinaryIntrinsic(id, a.get(), b.get()));
}
inline Value smin(Value a, Value b) { return binary(llvm::Intrinsic::smin, a, b); }
inline Value smax(Value a, Value b) { return binary(llvm::Intrinsic::smax, a, b); }
inline Value umin(Value a, Value b) { return binary(llvm::Intrinsic::umin, a, b); }
inline Value umax(Value a, Value b) { return binary(llvm::Intrinsic::umax, a, b); }
template <Number T>
Value umin(Value a, T b) {
  return umin(a, a.like(b));
}
inline Value popcount(Value a) { return unary(llvm::Intrinsic::ctpop, a); }
inline Value bit_reverse(Value a) { return unary(llvm::Intrinsic::bitreverse, a); }
// The number of leading zeros; the width for 0.
inline Value leading_zeros(Value a) {
  return a.with(a.builder().CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a.get(), a.builder().getFalse()));
}

// --- widths ---
inline llvm::Type* int_type(Value v, unsigned bits) { return v.builder().getIntNTy(bits); }
inline Value zext(Value a, unsigned bits) { return a.with(a.builder().CreateZExtOrTrunc(a.get(), int_type(a, bits))); }
inline Value sext(Value a, unsigned bits) { return a.with(a.builder().CreateSExtOrTrunc(a.get(), int_type(a, bits))); }
inline Value trunc(Value a, unsigned bits) { return zext(a, bits); }
inline Value extend(Value a, unsigned bits, bool is_signed) { return is_signed ? sext(a, bits) : zext(a, bits); }

// --- floating point ---
// The bits of a float as an integer and back. These are raw: where the bits of a result leave the
// arithmetic, Emit::escape comes first.
inline Value bits_of(Value f) { return f.with(f.builder().CreateBitCast(f.get(), int_type(f, f.bits()))); }
inline Value as_type(Value i, llvm::Type* type) { return i.with(i.builder().CreateBitCast(i.get(), type)); }
inline Value float_of(Value i) { return as_type(i, i.builder().getFloatTy()); }
inline Value double_of(Value i) { return as_type(i, i.builder().getDoubleTy()); }
inline Value half_of(Value i) { return as_type(i, i.builder().getHalfTy()); }
inline Value to_float(Value f) { return f.with(f.builder().CreateFPCast(f.get(), f.builder().getFloatTy())); }
inline Value to_double(Value f) { return f.with(f.builder().CreateFPCast(f.get(), f.builder().getDoubleTy())); }
inline Value to_half(Value f) { return f.with(f.builder().CreateFPCast(f.get(), f.builder().getHalfTy())); }
inline Value signed_to(Value i, llvm::Type* type) { return i.with(i.builder().CreateSIToFP(i.get(), type)); }
inline Value unsigned_to(Value i, llvm::Type* type) { return i.with(i.builder().CreateUIToFP(i.get(), type)); }
inline Value is_nan(Value f) { return f.with(f.builder().CreateFCmpUNO(f.get(), f.get())); }
inline Value is_ordered(Value a, Value b) { return a.with(a.builder().CreateFCmpORD(a.get(), b.get())); }
inline Value abs(Value f) { return unary(llvm::Intrinsic::fabs, f); }
inline Value floor(Value f) { return unary(llvm::Intrinsic::floor, f); }
inline Value ceil(Value f) { return unary(llvm::Intrinsic::ceil, f); }
inline Value round_to_zero(Value f) { return unary(llvm::Intrinsic::trunc, f); }
inline Value round_even(Value f) { return unary(llvm::Intrinsic::roundeven, f); }
inline Value sqrt(Value f) { return unary(llvm::Intrinsic::sqrt, f); }
inline Value copysign(Value magnitude, Value sign) { return binary(llvm::Intrinsic::copysign, magnitude, sign); }
inline Value fma(Value a, Value b, Value c) {
  return a.with(a.builder().CreateIntrinsic(llvm::Intrinsic::fma, {a.type()}, {a.get(), b.get(), c.get()}));
}
template <Number T>
Value fma(Value a, Value b, T c) {
  return fma(a, b, a.like(c));
}
template <Number T>
Value fma(Value a, T b, T c) {
  return fma(a, a.like(b), a.like(c));
}
template <Number T>
Value fma(Value a, T b, Value c) {
  return fma(a, a.like(b), c);
}
// PTX's NaN of f32.
inline Value nan_like(Value f) { return float_of(f.with(f.builder().getInt32(0x7fffffff))); }
// A number known to fit, as a 32-bit signed integer.
inline Value to_i32(Value f) { return f.with(f.builder().CreateFPToSI(f.get(), f.builder().getInt32Ty())); }
inline Value i32_to_float(Value i) { return signed_to(i, i.builder().getFloatTy()); }

}  // namespace warpwise::simt
