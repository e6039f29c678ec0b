// Calls of the dialect that are not exchanges between lanes: indices and bases, barriers, services.
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <cstddef>

#include "ptx/shapes/image_access.h"
#include "simt/abi.h"
#include "simt/block/block_values.h"
#include "simt/block/interleave_warps.h"
#include "simt/codegen/min_max.h"
#include "simt/instrument/expand_events.h"
#include "simt/vectorise/vectoriser.h"

namespace warpwise::simt {

using namespace llvm;

// --- lanes by number ------------------------------------------------------------------------------

Value* Vectoriser::spill(Value* v, const char* name) {
  AllocaInst* memory = slot(v->getType(), name);
  memory->setAlignment(Align(64));
  b_.CreateStore(v, memory);
  return memory;
}

Value* Vectoriser::lane_of(Value* spilled, Type* type, Value* lane) {
  return b_.CreateLoad(type, b_.CreateGEP(type, spilled, lane));
}

void Vectoriser::set_lane(Value* spilled, Type* type, Value* lane, Value* v) {
  b_.CreateStore(v, b_.CreateGEP(type, spilled, lane));
}

Value* Vectoriser::unspill(Value* spilled, Type* vector_type) { return b_.CreateLoad(vector_type, spilled); }

void Vectoriser::for_each_lane(Value* mask, const std::function<void(Value*)>& body) {
  BasicBlock* before = b_.GetInsertBlock();
  auto* test = BasicBlock::Create(context_, "lanes", warp_function_);
  auto* each = BasicBlock::Create(context_, "lane", warp_function_);
  auto* done = BasicBlock::Create(context_, "lanes.done", warp_function_);
  Value* all = mask_bits(mask);
  b_.CreateBr(test);
  b_.SetInsertPoint(test);
  PHINode* left = b_.CreatePHI(b_.getInt32Ty(), 2, "left");
  left->addIncoming(all, before);
  b_.CreateCondBr(b_.CreateICmpNE(left, b_.getInt32(0)), each, done);
  b_.SetInsertPoint(each);
  Value* lane = b_.CreateBinaryIntrinsic(Intrinsic::cttz, left, b_.getTrue());
  body(lane);
  Value* rest = b_.CreateAnd(left, b_.CreateSub(left, b_.getInt32(1)));
  left->addIncoming(rest, b_.GetInsertBlock());
  b_.CreateBr(test);
  b_.SetInsertPoint(done);
}

// --- the block's values -----------------------------------------------------------------------------

Value* Vectoriser::block_field(unsigned offset, Type* type, const char* name) {
  Value*& known = block_values_[offset];
  if (!known) {
    IRBuilder<> at(prologue_end_);
    known = load_block_field(at, block_arg_, offset, type, name);
  }
  return known;
}

Value* Vectoriser::services_table() { return block_field(offsetof(BlockContext, services), b_.getPtrTy(), "services"); }

Value* Vectoriser::site_of(Instruction& i) {
  DebugLoc loc = i.getDebugLoc();
  return b_.getInt32(loc ? loc.getLine() - 1 : 0);
}

// --- values of the thread and of the block ----------------------------------------------------------

// threadIdx: the index of the thread in its block, taken apart by the block's shape.
void Vectoriser::emit_tid(CallInst& call, unsigned axis) {
  const uint32_t nx = block_.size[0], ny = block_.size[1], nz = block_.size[2];
  // Remainders and quotients only where the block has several rows or planes.
  auto index = [&](Value* t) -> Value* {
    auto number = [&](uint32_t n) { return ConstantInt::get(t->getType(), n); };
    auto remainder = [&](Value* v, uint32_t n, bool more) { return more ? b_.CreateURem(v, number(n)) : v; };
    if (axis == 0) return remainder(t, nx, ny * nz > 1);
    if (axis == 1) return remainder(nx > 1 ? b_.CreateUDiv(t, number(nx)) : t, ny, nz > 1);
    return b_.CreateUDiv(t, number(nx * ny));
  };
  // With one warp the base is known: let it be a constant.
  Value* first = block_.warps() == 1 ? b_.getInt32(0) : b_.CreateNUWMul(warp_arg_, b_.getInt32(kLanes));
  if (shapes_.of(&call).is_affine()) return set_scalar(call, index(first));
  LaneConstants lanes;
  for (unsigned l = 0; l < kLanes; ++l) lanes[l] = l;
  set_vector(call, index(b_.CreateAdd(splat(first), lanes_constant(lanes, b_.getInt32Ty()))));
}

void Vectoriser::emit_lanemask(CallInst& call, Dialect which) {
  LaneConstants lanes;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t own = uint32_t{1} << l, below = own - 1;
    lanes[l] = int32_t(which == Dialect::LanemaskEq   ? own
                       : which == Dialect::LanemaskLe ? own | below
                       : which == Dialect::LanemaskLt ? below
                       : which == Dialect::LanemaskGe ? ~below
                                                      : ~(own | below));
  }
  set_vector(call, lanes_constant(lanes, b_.getInt32Ty()));
}

