#include "simt/vectorise/collectives.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace warpwise::simt {

using namespace llvm;

void CollectiveEmitter::emit(CallInst& call, Dialect which) {
  auto arg = [&](unsigned n) { return call.getArgOperand(n); };
  // Member masks are the same in all lanes, or name each lane's own group.
  auto masked = [&](Value* bits, unsigned n) -> Value* {
    if (is_uniform(arg(n))) return bits;
    return b_.CreateAnd(splat(bits), vector(arg(n)));
  };
  auto put = [&](Value* v) { v->getType()->isVectorTy() ? set_vector(call, v) : set_scalar(call, v); };
  // Lanes where the predicate is true (or false), among the active ones.
  auto lanes_with = [&](Value* predicate, bool wanted) {
    Value* p = b_.CreateFreeze(vector(predicate));
    if (!wanted) p = b_.CreateNot(p);
    return mask_bits(b_.CreateSelect(mask_, p, Constant::getNullValue(mask_->getType())));
  };
  auto zero = [&](Value* v) { return b_.CreateICmpEQ(v, Constant::getNullValue(v->getType())); };
  switch (which) {
    case Dialect::WarpSync:
      return;
    case Dialect::ActiveMask:
      return put(mask_bits(mask_));
    case Dialect::Ballot:
      return put(masked(lanes_with(arg(0), true), 1));
    case Dialect::VoteAny:
      return put(b_.CreateNot(zero(masked(lanes_with(arg(0), true), 1))));
    case Dialect::VoteAll:
      return put(zero(masked(lanes_with(arg(0), false), 1)));
    case Dialect::VoteUni:
      return put(b_.CreateOr(zero(masked(lanes_with(arg(0), false), 1)), zero(masked(lanes_with(arg(0), true), 1))));
    case Dialect::Elect: {
      Value* leader = b_.CreateBinaryIntrinsic(Intrinsic::cttz, mask_bits(mask_), b_.getFalse());
      LaneConstants lanes;
      for (unsigned l = 0; l < kLanes; ++l) lanes[l] = l;
      return set_fields(call, {leader, b_.CreateICmpEQ(lanes_constant(lanes, b_.getInt32Ty()), splat(leader))});
    }
    case Dialect::Wgmma:
      return emit_wgmma(call);
    case Dialect::Redux:
      return emit_redux(call);
    case Dialect::MatchAny:
    case Dialect::MatchAll:
      return emit_match(call, which);
    case Dialect::ShflUp:
    case Dialect::ShflDown:
    case Dialect::ShflBfly:
    case Dialect::ShflIdx:
      return emit_shuffle(call, which);
    case Dialect::MatrixProduct:
      return matrix_.emit_product(call);
    case Dialect::LdMatrix1:
    case Dialect::LdMatrix2:
    case Dialect::LdMatrix4:
      return matrix_.emit_load_matrix(call);
    case Dialect::StMatrix1:
    case Dialect::StMatrix2:
    case Dialect::StMatrix4:
      return matrix_.emit_store_matrix(call);
    case Dialect::MovMatrix:
      return set_vector(call, matrix_.transpose(b_.CreateFreeze(vector(call.getArgOperand(0)))));
    default:
      return fail(call);
  }
}

