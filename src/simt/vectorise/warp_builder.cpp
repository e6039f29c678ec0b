#include "simt/vectorise/warp_builder.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/block_values.h"
#include "simt/compiler.h"
#include "simt/service_calls.h"

namespace warpwise::simt {

using namespace llvm;

WarpBuilder::WarpBuilder(Function& kernel, const BlockShape& block, const VectoriseOptions& options)
    : kernel(kernel),
      block(block),
      options(options),
      shapes(kernel, block, options.local_stride),
      context(kernel.getContext()),
      b(context) {
  auto* type =
      FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0), Type::getInt32Ty(context)}, false);
  function = Function::Create(type, GlobalValue::InternalLinkage, kernel.getName() + ".warp", kernel.getParent());
  function->setSubprogram(kernel.getSubprogram());
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::NullPointerIsValid);
  block_arg = function->getArg(0);
  warp_arg = function->getArg(1);
  block_arg->setName("block");
  warp_arg->setName("warp");
  function->addParamAttr(0, Attribute::NoAlias);
  auto* prologue = BasicBlock::Create(context, "prologue", function);
  auto* start = BasicBlock::Create(context, "start", function);
  b.SetInsertPoint(prologue);
  prologue_end = b.CreateBr(start);
  b.SetInsertPoint(start);
}

// --- lanes --------------------------------------------------------------------------------------

Type* WarpBuilder::wide(Type* scalar) const { return FixedVectorType::get(scalar, kLanes); }

Value* WarpBuilder::lanes_constant(const LaneConstants& lanes, Type* element) const {
  SmallVector<Constant*, kLanes> list;
  for (int64_t v : lanes) list.push_back(ConstantInt::getSigned(element, v));
  return ConstantVector::get(list);
}

Value* WarpBuilder::splat(Value* s) { return b.CreateVectorSplat(kLanes, s); }

Value* WarpBuilder::mask_bits(Value* mask) {
  // Without the target's sizes a cast of constants would stay an expression, which passes do not take for all ones.
  if (auto* known = dyn_cast<Constant>(mask); known && known->isAllOnesValue()) return b.getInt32(~0u);
  return b.CreateBitCast(mask, b.getInt32Ty());
}

Value* WarpBuilder::bits_mask(Value* bits) { return b.CreateBitCast(bits, wide(b.getInt1Ty())); }

Value* WarpBuilder::any(Value* mask) { return b.CreateICmpNE(mask_bits(mask), b.getInt32(0)); }

// --- the values of the scalar function ------------------------------------------------------------

void WarpBuilder::anchor(LaneVector& w) {
  w.anchor_block = b.GetInsertBlock();
  w.anchor = w.anchor_block->empty() ? nullptr : &w.anchor_block->back();
}

void WarpBuilder::go_to_anchor(const LaneVector& w) {
  if (!w.anchor || isa<PHINode>(w.anchor))
    b.SetInsertPoint(w.anchor_block, w.anchor_block->getFirstInsertionPt());
  else
    b.SetInsertPoint(w.anchor_block, std::next(w.anchor->getIterator()));
}

void WarpBuilder::set_scalar(Instruction& i, Value* v) {
  LaneVector& w = values_[&i];
  w.scalar = v;
  anchor(w);
}

void WarpBuilder::set_vector(Instruction& i, Value* v) { values_[&i].vector = v; }

void WarpBuilder::set_fields(Instruction& call, ArrayRef<Value*> fields) {
  fields_[&call].assign(fields.begin(), fields.end());
}

Value* WarpBuilder::field(Value* call, unsigned index) const {
  auto found = fields_.find(call);
  return found == fields_.end() || index >= found->second.size() ? nullptr : found->second[index];
}

Value* WarpBuilder::scalar(Value* v) {
  if (isa<Constant>(v)) return v;
  Value*& s = values_[v].scalar;
  if (!s) {
    fail("the scalar of a varying value was asked for");
    s = PoisonValue::get(v->getType());
  }
  return s;
}