void Vectoriser::emit_local_base(CallInst& call) {
  Type* i64 = b_.getInt64Ty();
  Value* base = b_.CreateSub(block_field(offsetof(BlockContext, local), i64, "local"), b_.getInt64(kAliasOffset));
  Value* first = b_.CreateMul(b_.CreateZExt(warp_arg_, i64), b_.getInt64(uint64_t{kLanes} * options_.local_stride));
  set_scalar(call, b_.CreateAdd(base, first));
}

// isspacep: does the generic address lie in the window of a space?
void Vectoriser::emit_window_test(CallInst& call, Dialect which) {
  Value* window = load_window_base(b_, block_arg_, which);
  Value* size = load_window_size(b_, block_arg_, which);
  Value* address = call.getArgOperand(0);
  if (is_uniform(address)) return set_scalar(call, b_.CreateICmpULT(b_.CreateSub(scalar(address), window), size));
  set_vector(call, b_.CreateICmpULT(b_.CreateSub(vector(address), splat(window)), splat(size)));
}

void Vectoriser::emit_min_max(CallInst& call, Dialect which) {
  const bool is_max = which == Dialect::MaxF32 || which == Dialect::MaxF64;
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  if (is_uniform(&call)) return set_scalar(call, build_min_max(b_, scalar(x), scalar(y), is_max, false, false, false));
  set_vector(call,
             build_min_max(b_, vector(x), vector(y), is_max, options_.range_instructions, is_quiet(x), is_quiet(y)));
}

void Vectoriser::emit_block_value(CallInst& call, Dialect which) {
  IRBuilder<> at(prologue_end_);
  Value*& known = block_values_[0x10000u + unsigned(which)];
  if (!known) known = load_block_value(at, block_arg_, which, block_);
  set_scalar(call, known);
}

// --- barriers -------------------------------------------------------------------------------------

// Barriers stay calls, of scalars, until block/split_at_barriers.h.
void Vectoriser::emit_barrier(CallInst& call) {
  Instruction* copy = call.clone();
  for (unsigned n = 0; n < call.arg_size(); ++n) cast<CallInst>(copy)->setArgOperand(n, scalar(call.getArgOperand(n)));
  b_.Insert(copy);
}

