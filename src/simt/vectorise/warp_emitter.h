// What all emit with that make the code of a warp: the state of a WarpBuilder under short names.
#pragma once

#include "simt/service_calls.h"
#include "simt/vectorise/warp_builder.h"

namespace warpwise::simt {

class WarpEmitter {
 public:
  explicit WarpEmitter(WarpBuilder& w)
      : w_(w),
        b_(w.b),
        mask_(w.mask),
        context_(w.context),
        warp_function_(w.function),
        block_arg_(w.block_arg),
        warp_arg_(w.warp_arg),
        block_(w.block),
        options_(w.options),
        shapes_(w.shapes) {}

 protected:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using BasicBlock = llvm::BasicBlock;

  Value* scalar(Value* v) { return w_.scalar(v); }
  Value* vector(Value* v) { return w_.vector(v); }
  bool is_uniform(Value* v) const { return shapes_.of(v).is_uniform(); }
  void set_scalar(llvm::Instruction& i, Value* v) { w_.set_scalar(i, v); }
  void set_vector(llvm::Instruction& i, Value* v) { w_.set_vector(i, v); }
  void set_fields(llvm::Instruction& call, llvm::ArrayRef<Value*> fields) { w_.set_fields(call, fields); }
  void fail(llvm::Instruction& i) { w_.fail(i); }
  Value* coefficient(const Coefficient& c, Type* type) { return w_.coefficient(c, type); }
  Value* affine_vector(const Shape& shape, Value* base, Type* type) { return w_.affine_vector(shape, base, type); }
  Value* corrected(const Shape& shape, Value* lanes, Type* type) { return w_.corrected(shape, lanes, type); }

  Type* wide(Type* scalar) const { return w_.wide(scalar); }
  Value* lanes_constant(const LaneConstants& lanes, Type* element) const { return w_.lanes_constant(lanes, element); }
  Value* splat(Value* s) { return w_.splat(s); }
  Value* mask_bits(Value* mask) { return w_.mask_bits(mask); }
  Value* bits_mask(Value* bits) { return w_.bits_mask(bits); }
  Value* any(Value* mask) { return w_.any(mask); }
  Value* part_of(Value* v, unsigned first, unsigned count) { return w_.part_of(v, first, count); }
  void at_lane(unsigned first_lane) { w_.at_lane(first_lane); }
  Value* spill(Value* v, const char* name) { return w_.spill(v, name); }
  Value* lane_of(Value* spilled, Type* type, Value* lane) { return w_.lane_of(spilled, type, lane); }
  void set_lane(Value* spilled, Type* type, Value* lane, Value* v) { w_.set_lane(spilled, type, lane, v); }
  Value* unspill(Value* spilled, Type* vector_type) { return w_.unspill(spilled, vector_type); }
  void for_each_lane(Value* mask, const std::function<void(Value* lane)>& body) { w_.for_each_lane(mask, body); }
  void for_each_lane_unrolled(Value* mask, const std::function<void(Value* lane)>& body) {
    w_.for_each_lane_unrolled(mask, body);
  }

  llvm::AllocaInst* slot(Type* type, const llvm::Twine& name) { return w_.slot(type, name); }
  Value* block_field(unsigned offset, Type* type, const char* name) { return w_.block_field(offset, type, name); }
  // A field of the BlockContext that changes while a block runs: read here, each time.
  Value* changing_field(unsigned offset) { return b_.CreateLoad(b_.getInt64Ty(), changing_place(offset)); }
  Value* changing_place(unsigned offset) { return b_.CreateConstGEP1_64(b_.getInt8Ty(), block_arg_, offset); }
  Value* site_of(llvm::Instruction& i) { return w_.site_of(i); }
  Value* call_service(Service service, llvm::ArrayRef<Value*> arguments) {
    return simt::call_service(b_, w_.services_table(), service, arguments);
  }

  WarpBuilder& w_;
  llvm::IRBuilder<>& b_;
  Value*& mask_;
  llvm::LLVMContext& context_;
  llvm::Function* const warp_function_;
  Value *const block_arg_, *const warp_arg_;
  const BlockShape& block_;
  const VectoriseOptions& options_;
  const LaneShapes& shapes_;
};

}  // namespace warpwise::simt
