// The program of a warp while it is made from the program of one thread: what each value of the scalar function became,
// the mask under which code is emitted, and the builder that emits it.
//
//     uniform   %n        →   %n                        the same in every lane
//     affine    %i        →   %i of lane 0              the vector is made where it is asked for: base + <0, 1, ... 31>
//     varying   %x        →   <32 x float> %x
//
// Inactive lanes of a vector hold anything; a scalar is right for the active lanes. Code without an active lane is not
// run, so uniform loads and branches may be executed as they stand.
//
// Those who emit code (warp_emitter.h) share one of these.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <string>

#include "simt/analysis/lane_shapes.h"
#include "simt/vectorise/vectorise.h"

namespace warpwise::simt {

// What a value of the scalar function became.
struct LaneVector {
  llvm::Value* scalar = nullptr;  // uniform: the value; affine: lane 0's
  llvm::Value* vector = nullptr;  // varying: the value; else made on demand
  // Where a vector made on demand goes: after this instruction, or at the start of the block.
  llvm::Instruction* anchor = nullptr;
  llvm::BasicBlock* anchor_block = nullptr;
};

class WarpBuilder {
 public:
  using Value = llvm::Value;
  using Type = llvm::Type;

  // Makes the function of the warp, with an empty prologue: void (ptr block, i32 warp). The builder stands behind it.
  WarpBuilder(llvm::Function& kernel, const BlockShape& block, const VectoriseOptions& options);
  WarpBuilder(const WarpBuilder&) = delete;
  WarpBuilder& operator=(const WarpBuilder&) = delete;

  // --- values of the scalar function
  Value* scalar(Value* v);  // of a uniform or affine value
  Value* vector(Value* v);  // of any value
  void set_scalar(llvm::Instruction& i, Value* v);
  void set_vector(llvm::Instruction& i, Value* v);
  // The results of a call that returns several, each a scalar or a vector.
  void set_fields(llvm::Instruction& call, llvm::ArrayRef<Value*> fields);
  Value* field(Value* call, unsigned index) const;  // null: it has none
  const LaneVector& lanes_of(Value* v) { return values_[v]; }
  void go_to_anchor(const LaneVector& w);
  // A term's factor; lane 0's value and the distances of the others; what lanes differ by where an extension wrapped.
  Value* coefficient(const Coefficient& c, Type* type);
  Value* affine_vector(const Shape& shape, Value* base, Type* type);
  Value* corrected(const Shape& shape, Value* lanes, Type* type);
  // The instruction has no vector form: the function is thrown away (vectorise.h). The first reason counts.
  void fail(llvm::Instruction& i);
  void fail(const char* why);

  // --- lanes
  Type* wide(Type* scalar) const;
  Value* lanes_constant(const LaneConstants& lanes, Type* element) const;
  Value* splat(Value* s);
  Value* mask_bits(Value* mask);  // i32
  Value* bits_mask(Value* bits);  // <32 x i1> from i32
  Value* any(Value* mask);        // i1
  // The lanes [first, first + count) of a vector, which may be the whole.
  Value* part_of(Value* v, unsigned first, unsigned count);
  // Wide accesses are emitted in parts of a vector register, each with its first lane as the column of its debug place,
  // so that a fault finds its lane (simt/dialect.h).
  void at_lane(unsigned first_lane);
  // A vector kept in memory so that lanes can be read or written by number.
  Value* spill(Value* v, const char* name);
  Value* lane_of(Value* spilled, Type* type, Value* lane);
  void set_lane(Value* spilled, Type* type, Value* lane, Value* v);
  Value* unspill(Value* spilled, Type* vector_type);
  // Runs `body(lane, i32)` for each active lane, in order; the builder is left behind the loop.
  void for_each_lane(Value* mask, const std::function<void(Value* lane)>& body);
  // The same without a loop while all lanes are active.
  void for_each_lane_unrolled(Value* mask, const std::function<void(Value* lane)>& body);

  // --- the block
  llvm::AllocaInst* slot(Type* type, const llvm::Twine& name);
  Value* block_field(unsigned offset, Type* type, const char* name);  // of the BlockContext, read once
  Value* services_table();
  Value* site_of(llvm::Instruction& i);

  llvm::Function& kernel;
  const BlockShape block;
  const VectoriseOptions options;
  const LaneShapes shapes;
  llvm::LLVMContext& context;
  llvm::IRBuilder<> b;
  llvm::Function* function = nullptr;  // of the warp
  Value *block_arg = nullptr, *warp_arg = nullptr;
  llvm::Instruction* prologue_end = nullptr;  // before it: allocas, and values of the block
  Value* mask = nullptr;                      // active lanes of the block that is emitted
  const llvm::Loop* steady = nullptr;         // the innermost loop around it, if the mask is the same in each turn
  std::string failure;                        // "": none so far

 private:
  void anchor(LaneVector& w);

  llvm::DenseMap<Value*, LaneVector> values_;
  llvm::DenseMap<Value*, llvm::SmallVector<Value*, 2>> fields_;
  llvm::DenseMap<unsigned, Value*> block_fields_;  // by offset
};

}  // namespace warpwise::simt