// Contribute, wait, read: the transition between regions publishes what was gathered (block/split_at_barriers.h). `and`
// gathers the lanes whose predicate is false.
//
//     barrier_result[0] += popc(lanes)   barrier   result = barrier_result[1]
void Vectoriser::emit_barrier_red(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  const unsigned op = unsigned(cast<ConstantInt>(call.getArgOperand(2))->getZExtValue());
  Value* predicate = b_.CreateFreeze(vector(call.getArgOperand(3)));
  if (op == 1) predicate = b_.CreateNot(predicate);
  Value* bits = mask_bits(b_.CreateSelect(mask_, predicate, Constant::getNullValue(mask_->getType())));
  Value* gathering = b_.CreateConstGEP1_64(b_.getInt8Ty(), block_arg_, offsetof(BlockContext, barrier_result));
  auto* before = b_.CreateLoad(i32, gathering);
  auto* store = b_.CreateStore(b_.CreateAdd(before, b_.CreateUnaryIntrinsic(Intrinsic::ctpop, bits)), gathering);
  for (Instruction* half : {static_cast<Instruction*>(before), static_cast<Instruction*>(store)})
    half->setMetadata(kUpdate, MDNode::get(context_, {}));
  FunctionCallee sync =
      kernel_.getParent()->getOrInsertFunction(name_of(Dialect::BarrierSync), b_.getVoidTy(), i32, i32);
  cast<Function>(sync.getCallee())->setConvergent();
  b_.CreateCall(sync, {scalar(call.getArgOperand(0)), scalar(call.getArgOperand(1))})
      ->setMetadata("ww.red", MDNode::get(context_, {}));
  Value* published = b_.CreateConstGEP1_64(b_.getInt8Ty(), block_arg_, offsetof(BlockContext, barrier_result) + 4);
  auto* answer = b_.CreateLoad(i32, published);
  // Block-uniform until the next barrier, where all warps arrive after they have read it.
  answer->setMetadata("ww.common", MDNode::get(context_, {}));
  Value* result = answer;
  if (op == 1) result = b_.CreateZExt(b_.CreateICmpEQ(result, b_.getInt32(0)), i32);
  if (op == 2) result = b_.CreateZExt(b_.CreateICmpNE(result, b_.getInt32(0)), i32);
  set_scalar(call, result);
}

// --- the calls ------------------------------------------------------------------------------------

void Vectoriser::emit_dialect(CallInst& call, Dialect which) {
  if (const ServedBy& served = served_in_simt_mode(which); served.is_call()) return emit_served(call, served);
  switch (which) {
    case Dialect::TidX:
    case Dialect::TidY:
    case Dialect::TidZ:
      return emit_tid(call, unsigned(which) - unsigned(Dialect::TidX));
    case Dialect::LaneId:
      return set_scalar(call, b_.getInt32(0));
    case Dialect::WarpId:
      return set_scalar(call, warp_arg_);
    case Dialect::LanemaskEq:
    case Dialect::LanemaskLe:
    case Dialect::LanemaskLt:
    case Dialect::LanemaskGe:
    case Dialect::LanemaskGt:
      return emit_lanemask(call, which);
    case Dialect::LocalBase:
      return emit_local_base(call);
    case Dialect::IsShared:
    case Dialect::IsLocal:
    case Dialect::IsParam:
      return emit_window_test(call, which);
    case Dialect::BarrierSync:
    case Dialect::BarrierArrive:
      return emit_barrier(call);
    case Dialect::BarrierRed:
      return emit_barrier_red(call);
    case Dialect::MinF32:
    case Dialect::MaxF32:
    case Dialect::MinF64:
    case Dialect::MaxF64:
      return emit_min_max(call, which);
    default:
      break;
  }
  switch (class_of(which)) {
    case DialectClass::Block:
      return emit_block_value(call, which);
    case DialectClass::Warp:
      return emit_warp_op(call, which);
    case DialectClass::Effect:
    case DialectClass::Pure:
      return emit_effect(call, which);
    default:
      return fail(call);
  }
}

// --- services, once per lane ------------------------------------------------------------------------

// A call of a service for each active lane, in order. Arguments that differ between lanes and the results lie in memory
// meanwhile.
class Vectoriser::LaneCalls {
 public:
  LaneCalls(Vectoriser& v, CallInst& call) : v_(v), call_(call) {}

  // `one` emits the call for a lane and gives its result.
  void emit(const std::function<Value*(Value* lane)>& one) {
    Type* type = call_.getType();
    for (Value* v : call_.args())
      arguments_.push_back(v_.is_uniform(v) ? Argument{v_.scalar(v), nullptr, v->getType()}
                                            : Argument{nullptr, v_.spill(v_.vector(v), "args"), v->getType()});
    Value* results = type->isVoidTy() ? nullptr : v_.spill(Constant::getNullValue(v_.wide(type)), "results");
    v_.for_each_lane(v_.mask_, [&](Value* lane) {
      Value* result = one(lane);
      if (results) v_.set_lane(results, type, lane, result);
    });
    if (results) v_.set_vector(call_, v_.unspill(results, v_.wide(type)));
  }

