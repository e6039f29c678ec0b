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

Value* Vectoriser::service(unsigned offset) {
  Value* table = block_field(offsetof(BlockContext, services), b_.getPtrTy(), "services");
  return b_.CreateAlignedLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getInt8Ty(), table, offset), Align(8));
}

Value* Vectoriser::site_of(Instruction& i) {
  DebugLoc loc = i.getDebugLoc();
  return b_.getInt32(loc ? loc.getLine() - 1 : 0);
}

// --- the calls ------------------------------------------------------------------------------------

void Vectoriser::emit_dialect(CallInst& call, Dialect which) {
  Type* i32 = b_.getInt32Ty();
  Type* i64 = b_.getInt64Ty();
  switch (which) {
    case Dialect::TidX:
    case Dialect::TidY:
    case Dialect::TidZ: {
      const unsigned axis = unsigned(which) - unsigned(Dialect::TidX);
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
      return set_vector(call, index(b_.CreateAdd(splat(first), lanes_constant(lanes, i32))));
    }
    case Dialect::LaneId:
      return set_scalar(call, b_.getInt32(0));
    case Dialect::WarpId:
      return set_scalar(call, warp_arg_);
    case Dialect::LanemaskEq:
    case Dialect::LanemaskLe:
    case Dialect::LanemaskLt:
    case Dialect::LanemaskGe:
    case Dialect::LanemaskGt: {
      LaneConstants lanes;
      for (unsigned l = 0; l < kLanes; ++l) {
        uint32_t own = uint32_t{1} << l, below = own - 1;
        lanes[l] = int32_t(which == Dialect::LanemaskEq   ? own
                           : which == Dialect::LanemaskLe ? own | below
                           : which == Dialect::LanemaskLt ? below
                           : which == Dialect::LanemaskGe ? ~below
                                                          : ~(own | below));
      }
      return set_vector(call, lanes_constant(lanes, i32));
    }
    case Dialect::LocalBase: {
      Value* base = b_.CreateSub(block_field(offsetof(BlockContext, local), i64, "local"), b_.getInt64(kAliasOffset));
      Value* first = b_.CreateMul(b_.CreateZExt(warp_arg_, i64), b_.getInt64(uint64_t{kLanes} * options_.local_stride));
      return set_scalar(call, b_.CreateAdd(base, first));
    }
    case Dialect::IsShared:
    case Dialect::IsLocal:
    case Dialect::IsParam: {
      Value* window = load_window_base(b_, block_arg_, which);
      Value* size = load_window_size(b_, block_arg_, which);
      if (is_uniform(call.getArgOperand(0))) {
        return set_scalar(call, b_.CreateICmpULT(b_.CreateSub(scalar(call.getArgOperand(0)), window), size));
      }
      return set_vector(call,
                        b_.CreateICmpULT(b_.CreateSub(vector(call.getArgOperand(0)), splat(window)), splat(size)));
    }
    case Dialect::BarrierSync:
    case Dialect::BarrierArrive: {
      Instruction* copy = call.clone();
      for (unsigned n = 0; n < call.arg_size(); ++n)
        cast<CallInst>(copy)->setArgOperand(n, scalar(call.getArgOperand(n)));
      b_.Insert(copy);
      return;
    }
    case Dialect::BarrierRed: {
      // Contribute, meet, read: the transition between regions publishes what was gathered
      // (split_at_barriers). `and` gathers lanes whose predicate is false.
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
      answer->setMetadata(
          "ww.common",
          MDNode::get(context_, {}));  // until the next barrier, which all warps reach after they have read it
      Value* result = answer;
      if (op == 1) result = b_.CreateZExt(b_.CreateICmpEQ(result, b_.getInt32(0)), i32);
      if (op == 2) result = b_.CreateZExt(b_.CreateICmpNE(result, b_.getInt32(0)), i32);
      return set_scalar(call, result);
    }
    case Dialect::MinF32:
    case Dialect::MaxF32:
    case Dialect::MinF64:
    case Dialect::MaxF64: {
      const bool is_max = which == Dialect::MaxF32 || which == Dialect::MaxF64;
      Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
      if (is_uniform(&call))
        return set_scalar(call, build_min_max(b_, scalar(x), scalar(y), is_max, false, false, false));
      return set_vector(
          call, build_min_max(b_, vector(x), vector(y), is_max, options_.range_instructions, is_quiet(x), is_quiet(y)));
    }
    default:
      break;
  }
  switch (class_of(which)) {
    case DialectClass::Block: {
      IRBuilder<> at(prologue_end_);
      Value*& known = block_values_[0x10000u + unsigned(which)];
      if (!known) known = load_block_value(at, block_arg_, which, block_);
      return set_scalar(call, known);
    }
    case DialectClass::Warp:
      return emit_warp_op(call, which);
    case DialectClass::Effect:
    case DialectClass::Pure:
      return emit_effect(call, which);
    default:
      return fail(call);
  }
}