// shfl.sync: which lane each lane reads, and whether that lane is in its segment:
//
//   segment mask m = c[12:8], clamp = c[4:0];  lowest = lane & m, highest = lowest | (clamp & ~m)
//   up    j = lane - b         in range when j >= highest (the clamp is a lower bound here)
//   down  j = lane + b         in range when j <= highest
//   bfly  j = lane ^ b         in range when j <= highest
//   idx   j = lowest | (b & ~m)  in range when j <= highest
//   out of range: the lane reads itself;  a lane that does not take part gives 0
void CollectiveEmitter::emit_shuffle(CallInst& call, Dialect which) {
  Value* value = call.getArgOperand(0);
  Value* b = call.getArgOperand(1);
  Value* c = call.getArgOperand(2);
  Type* i32 = b_.getInt32Ty();
  LaneConstants own;
  for (unsigned l = 0; l < kLanes; ++l) own[l] = l;
  auto* constant_mask = dyn_cast<Constant>(mask_);
  const bool all_here = constant_mask && constant_mask->isAllOnesValue();

  if (shapes_.of(&call).is_uniform()) {  // a broadcast of one lane
    Value* from = b_.CreateAnd(scalar(b), b_.getInt32(31));
    Value* one = is_uniform(value) ? b_.CreateFreeze(scalar(value))
                                   : b_.CreateFreeze(b_.CreateExtractElement(vector(value), from));
    if (!all_here) {
      Value* here = b_.CreateTrunc(b_.CreateLShr(mask_bits(mask_), from), b_.getInt1Ty());
      one = b_.CreateSelect(here, one, Constant::getNullValue(one->getType()));
    }
    return set_fields(call, {one, b_.getTrue()});
  }
  Value* given = b_.CreateFreeze(vector(value));
  if (!all_here) given = b_.CreateSelect(mask_, given, Constant::getNullValue(given->getType()));
  Value* members = is_uniform(call.getArgOperand(3)) ? nullptr : vector(call.getArgOperand(3));
  // What lanes get that read from lane j of each.
  auto finish = [&](Value* shuffled, Value* from, Value* in) {
    if (members) {
      Value* named = b_.CreateTrunc(b_.CreateLShr(members, from), wide(b_.getInt1Ty()));
      shuffled = b_.CreateSelect(named, shuffled, Constant::getNullValue(shuffled->getType()));
    }
    set_fields(call, {shuffled, in});
  };
  auto* known_b = dyn_cast<ConstantInt>(b);
  auto* known_c = dyn_cast<ConstantInt>(c);
  if (known_b && known_c) {
    const int distance = int(known_b->getZExtValue() & 31), clamp = int(known_c->getZExtValue() & 31),
              segment = int(known_c->getZExtValue() >> 8 & 31);
    SmallVector<int, kLanes> from;
    SmallVector<Constant*, kLanes> in_range;
    for (int lane = 0; lane < int(kLanes); ++lane) {
      int lowest = lane & segment, highest = lowest | (clamp & ~segment);
      int j = which == Dialect::ShflUp     ? lane - distance
              : which == Dialect::ShflDown ? lane + distance
              : which == Dialect::ShflBfly ? lane ^ distance
                                           : lowest | (distance & ~segment);
      bool in = which == Dialect::ShflUp ? j >= highest : j <= highest;
      from.push_back(in ? j : lane);
      in_range.push_back(b_.getInt1(in));
    }
    LaneConstants sources;
    for (unsigned l = 0; l < kLanes; ++l) sources[l] = from[l];
    return finish(b_.CreateShuffleVector(given, from), lanes_constant(sources, i32), ConstantVector::get(in_range));
  }
  auto constant = [&](int64_t v) { return ConstantInt::getSigned(wide(i32), v); };
  Value* lane = lanes_constant(own, i32);
  Value* distance = b_.CreateAnd(vector(b), constant(31));
  Value* control = vector(c);
  Value* clamp = b_.CreateAnd(control, constant(31));
  Value* segment = b_.CreateAnd(b_.CreateLShr(control, constant(8)), constant(31));
  Value* lowest = b_.CreateAnd(lane, segment);
  Value* highest = b_.CreateOr(lowest, b_.CreateAnd(clamp, b_.CreateNot(segment)));
  Value* j = which == Dialect::ShflUp     ? b_.CreateSub(lane, distance)
             : which == Dialect::ShflDown ? b_.CreateAdd(lane, distance)
             : which == Dialect::ShflBfly ? b_.CreateXor(lane, distance)
                                          : b_.CreateOr(lowest, b_.CreateAnd(distance, b_.CreateNot(segment)));
  Value* in = which == Dialect::ShflUp ? b_.CreateICmpSGE(j, highest) : b_.CreateICmpSLE(j, highest);
  j = b_.CreateAnd(b_.CreateFreeze(b_.CreateSelect(in, j, lane)), constant(31));
  finish(lanes_by_number(given, j), j, in);
}

// Lane k of the result is lane from[k] of 32-bit `given`; `from` is below 32. AVX-512 has an instruction that picks
// sixteen out of the 32 lanes of two registers; without it they go through memory, and a gather.
Value* CollectiveEmitter::lanes_by_number(Value* given, Value* from) {
  Type* i32 = b_.getInt32Ty();
  if (options_.picks_of_two_registers) {
    constexpr unsigned kHalf = kLanes / 2;
    auto half = [&](Value* v, unsigned first) {
      SmallVector<int, kHalf> lanes;
      for (unsigned l = 0; l < kHalf; ++l) lanes.push_back(int(first + l));
      return b_.CreateShuffleVector(v, lanes);
    };
    Value* bits = b_.CreateBitCast(given, wide(i32));
    Value *low = half(bits, 0), *high = half(bits, kHalf);
    auto picked = [&](unsigned first) {
      return b_.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_d_512, {}, {low, half(from, first), high});
    };
    SmallVector<int, kLanes> all;
    for (unsigned l = 0; l < kLanes; ++l) all.push_back(int(l));
    return b_.CreateBitCast(b_.CreateShuffleVector(picked(0), picked(kHalf), all), given->getType());
  }
  Type* i64 = b_.getInt64Ty();
  Value* table = spill(given, "shuffled");
  Value* offsets = b_.CreateShl(b_.CreateZExt(from, wide(i64)), ConstantInt::get(wide(i64), 2));
  return memory_.gather(b_.CreateAdd(splat(b_.CreatePtrToInt(table, i64)), offsets), given->getType()->getScalarType(),
                        Align(4), ConstantInt::getTrue(wide(b_.getInt1Ty())));
}