  // The n-th argument of the call in a lane; within `emit` only.
  Value* argument(unsigned n, Value* lane) {
    const Argument& a = arguments_[n];
    return a.scalar ? a.scalar : v_.lane_of(a.spilled, a.type, lane);
  }
  void append_arguments(SmallVectorImpl<Value*>& values, Value* lane) {
    for (unsigned n = 0; n < arguments_.size(); ++n) values.push_back(argument(n, lane));
  }

 private:
  struct Argument {
    Value *scalar, *spilled;
    Type* type;
  };
  Vectoriser& v_;
  CallInst& call_;
  SmallVector<Argument, 4> arguments_;
};

Value* Vectoriser::call_service(Service service, ArrayRef<Value*> arguments) {
  return simt::call_service(b_, services_table(), service, arguments);
}

Value* Vectoriser::value_of(Role role, CallInst& call, Value* lane) {
  switch (role) {
    case Role::Block:
      return block_arg_;
    case Role::Warp:
      return warp_arg_;
    case Role::Lane:
      return lane;
    case Role::Lanes:
      return mask_bits(mask_);
    case Role::Site:
      return site_of(call);
    default:
      llvm_unreachable("a service that SIMT mode cannot call");  // services.inc is checked at compile time
  }
}

void Vectoriser::emit_served(CallInst& call, const ServedBy& served) {
  switch (served.how) {
    case ServedBy::How::OncePerWarp: {
      const auto values = service_arguments(b_, served, {}, [&](Role role) { return value_of(role, call); });
      Value* result = call_service(served.service, values);
      if (!call.getType()->isVoidTy()) set_scalar(call, result);
      return;
    }
    case ServedBy::How::ForEachLane:
      return emit_lane_service(call, served);
    case ServedBy::How::Pure:
      return emit_pure_service(call, served);
    default:
      return fail(call);
  }
}

void Vectoriser::emit_lane_service(CallInst& call, const ServedBy& served) {
  LaneCalls lanes(*this, call);
  lanes.emit([&](Value* lane) {
    SmallVector<Value*, 16> arguments;
    lanes.append_arguments(arguments, lane);
    return call_service(served.service, service_arguments(b_, served, arguments,
                                                          [&](Role role) { return value_of(role, call, lane); }));
  });
}

// Called once where the arguments are uniform.
void Vectoriser::emit_pure_service(CallInst& call, const ServedBy& served) {
  if (!shapes_.of(&call).is_uniform()) return emit_lane_service(call, served);
  SmallVector<Value*, 4> arguments;
  for (Value* v : call.args()) arguments.push_back(scalar(v));
  set_scalar(call, call_service(served.service, service_arguments(b_, served, arguments,
                                                                  [&](Role role) { return value_of(role, call); })));
}

// For the lanes whose stack would reach beyond their local memory.
void Vectoriser::emit_stack_check(CallInst& call) {
  Value* end = call.getArgOperand(0);
  if (auto* constant = dyn_cast<ConstantInt>(end); constant && constant->getZExtValue() <= options_.local_stride)
    return;
  Value* full = b_.CreateAnd(mask_, b_.CreateICmpUGT(vector(end), splat(b_.getInt64(options_.local_stride))));
  for_each_lane(
      full, [&](Value* lane) { call_service(Service::stack_overflow, {block_arg_, warp_arg_, lane, site_of(call)}); });
}

// What has code of its own here (services.inc).
void Vectoriser::emit_effect(CallInst& call, Dialect which) {
  switch (which) {
    case Dialect::Nanosleep:  // other blocks may run meanwhile
      call_service(Service::poll, {block_arg_, warp_arg_, site_of(call)});
      return;
    case Dialect::Image:
      return emit_image(call);
    case Dialect::StackCheck:
      return emit_stack_check(call);
    case Dialect::FlushSums:
    case Dialect::FlushSumsAt:
      return emit_flush(call);
    case Dialect::Event:
      return emit_event(call);
    case Dialect::ShadowCheck:
      return emit_shadow_check(call);
    case Dialect::Race:
      return emit_race(call);
    case Dialect::CountBlock:
    case Dialect::CountGuard:
    case Dialect::CountAccess:
      return emit_count(call, which);
    default:
      return fail(call);
  }
}