void Vectoriser::emit_effect(CallInst& call, Dialect which) {
  Type* i32 = b_.getInt32Ty();
  Type* i64 = b_.getInt64Ty();
  Type* ptr = b_.getPtrTy();
  Type* none = b_.getVoidTy();
  auto invoke = [&](unsigned offset, Type* result, ArrayRef<Type*> types, ArrayRef<Value*> args) {
    return b_.CreateCall(FunctionType::get(result, types, false), service(offset), args);
  };
  // The n-th argument in one lane.
  struct Lanes {
    Value* scalar;
    Value* spilled;
    Type* type;
  };
  SmallVector<Lanes, 4> args;
  auto prepare = [&] {
    for (Value* v : call.args())
      args.push_back(is_uniform(v) ? Lanes{scalar(v), nullptr, v->getType()}
                                   : Lanes{nullptr, spill(vector(v), "args"), v->getType()});
  };
  auto arg = [&](unsigned n, Value* lane) {
    return args[n].scalar ? args[n].scalar : lane_of(args[n].spilled, args[n].type, lane);
  };
  auto each = [&](const std::function<Value*(Value*)>& one) {
    prepare();
    Value* results =
        call.getType()->isVoidTy() ? nullptr : spill(Constant::getNullValue(wide(call.getType())), "results");
    for_each_lane(mask_, [&](Value* lane) {
      Value* r = one(lane);
      if (results) set_lane(results, call.getType(), lane, r);
    });
    if (results) set_vector(call, unspill(results, wide(call.getType())));
  };
  switch (which) {
    case Dialect::Clock:
      return set_scalar(call, invoke(offsetof(Services, clock), i64, {ptr}, {block_arg_}));
    case Dialect::GlobalTimer:
      return set_scalar(call, invoke(offsetof(Services, globaltimer), i64, {ptr}, {block_arg_}));
    case Dialect::Nanosleep:  // other blocks may run meanwhile
      invoke(offsetof(Services, poll), none, {ptr, i32, i32}, {block_arg_, warp_arg_, site_of(call)});
      return;
    case Dialect::Trap:
      invoke(offsetof(Services, trap), none, {ptr, i32, i32, i32},
             {block_arg_, warp_arg_, mask_bits(mask_), site_of(call)});
      return;
    case Dialect::Brkpt:
      invoke(offsetof(Services, brkpt), none, {ptr, i32, i32, i32},
             {block_arg_, warp_arg_, mask_bits(mask_), site_of(call)});
      return;
    case Dialect::StackCheck: {
      Value* end = call.getArgOperand(0);
      if (auto* constant = dyn_cast<ConstantInt>(end); constant && constant->getZExtValue() <= options_.local_stride)
        return;
      Value* full = b_.CreateAnd(mask_, b_.CreateICmpUGT(vector(end), splat(b_.getInt64(options_.local_stride))));
      return for_each_lane(full, [&](Value* lane) {
        invoke(offsetof(Services, stack_overflow), none, {ptr, i32, i32, i32},
               {block_arg_, warp_arg_, lane, site_of(call)});
      });
    }
    case Dialect::AssertFail: {
      AllocaInst* strings = slot(ArrayType::get(i64, 3), "strings");
      return each([&](Value* lane) {
        unsigned from[] = {0, 1, 3};  // message, file, function
        for (unsigned n = 0; n < 3; ++n) b_.CreateStore(arg(from[n], lane), b_.CreateConstGEP1_64(i64, strings, n));
        return invoke(offsetof(Services, assert_fail), none, {ptr, i32, i32, ptr, i32, i32},
                      {block_arg_, warp_arg_, lane, strings, arg(2, lane), site_of(call)});
      });
    }
    case Dialect::Vprintf:
      return each([&](Value* lane) {
        return invoke(offsetof(Services, vprintf), i32, {ptr, i32, i32, i64, i64},
                      {block_arg_, warp_arg_, lane, arg(0, lane), arg(1, lane)});
      });
    case Dialect::ClusterToGeneric:
    case Dialect::GenericToCluster:
    case Dialect::RankOfAddress: {
      const bool sited = which != Dialect::RankOfAddress;
      const unsigned offset = which == Dialect::ClusterToGeneric   ? offsetof(Services, cluster_to_generic)
                              : which == Dialect::GenericToCluster ? offsetof(Services, generic_to_cluster)
                                                                   : offsetof(Services, rank_of_address);
      auto one = [&](Value* address) {
        SmallVector<Value*, 3> values{block_arg_, address};
        SmallVector<Type*, 3> types{ptr, i64};
        if (sited) values.push_back(site_of(call)), types.push_back(i32);
        return invoke(offset, call.getType(), types, values);
      };
      if (shapes_.of(&call).is_uniform()) return set_scalar(call, one(scalar(call.getArgOperand(0))));
      return each([&](Value* lane) { return one(arg(0, lane)); });
    }
    case Dialect::BulkCopy:
    case Dialect::TensorCopy:
    case Dialect::TensorReplace: {
      const unsigned offset = which == Dialect::BulkCopy     ? offsetof(Services, bulk_copy)
                              : which == Dialect::TensorCopy ? offsetof(Services, tensor_copy)
                                                             : offsetof(Services, tensor_replace);
      return each([&](Value* lane) {
        SmallVector<Value*, 16> values{block_arg_, warp_arg_, lane};
        for (unsigned n = 0; n < call.arg_size(); ++n) values.push_back(arg(n, lane));
        values.push_back(site_of(call));
        SmallVector<Type*, 16> types;
        for (Value* v : values) types.push_back(v->getType());
        return invoke(offset, none, types, values);
      });
    }
    case Dialect::Mbarrier:
      return each([&](Value* lane) {
        return invoke(offsetof(Services, mbarrier), i64, {ptr, i32, i32, i32, i64, i32, i32},
                      {block_arg_, warp_arg_, lane, arg(0, lane), arg(1, lane), arg(2, lane), site_of(call)});
      });
    case Dialect::MbarrierTest:
    case Dialect::MbarrierTry:
      return each([&](Value* lane) {
        return invoke(offsetof(Services, mbarrier_test), i32, {ptr, i32, i32, i64, i64, i32, i32},
                      {block_arg_, warp_arg_, lane, arg(0, lane), arg(1, lane), arg(2, lane), site_of(call)});
      });
    case Dialect::Multimem:
      return each([&](Value* lane) {
        return invoke(offsetof(Services, multimem), i64, {ptr, i32, i32, i64, i32, i32, i32},
                      {block_arg_, warp_arg_, lane, arg(0, lane), arg(1, lane), arg(2, lane), site_of(call)});
      });
    case Dialect::Image:
      return emit_image(call);
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
    case Dialect::Malloc:
      return each([&](Value* lane) {
        return invoke(offsetof(Services, device_malloc), i64, {ptr, i64}, {block_arg_, arg(0, lane)});
      });
    case Dialect::Free:
      return each([&](Value* lane) {
        return invoke(offsetof(Services, device_free), none, {ptr, i64}, {block_arg_, arg(0, lane)});
      });
    case Dialect::AddF64:
    case Dialect::MulF64:
    case Dialect::DivF64:
    case Dialect::FmaF64:
    case Dialect::SqrtF64: {
      const unsigned offset = which == Dialect::AddF64   ? offsetof(Services, add_f64)
                              : which == Dialect::MulF64 ? offsetof(Services, mul_f64)
                              : which == Dialect::DivF64 ? offsetof(Services, div_f64)
                              : which == Dialect::FmaF64 ? offsetof(Services, fma_f64)
                                                         : offsetof(Services, sqrt_f64);
      SmallVector<Type*, 4> types;
      for (Value* v : call.args()) types.push_back(v->getType());
      if (shapes_.of(&call).is_uniform()) {
        SmallVector<Value*, 4> values;
        for (Value* v : call.args()) values.push_back(scalar(v));
        return set_scalar(call, invoke(offset, call.getType(), types, values));
      }
      return each([&](Value* lane) {
        SmallVector<Value*, 4> values;
        for (unsigned n = 0; n < call.arg_size(); ++n) values.push_back(arg(n, lane));
        return invoke(offset, call.getType(), types, values);
      });
    }
    default:
      return fail(call);
  }
}

