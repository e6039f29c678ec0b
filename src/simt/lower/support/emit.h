// What a lowering function is given: the instruction, its operands as Values, and the place where code
// goes.
//
//     void lower_fma_f64(Emit& e) { e.d(fma(e.a(), e.b(), e.c())); }
//
// Operands are read and written in the instruction's (first) type unless an argument says otherwise. A value whose
// type differs from the register's is reinterpreted, truncated or extended as PTX ISA 6.4 and 9.4.1 let
// programs do.
//
// LLVM types of PTX types: integers, bits and packed types are iN, f32 f64 f16 are float double half,
// bf16 and tf32 are i16 and i32 (their arithmetic is in half.cpp and convert.cpp), .pred is i1.
//
// NaN. A float register may hold any NaN while it is inside arithmetic: x86 makes another default NaN
// than PTX's 0x7fffffff (0x7fff for f16), and correcting it after each addition would double the price
// of an fma. The difference shows only when the bits leave: by a store, or by an instruction that reads the
// register as bits. There, `escape` puts a call of ww.canonical.*, which the pass canonical_nan removes
// again where the value was only moved and never computed (its payload must survive). Results of f64
// keep what the host makes: NVIDIA hardware passes double-precision NaN payloads through, as x86 does;
// only neg and abs, which do not change a NaN's sign there, need the pass.
//
// Guards. `@p add` becomes a select of the old and the new value, so that straight-line code stays
// straight; instructions that touch memory, other lanes or control get a branch around them.
#pragma once

#include <string>

#include "ptx/module.h"
#include "simt/lower/support/dialect_builder.h"
#include "simt/lower/support/value.h"

namespace warpwise::simt {

class FunctionLowering;

// Where a memory operand points: an LLVM pointer whose address space is the state space.
struct Place {
  Builder* builder;
  llvm::Value* pointer;
  Place plus(uint64_t bytes) const;
};

// inttoptr as an instruction even for a constant, so that every access has the same form (simt/dialect.h).
llvm::Value* int_to_pointer(Builder& builder, llvm::Value* address, llvm::Type* type);

class Emit {
 public:
  Emit(FunctionLowering& function, Builder& builder) : function_(function), ir(builder) {}

 private:
  FunctionLowering& function_;

 public:
  Builder& ir;
  const ptx::Instruction* inst = nullptr;

  // --- modifiers ---
  ptx::Type type(unsigned index = 0) const { return inst->type(index); }
  bool has(ptx::Mod mod) const { return inst->has(mod); }
  llvm::Type* llvm_type(ptx::Type type) const;

  // --- operands ---
  const ptx::Operand& operand(unsigned index) const { return inst->operands[index]; }
  // Of a register operand, as it was declared.
  ptx::Type register_type(const ptx::Operand& operand) const;
  unsigned operand_count() const { return inst->operands.size(); }
  Value in(const ptx::Operand& operand, ptx::Type type);
  Value in(unsigned index, ptx::Type type) { return in(operand(index), type); }
  Value in(unsigned index) { return in(operand(index), type()); }
  Value a() { return in(1); }
  Value b() { return in(2); }
  Value c() { return in(3); }
  Value a(ptx::Type type) { return in(1, type); }
  Value b(ptx::Type type) { return in(2, type); }
  Value c(ptx::Type type) { return in(3, type); }
  // Operand `index` of a mov-like instruction: in the type of the register that will hold it, where the
  // widths allow, so that floats moved as .b32 stay floats.
  Value moved(unsigned index);
  Value predicate(const ptx::Operand& operand) { return in(operand, ptx::Type::Pred); }
  // Writes a register, a vector of registers (v is then cut into equal parts), a pair or a sink.
  void out(const ptx::Operand& operand, Value v, bool sign_extend = false);
  void d(Value v, bool sign_extend = false) { out(operand(0), v, sign_extend); }

  // --- constants and calls ---
  Value i1(bool v) { return Value(ir, ir.getInt1(v)); }
  Value i16(uint16_t v) { return Value(ir, ir.getInt16(v)); }
  Value i32(uint32_t v) { return Value(ir, ir.getInt32(v)); }
  Value i64(uint64_t v) { return Value(ir, ir.getInt64(v)); }
  Value f32(float v) { return Value(ir, llvm::ConstantFP::get(ir.getFloatTy(), v)); }
  Value f64(double v) { return Value(ir, llvm::ConstantFP::get(ir.getDoubleTy(), v)); }
  template <class... Arguments>
  Value call(Dialect function, Arguments... arguments) {
    return simt::call(ir, function, {arguments...});
  }
  Value field(Value aggregate, unsigned index) { return Value(ir, ir.CreateExtractValue(aggregate.get(), index)); }

  // The bits of a computed float are about to become visible: see above.
  Value escape(Value v);
  // A number of the program's that nothing simplifies before escapes are decided.
  Value unfolded(Value number);
  // An integer of the same width, canonical.
  Value bits(Value v) { return v.is_float() ? bits_of(escape(v)) : v; }

  // --- memory ---
  Place place(const ptx::Operand& address, ptx::Space space);
  Place place(unsigned index, ptx::Space space) { return place(operand(index), space); }
  // The same as a generic address, an i64.
  Value generic_address(unsigned index, ptx::Space space);
  // Of an address in shared memory: the 32 bits that count.
  Value wrapped(Value address);
  // Reports to the mbarrier of address operand `mbarrier` that so many bytes have arrived.
  void complete_bytes(unsigned mbarrier, uint64_t bytes);
  // Access `index` of the `count` that make one vector access (simt/dialect.h, !ww.group).
  void mark_group(llvm::Instruction* access, unsigned index, unsigned count);
  // The address of a symbol as mov gives it: within its own space.
  Value address_of(const ptx::Operand& symbol);
  // An address in shared memory as the program sees it, made from the offset in the own block or from our form of a
  // .shared::cluster address (simt/abi.h); and back. They differ in modules that work for pairs.
  Value seen_address(Value offset);
  Value seen_cluster_address(Value address);
  Value shared_offset(Value seen);
  Value cluster_address(Value seen);

  // --- control ---
  llvm::BasicBlock* new_block(std::string_view name);
  // Ends the instruction's work with an error that names it (P0900), and what is missing or why.
  void unsupported(std::string_view what);
  void refuse(std::string_view why);
  FunctionLowering& function() { return function_; }
  std::string_view opcode() const { return inst->spec().opcode; }
};

}  // namespace warpwise::simt