// match.sync: for each lane the lanes with its value. Values arrive zero-extended to 64 bits.
void CollectiveEmitter::emit_match(CallInst& call, Dialect which) {
  Value* value = b_.CreateFreeze(vector(call.getArgOperand(0)));
  Value* members = is_uniform(call.getArgOperand(1)) ? splat(mask_bits(mask_)) : vector(call.getArgOperand(1));
  Type* i32 = b_.getInt32Ty();
  Value* values = spill(value, "values");
  Value* member_slots = spill(members, "members");
  Value* results = spill(Constant::getNullValue(wide(i32)), "matches");
  Value* active = mask_bits(mask_);
  for_each_lane(mask_, [&](Value* lane) {
    Value* same = mask_bits(b_.CreateICmpEQ(value, splat(lane_of(values, b_.getInt64Ty(), lane))));
    Value* group = b_.CreateAnd(lane_of(member_slots, i32, lane), active);
    set_lane(results, i32, lane, b_.CreateAnd(same, group));
  });
  Value* matches = unspill(results, wide(i32));
  if (which == Dialect::MatchAny) return set_vector(call, matches);
  Value* all = b_.CreateICmpEQ(matches, b_.CreateAnd(members, splat(active)));
  set_fields(call, {b_.CreateSelect(all, matches, Constant::getNullValue(wide(i32))), all});
}

// redux.sync; op as Services::redux numbers them.
void CollectiveEmitter::emit_redux(CallInst& call) {
  const unsigned op = unsigned(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
  Type* i32 = b_.getInt32Ty();
  const uint32_t neutral[] = {0, ~0u, 0, 0x7fffffffu, 0x80000000u, ~0u, 0, 0};
  Value* value = b_.CreateFreeze(vector(call.getArgOperand(1)));
  auto reduce = [&](Value* lanes) -> Value* {
    Value* v = b_.CreateSelect(lanes, value, ConstantInt::get(wide(i32), neutral[op]));
    switch (op) {
      case 0:
        return b_.CreateAddReduce(v);
      case 1:
        return b_.CreateIntMinReduce(v, false);
      case 2:
        return b_.CreateIntMaxReduce(v, false);
      case 3:
        return b_.CreateIntMinReduce(v, true);
      case 4:
        return b_.CreateIntMaxReduce(v, true);
      case 5:
        return b_.CreateAndReduce(v);
      case 6:
        return b_.CreateOrReduce(v);
      default:
        return b_.CreateXorReduce(v);
    }
  };
  Value* members = call.getArgOperand(2);
  if (is_uniform(members)) return set_scalar(call, reduce(mask_));
  Value* member_slots = spill(vector(members), "members");
  Value* results = spill(Constant::getNullValue(wide(i32)), "reduced");
  Value* active = mask_bits(mask_);
  for_each_lane(mask_, [&](Value* lane) {
    set_lane(results, i32, lane, reduce(bits_mask(b_.CreateAnd(active, lane_of(member_slots, i32, lane)))));
  });
  set_vector(call, unspill(results, wide(i32)));
}

// A warp's share of wgmma: the registers in memory, those of a, then those of d, which come back.
void CollectiveEmitter::emit_wgmma(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  auto* row = FixedVectorType::get(i32, kLanes);
  const unsigned words = call.arg_size() - kWgmmaScalars, outputs = cast<StructType>(call.getType())->getNumElements();
  AllocaInst* memory = slot(ArrayType::get(row, words), "wgmma");
  memory->setAlignment(Align(64));
  for (unsigned n = 0; n < words; ++n)
    b_.CreateAlignedStore(b_.CreateFreeze(vector(call.getArgOperand(kWgmmaScalars + n))),
                          b_.CreateConstGEP1_64(row, memory, n), Align(64));
  // The same in all lanes, says the manual.
  auto one = [&](unsigned n) {
    Value* v = call.getArgOperand(n);
    return is_uniform(v) ? scalar(v) : b_.CreateFreeze(b_.CreateExtractElement(vector(v), uint64_t{0}));
  };
  Value* d = b_.CreateConstGEP1_64(row, memory, words - outputs);
  call_service(Service::wgmma, {block_arg_, warp_arg_, one(0), one(1), one(2), one(3), memory, d, site_of(call)});
  SmallVector<Value*, 16> fields;
  for (unsigned n = 0; n < outputs; ++n)
    fields.push_back(b_.CreateAlignedLoad(row, b_.CreateConstGEP1_64(row, d, n), Align(64)));
  set_fields(call, fields);
}

}  // namespace warpwise::simt