void Vectoriser::tell(Value* lanes, Value* what, Value* addresses, Value* values, Value* site) {
  b_.CreateCall(told(*warp_function_->getParent()), {block_arg_, warp_arg_, lanes, what, addresses, values, site});
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
    auto* tell = BasicBlock::Create(context_, "notice", warp_function_);
    on = BasicBlock::Create(context_, "noticed", warp_function_);
    // Telling of no lane is right for every warp, so a gang may do it as soon as one of its warps must.
    b_.CreateCondBr(b_.CreateICmpEQ(bits, b_.getInt32(0)), on, tell, MDBuilder(context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
    b_.SetInsertPoint(tell);
  }
  tell(bits, scalar(call.getArgOperand(1)), late(address, addresses), late(value, values), site_of(call));
  if (always) return;
  b_.CreateBr(on);
  b_.SetInsertPoint(on);
}

// One call for the whole warp: arguments and results lie in memory, a vector of 32 lanes each.
void Vectoriser::emit_image(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  Type* i64 = b_.getInt64Ty();
  Type* ptr = b_.getPtrTy();
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
  b_.CreateCall(FunctionType::get(b_.getVoidTy(), {ptr, i32, i32, i64, ptr, ptr, ptr, i32}, false),
                service(offsetof(Services, image)),
                {block_arg_, warp_arg_, mask_bits(mask_), b_.getInt64(code), image_handles_, image_words_,
                 image_results_, site_of(call)});
  SmallVector<Value*, 4> fields;
  for (unsigned k = 0; k < ptx::kMostImageResults; ++k)
    fields.push_back(k < access.results
                         ? static_cast<Value*>(b_.CreateAlignedLoad(wide(i32), lanes_at(image_results_, k), Align(64)))
                         : Constant::getNullValue(wide(i32)));
  set_fields(call, fields);
}

}  // namespace warpwise::simt