void Vectoriser::report(Value* lanes, Value* what, Value* addresses, Value* values, Value* site) {
  b_.CreateCall(report_function(*warp_function_->getParent()),
                {block_arg_, warp_arg_, lanes, what, addresses, values, site});
}

// One call for the lanes where the condition holds, mostly none: what the call needs is made behind the branch.
void Vectoriser::emit_event(CallInst& call) {
  Type* i64 = b_.getInt64Ty();
  Value *condition = call.getArgOperand(0), *address = call.getArgOperand(2), *value = call.getArgOperand(3);
  const bool always = match(condition, PatternMatch::m_One());
  Value* bits;
  if (always)
    bits = mask_bits(mask_);
  else if (is_uniform(condition))
    bits = b_.CreateSelect(b_.CreateFreeze(scalar(condition)), mask_bits(mask_), b_.getInt32(0));
  else
    bits =
        mask_bits(b_.CreateSelect(mask_, b_.CreateFreeze(vector(condition)), Constant::getNullValue(mask_->getType())));
  // Affine operands become vectors behind the branch.
  auto early = [&](Value* v) {
    const Shape& shape = shapes_.of(v);
    return shape.is_affine() && shape.corrections.empty() ? nullptr : vector(v);
  };
  auto late = [&](Value* v, Value* made) { return made ? made : affine_vector(shapes_.of(v), scalar(v), i64); };
  Value* addresses = early(address);
  Value* values = early(value);
  BasicBlock* on = nullptr;
  if (!always) {
    auto* event = BasicBlock::Create(context_, "event", warp_function_);
    on = BasicBlock::Create(context_, "event.done", warp_function_);
    // An event for no lane is right for every warp, so all interleaved warps may go there as soon as one of them must.
    b_.CreateCondBr(b_.CreateICmpEQ(bits, b_.getInt32(0)), on, event, MDBuilder(context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
    b_.SetInsertPoint(event);
  }
  report(bits, scalar(call.getArgOperand(1)), late(address, addresses), late(value, values), site_of(call));
  if (always) return;
  b_.CreateBr(on);
  b_.SetInsertPoint(on);
}

// One call for the whole warp: arguments and results lie in memory, a vector of 32 lanes each.
void Vectoriser::emit_image(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  Type* i64 = b_.getInt64Ty();
  const uint64_t code = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const ptx::ImageAccess access = ptx::ImageAccess::unpack(code);
  if (!image_handles_) {
    image_handles_ = slot(ArrayType::get(i64, kLanes), "image.handles");
    image_words_ = slot(ArrayType::get(i32, kLanes * ptx::kMostImageWords), "image.words");
    image_results_ = slot(ArrayType::get(i32, kLanes * ptx::kMostImageResults), "image.results");
    for (AllocaInst* memory : {image_handles_, image_words_, image_results_}) memory->setAlignment(Align(64));
  }
  auto lanes_at = [&](Value* memory, unsigned k) {
    return b_.CreateConstInBoundsGEP1_64(i32, memory, uint64_t{k} * kLanes);
  };
  b_.CreateAlignedStore(vector(call.getArgOperand(1)), image_handles_, Align(64));
  for (unsigned k = 0; k < access.words; ++k)
    b_.CreateAlignedStore(vector(call.getArgOperand(2 + k)), lanes_at(image_words_, k), Align(64));
  call_service(Service::image, {block_arg_, warp_arg_, mask_bits(mask_), b_.getInt64(code), image_handles_,
                                image_words_, image_results_, site_of(call)});
  SmallVector<Value*, 4> fields;
  for (unsigned k = 0; k < ptx::kMostImageResults; ++k)
    fields.push_back(k < access.results
                         ? static_cast<Value*>(b_.CreateAlignedLoad(wide(i32), lanes_at(image_results_, k), Align(64)))
                         : Constant::getNullValue(wide(i32)));
  set_fields(call, fields);
}

}  // namespace warpwise::simt