Value* WarpBuilder::coefficient(const Coefficient& c, Type* type) {
  if (!c.value) return ConstantInt::get(type, 1);
  Value* s = scalar(c.value);
  switch (c.convert) {
    case Coefficient::Convert::None:
      return s;
    case Coefficient::Convert::SignExtend:
      return b.CreateSExt(s, type);
    case Coefficient::Convert::Truncate:
      return b.CreateTrunc(s, type);
  }
  return s;
}

Value* WarpBuilder::affine_vector(const Shape& shape, Value* base, Type* type) {
  Value* lanes = splat(base);
  for (const Term& t : shape.terms) {
    Value* offsets = lanes_constant(t.lanes, type);
    if (t.coefficient.value) offsets = b.CreateMul(splat(coefficient(t.coefficient, type)), offsets);
    lanes = b.CreateAdd(lanes, offsets);
  }
  return lanes;
}

Value* WarpBuilder::corrected(const Shape& shape, Value* lanes, Type* type) {
  for (const Correction& c : shape.corrections) {
    auto* extension = cast<CastInst>(c.extension);
    Value* truth = b.CreateCast(extension->getOpcode(), vector(extension->getOperand(0)), wide(extension->getType()));
    Shape affine = shapes.of(extension);
    Value* assumed = affine_vector(affine, scalar(extension), extension->getType());
    Value* difference = b.CreateSub(truth, assumed);
    if (difference->getType() != wide(type)) difference = b.CreateTrunc(difference, wide(type));
    lanes = b.CreateAdd(lanes, b.CreateMul(difference, splat(ConstantInt::getSigned(type, c.multiplier))));
  }
  return lanes;
}

Value* WarpBuilder::vector(Value* v) {
  if (auto* c = dyn_cast<Constant>(v)) return ConstantVector::getSplat(ElementCount::getFixed(kLanes), c);
  LaneVector& w = values_[v];
  if (w.vector) return w.vector;
  if (!w.scalar) {  // a value that has no vector form, such as a pair: give up on the mode
    if (failure.empty()) {
      raw_string_ostream out(failure);
      out << "cannot be vectorised:" << *v;
    }
    return w.vector = PoisonValue::get(wide(v->getType()->isStructTy() ? b.getInt32Ty() : v->getType()));
  }
  const Shape shape = shapes.of(v);
  LaneVector where = w;
  // Extensions inside are anchored before this value: make their vectors first.
  for (const Correction& c : shape.corrections) vector(cast<CastInst>(c.extension)->getOperand(0));
  IRBuilder<>::InsertPointGuard guard(b);
  go_to_anchor(where);
  Value* made = shape.terms.empty() && shape.corrections.empty() ? splat(where.scalar)
                                                                 : affine_vector(shape, where.scalar, v->getType());
  made = corrected(shape, made, v->getType());
  values_[v].vector = made;
  return made;
}

void WarpBuilder::fail(const char* why) {
  if (failure.empty()) failure = why;
}

void WarpBuilder::fail(Instruction& i) {
  if (!failure.empty()) return;
  raw_string_ostream out(failure);
  out << "cannot be vectorised:" << i;
  if (!i.getType()->isVoidTy())
    set_vector(i, PoisonValue::get(wide(i.getType()->isStructTy() ? b.getInt32Ty() : i.getType())));
}

// --- lanes by number ------------------------------------------------------------------------------

Value* WarpBuilder::spill(Value* v, const char* name) {
  AllocaInst* memory = slot(v->getType(), name);
  memory->setAlignment(Align(64));
  b.CreateStore(v, memory);
  return memory;
}

Value* WarpBuilder::lane_of(Value* spilled, Type* type, Value* lane) {
  return b.CreateLoad(type, b.CreateGEP(type, spilled, lane));
}

void WarpBuilder::set_lane(Value* spilled, Type* type, Value* lane, Value* v) {
  b.CreateStore(v, b.CreateGEP(type, spilled, lane));
}

Value* WarpBuilder::unspill(Value* spilled, Type* vector_type) { return b.CreateLoad(vector_type, spilled); }

void WarpBuilder::for_each_lane(Value* mask, const std::function<void(Value*)>& body) {
  BasicBlock* before = b.GetInsertBlock();
  auto* test = BasicBlock::Create(context, "lanes", function);
  auto* each = BasicBlock::Create(context, "lane", function);
  auto* done = BasicBlock::Create(context, "lanes.done", function);
  Value* all = mask_bits(mask);
  b.CreateBr(test);
  b.SetInsertPoint(test);
  PHINode* left = b.CreatePHI(b.getInt32Ty(), 2, "left");
  left->addIncoming(all, before);
  b.CreateCondBr(b.CreateICmpNE(left, b.getInt32(0)), each, done);
  b.SetInsertPoint(each);
  Value* lane = b.CreateBinaryIntrinsic(Intrinsic::cttz, left, b.getTrue());
  body(lane);
  Value* rest = b.CreateAnd(left, b.CreateSub(left, b.getInt32(1)));
  left->addIncoming(rest, b.GetInsertBlock());
  b.CreateBr(test);
  b.SetInsertPoint(done);
}

void WarpBuilder::for_each_lane_unrolled(Value* mask, const std::function<void(Value*)>& body) {
  if (options.compact) return for_each_lane(mask, body);
  auto* all = BasicBlock::Create(context, "all_lanes", function);
  auto* some = BasicBlock::Create(context, "some_lanes", function);
  auto* done = BasicBlock::Create(context, "all_lanes.done", function);
  b.CreateCondBr(b.CreateICmpEQ(mask_bits(mask), b.getInt32(~0u)), all, some);
  b.SetInsertPoint(all);
  for (unsigned l = 0; l < kLanes; ++l) body(b.getInt32(l));
  b.CreateBr(done);
  b.SetInsertPoint(some);
  for_each_lane(mask, body);
  b.CreateBr(done);
  b.SetInsertPoint(done);
}

// --- places ---------------------------------------------------------------------------------------

void WarpBuilder::at_lane(unsigned first_lane) {  // or with what Site::first_lane adds to it
  DebugLoc here = b.getCurrentDebugLocation();
  if (!here) return;
  const unsigned shadow = here.getCol() ? (here.getCol() - 1) / kShadowColumn * kShadowColumn : 0;
  b.SetCurrentDebugLocation(
      DILocation::get(context, here.getLine(), shadow + first_lane + 1, here.getScope(), here.getInlinedAt()));
}

// The lanes [first, first + count) of a vector, which may be the whole.
Value* WarpBuilder::part_of(Value* v, unsigned first, unsigned count) {
  if (count == cast<FixedVectorType>(v->getType())->getNumElements()) return v;
  SmallVector<int, kLanes> lanes;
  for (unsigned l = 0; l < count; ++l) lanes.push_back(int(first + l));
  return b.CreateShuffleVector(v, lanes);
}

// --- the block ------------------------------------------------------------------------------------

AllocaInst* WarpBuilder::slot(Type* type, const Twine& name) {
  IRBuilder<> at(prologue_end);
  return at.CreateAlloca(type, nullptr, name);
}

Value* WarpBuilder::block_field(unsigned offset, Type* type, const char* name) {
  Value*& known = block_fields_[offset];
  if (!known) {
    IRBuilder<> at(prologue_end);
    known = load_block_field(at, block_arg, offset, type, name);
  }
  return known;
}

Value* WarpBuilder::services_table() { return block_field(offsetof(BlockContext, services), b.getPtrTy(), "services"); }

Value* WarpBuilder::site_of(Instruction& i) {
  DebugLoc loc = i.getDebugLoc();
  return b.getInt32(loc ? loc.getLine() - 1 : 0);
}

}  // namespace warpwise::simt
