// Gathers and scatters: lanes that may point anywhere, each form as wide as the processor's.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/PatternMatch.h>

#include "simt/block/interleave_warps.h"
#include "simt/compiler.h"
#include "simt/lane_order.h"
#include "simt/vectorise/lane_windows.h"
#include "simt/vectorise/memory.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// One gather instruction takes this many 64-bit addresses.
constexpr unsigned kGatherLanes = kScatterLanes;

// Whether a number is the sum or product of numbers of which one is a quotient or a remainder: of lower/integer.cpp, or
// the upper half of a product with a constant, by which compilers divide by another.
bool comes_of_division(const Value* value, unsigned depth = 8) {
  using namespace PatternMatch;
  auto* i = dyn_cast<Instruction>(value);
  if (!i || depth == 0) return false;
  switch (i->getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FPToUI:
    case Instruction::FPToSI:
      return true;
    case Instruction::LShr:
    case Instruction::AShr:
      if (match(i->getOperand(0), m_Mul(m_Value(), m_Constant()))) return true;
      [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::Or:
    case Instruction::And:
    case Instruction::Select:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
      return any_of(i->operands(), [&](const Use& use) { return comes_of_division(use.get(), depth - 1); });
    default:
      return false;
  }
}

}  // namespace

// Processors gather numbers of 32 and 64 bits. A smaller one, aligned, lies within the aligned word around it, which is
// on the same page; by itself it would become a loop over the lanes (scalarise_masked_memory.h). Where it lies in the
// word is what the target holds before: lanes that have not been gathered keep it, and the report of a fault
// (signal_cause.cpp) finds the requested address from it.
Value* MemoryEmitter::gather(Value* addresses, Type* type, Align align, Value* mask) {
  const unsigned bits = unsigned(type->getPrimitiveSizeInBits().getFixedValue());
  // Without a gather a known mask makes loads of the numbers themselves, which need no words.
  const bool loads = all_active(mask) && !options_.indexed_gathers;
  if ((bits != 8 && bits != 16) || align.value() * 8 < bits || loads)
    return gather_words(addresses, type, align, mask, nullptr);
  Type* word = b_.getInt32Ty();
  Value* place = b_.CreateAnd(b_.CreateTrunc(addresses, wide(word)), splat(b_.getInt32(3)));
  Value* around = gather_words(b_.CreateAnd(addresses, splat(b_.getInt64(~uint64_t{3}))), word, Align(4), mask, place);
  Value* number =
      b_.CreateTrunc(b_.CreateLShr(around, b_.CreateShl(place, splat(b_.getInt32(3)))), wide(b_.getIntNTy(bits)));
  return b_.CreateBitCast(number, wide(type));
}

// Gathers as wide as the processor's. `kept`: what tells more of the addresses than they do, or null.
Value* MemoryEmitter::gather_words(Value* addresses, Type* type, Align align, Value* mask, Value* kept) {
  SmallVector<Value*, 4> parts;
  DebugLoc whole = b_.getCurrentDebugLocation();
  for (unsigned first = 0; first < kLanes; first += kGatherLanes) {
    at_lane(first + (kept ? kRegistersTell : 0));
    auto* part_type = FixedVectorType::get(type, kGatherLanes);
    Value* pointers =
        b_.CreateIntToPtr(part_of(addresses, first, kGatherLanes), FixedVectorType::get(b_.getPtrTy(), kGatherLanes));
    Value* before = kept ? part_of(kept, first, kGatherLanes) : PoisonValue::get(part_type);
    parts.push_back(
        in_space(b_.CreateMaskedGather(part_type, pointers, align, part_of(mask, first, kGatherLanes), before)));
  }
  b_.SetCurrentDebugLocation(whole);
  return concatenateVectors(b_, parts);
}

// Lanes a constant apart in shared memory (columns of a tile): one base and offsets of 32 bits, twice as many lanes to
// an instruction, and no addresses to compute.
Value* MemoryEmitter::gather_near(const Address& a, Type* type, Align align, Value* mask) {
  constexpr unsigned kNearLanes = 16;
  if (a.space != kShared || !a.own.is_affine() || a.corrected || type->getScalarSizeInBits() != 32) return nullptr;
  for (const Term& t : a.own.terms)
    if (t.coefficient.value) return nullptr;
  Value* base = b_.CreateIntToPtr(a.base, b_.getPtrTy());
  SmallVector<Value*, 2> parts;
  DebugLoc whole = b_.getCurrentDebugLocation();
  for (unsigned first = 0; first < kLanes; first += kNearLanes) {
    at_lane(first);
    SmallVector<Constant*, kNearLanes> offsets;
    for (unsigned l = first; l < first + kNearLanes; ++l) {
      const int64_t offset = plain_offset(a.own, l);
      if (offset != int32_t(offset)) {
        b_.SetCurrentDebugLocation(whole);
        return nullptr;
      }
      offsets.push_back(b_.getInt32(uint32_t(offset)));
    }
    Value* pointers = b_.CreateGEP(b_.getInt8Ty(), base, ConstantVector::get(offsets));
    auto* part_type = FixedVectorType::get(type, kNearLanes);
    parts.push_back(in_space(b_.CreateMaskedGather(part_type, pointers, align, part_of(mask, first, kNearLanes),
                                                   PoisonValue::get(part_type))));
  }
  b_.SetCurrentDebugLocation(whole);
  return concatenateVectors(b_, parts);
}

// The varying part of the address, a factor and uniform parts: all of it modulo 2^64, as the processor computes. What
// is multiplied must be a number of 32 bits in each lane, by its bits and not by its form.
std::optional<MemoryEmitter::Indexed> MemoryEmitter::indexed(const Address& a) {
  if (a.space == kLocal) {
    if (options_.local_unit == 0) return std::nullopt;  // each lane has a base of its own
    return Indexed{.base = a.extra, .index = interleaved_offsets(a)};
  }
  using namespace PatternMatch;
  struct Part {
    Value* value;
    uint64_t factor;
  };
  SmallVector<Part, 4> uniform;
  Value* varying = a.source;
  uint64_t factor = 1;
  for (;;) {
    Value *x, *y;
    ConstantInt* c;
    if (match(varying, m_AddLike(m_Value(x), m_Value(y)))) {
      if (!is_uniform(y)) std::swap(x, y);
      if (!is_uniform(y)) return std::nullopt;
      uniform.push_back({y, factor});
      varying = x;
    } else if (match(varying, m_Mul(m_Value(x), m_ConstantInt(c)))) {
      factor *= c->getZExtValue();
      varying = x;
    } else if (match(varying, m_Shl(m_Value(x), m_ConstantInt(c))) && c->getValue().ult(64)) {
      factor <<= c->getZExtValue();
      varying = x;
    } else {
      break;
    }
  }
  if (factor == 0 || is_uniform(varying)) return std::nullopt;
  Indexed at{.base = a.extra, .index = nullptr, .scale = std::min(uint64_t{8}, factor & -factor)};
  const uint64_t rest = factor / at.scale;  // multiplied in 32 bits
  const unsigned rest_bits = Log2_64_Ceil(rest);
  const DataLayout& layout = warp_function_->getDataLayout();
  const bool is_signed = ComputeNumSignBits(varying, layout) >= 33 + rest_bits;
  if (!is_signed && computeKnownBits(varying, layout).countMinLeadingZeros() < 32 + rest_bits) return std::nullopt;

  Value* narrow = nullptr;
  const bool extended = match(varying, m_ZExtOrSExt(m_Value(narrow))) && narrow->getType()->isIntegerTy(32);
  if (extended && rest == 1) at.narrow = narrow;
  at.is_signed = is_signed;
  at.index = extended ? vector(narrow) : b_.CreateTrunc(vector(varying), wide(b_.getInt32Ty()));
  if (rest != 1) at.index = b_.CreateMul(at.index, splat(b_.getInt32(uint32_t(rest))));
  if (!is_signed) {
    // The processor's indices are signed: count from the middle.
    at.index = b_.CreateXor(at.index, splat(b_.getInt32(uint32_t{1} << 31)));
    at.base = b_.CreateAdd(at.base, b_.getInt64(at.scale << 31));
  }
  for (const Part& part : uniform)
    at.base = b_.CreateAdd(at.base, b_.CreateMul(scalar(part.value), b_.getInt64(part.factor)));
  return at;
}

// Lanes that lie side by side, if `holds`.
struct MemoryEmitter::Row {
  Value* holds = nullptr;
  Value* pointer = nullptr;  // of lane 0, which need not be active
};

// One base and indices of 32 bits: the processor extends and multiplies them, and takes twice as many of them in one
// instruction as addresses.
Value* MemoryEmitter::gather_indexed(const Address& a, Type* type, Align align, Value* mask) {
  const unsigned bits = type->getScalarSizeInBits();
  if (!options_.indexed_gathers || (bits != 32 && bits != 64)) return nullptr;
  const std::optional<Indexed> at = indexed(a);
  if (!at) return nullptr;
  const std::optional<Row> row = row_of(*at, bits / 8, mask);
  if (!row) return gather_parts(*at, type, align, mask);
  BasicBlock* before = b_.GetInsertBlock();
  auto* beside = BasicBlock::Create(context_, "side_by_side", warp_function_);
  auto* apart = BasicBlock::Create(context_, "apart", warp_function_);
  auto* done = BasicBlock::Create(context_, "loaded", warp_function_);
  b_.SetInsertPoint(beside);
  Value* loaded = load_vector(FixedVectorType::get(type, kLanes), row->pointer, align, mask, 0);
  b_.CreateBr(done);
  beside = b_.GetInsertBlock();
  b_.SetInsertPoint(apart);
  Value* gathered = gather_parts(*at, type, align, mask);
  b_.CreateBr(done);
  apart = b_.GetInsertBlock();
  b_.SetInsertPoint(before);
  b_.CreateCondBr(row->holds, beside, apart)->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  b_.SetInsertPoint(done);
  PHINode* phi = b_.CreatePHI(wide(type), 2);
  phi->addIncoming(loaded, beside);
  phi->addIncoming(gathered, apart);
  return phi;
}

//     f = tid % channels; row = tid / channels;
//     for (…) sum += x[(row * n + i) * channels + f];
//
// Neighbours lie side by side here but at the end of a row, and only the numbers show it. What lanes differ by is often
// the same in each turn of a loop, so that one question before it is enough. In the loop remain a branch, and a test
// whether the index of the last lane wraps. Where it is not the same, a question each time is worth its price for
// indices that come of a division alone: others are seldom side by side.
std::optional<MemoryEmitter::Row> MemoryEmitter::row_of(const Indexed& at, unsigned bytes, Value* mask) {
  using namespace PatternMatch;
  if (options_.compact || !at.narrow || at.scale != bytes) return std::nullopt;
  Value *lanes = at.narrow, *x, *y;
  SmallVector<Value*, 4> uniform;
  while (match(lanes, m_AddLike(m_Value(x), m_Value(y)))) {
    if (!is_uniform(y)) std::swap(x, y);
    if (!is_uniform(y)) break;
    uniform.push_back(y);
    lanes = x;
  }
  const bool steady = w_.steady && w_.steady->isLoopInvariant(lanes);
  if (!steady && !comes_of_division(lanes)) return std::nullopt;

  // Without an active lane it may be any number: nothing is loaded, but the branch must not depend on poison. Nor must
  // it on what the program has not computed.
  Value* first =
      all_active(mask) ? b_.getInt32(0) : b_.CreateBinaryIntrinsic(Intrinsic::cttz, mask_bits(mask), b_.getTrue());
  Value* lane_0 = b_.CreateFreeze(b_.CreateSub(b_.CreateExtractElement(vector(lanes), first), first));
  LaneConstants numbers;
  for (unsigned l = 0; l < kLanes; ++l) numbers[l] = int64_t(l);
  Value* expected = b_.CreateAdd(splat(lane_0), lanes_constant(numbers, b_.getInt32Ty()));
  // Lanes that are not active may hold what nothing has computed.
  Value* others =
      b_.CreateSelect(mask, b_.CreateICmpNE(vector(lanes), expected), Constant::getNullValue(mask->getType()));
  Value* side_by_side = b_.CreateICmpEQ(mask_bits(others), b_.getInt32(0));

  for (Value* part : uniform) lane_0 = b_.CreateAdd(lane_0, scalar(part));
  constexpr uint32_t kSign = uint32_t{1} << 31;
  Value* index = at.is_signed ? lane_0 : b_.CreateXor(lane_0, b_.getInt32(kSign));
  Value* stays = b_.CreateICmpSLE(index, b_.getInt32(kSign - kLanes));
  Value* offset = b_.CreateMul(b_.CreateSExt(index, b_.getInt64Ty()), b_.getInt64(at.scale));
  return Row{b_.CreateFreeze(b_.CreateAnd(side_by_side, stays)),
             b_.CreateIntToPtr(b_.CreateAdd(at.base, offset), b_.getPtrTy())};
}

Value* MemoryEmitter::gather_parts(const Indexed& at, Type* type, Align align, Value* mask) {
  const unsigned count = kRegisterBytes * 8 / type->getScalarSizeInBits();
  Value* base = b_.CreateIntToPtr(at.base, b_.getPtrTy());
  Type* step = b_.getIntNTy(unsigned(at.scale) * 8);
  auto* part_type = FixedVectorType::get(type, count);
  SmallVector<Value*, 4> parts;
  DebugLoc whole = b_.getCurrentDebugLocation();
  for (unsigned first = 0; first < kLanes; first += count) {
    at_lane(first);
    Value* pointers = b_.CreateGEP(step, base, part_of(at.index, first, count));
    parts.push_back(in_space(
        b_.CreateMaskedGather(part_type, pointers, align, part_of(mask, first, count), PoisonValue::get(part_type))));
  }
  b_.SetCurrentDebugLocation(whole);
  return concatenateVectors(b_, parts);
}

// A store to lanes that may lie side by side; false where nothing says so.
bool MemoryEmitter::scatter_row(const Address& a, Value* value, Align align, unsigned at_once) {
  const unsigned bits = value->getType()->getScalarSizeInBits();
  if (!options_.indexed_gathers || (bits != 32 && bits != 64)) return false;
  const std::optional<Indexed> at = indexed(a);
  const std::optional<Row> row = at ? row_of(*at, bits / 8, mask_) : std::nullopt;
  if (!row) return false;
  auto* beside = BasicBlock::Create(context_, "side_by_side", warp_function_);
  auto* apart = BasicBlock::Create(context_, "apart", warp_function_);
  auto* done = BasicBlock::Create(context_, "stored", warp_function_);
  b_.CreateCondBr(row->holds, beside, apart)->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  b_.SetInsertPoint(beside);
  store_vector(value, row->pointer, align, mask_, 0);
  b_.CreateBr(done);
  b_.SetInsertPoint(apart);
  scatter(vector_of_address(a), value, align, mask_, at_once);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
  return true;
}

// Of several lanes with one address the value of the last one in the scatter stays. Where that may be, lanes come in
// the order of lane_order.h: slices in their order, in each the last lane first.
void MemoryEmitter::scatter(Value* addresses, Value* value, Align align, Value* mask, unsigned at_once) {
  DebugLoc whole = b_.getCurrentDebugLocation();
  // No host scatters small numbers: they become one loop over all lanes (scalarise_masked_memory.h).
  const bool small = value->getType()->getScalarSizeInBits() < 32;
  const unsigned step = !small ? kGatherLanes : at_once ? at_once : kLanes;
  SmallVector<int, kLanes> reversed;
  for (unsigned l = step; at_once && l-- > 0;) reversed.push_back(int(l));
  for (unsigned n = 0; n < kLanes; n += step) {
    const unsigned first = at_once > step ? storing_rank(n, at_once) / step * step : n;
    at_lane(first + (at_once ? kLanesReversed : 0));
    auto part = [&](Value* v) {
      Value* lanes = part_of(v, first, step);
      return at_once ? b_.CreateShuffleVector(lanes, reversed) : lanes;
    };
    Value* pointers = b_.CreateIntToPtr(part(addresses), FixedVectorType::get(b_.getPtrTy(), step));
    in_space(b_.CreateMaskedScatter(part(value), pointers, align, part(mask)));
  }
  b_.SetCurrentDebugLocation(whole);
}

}  // namespace warpwise::simt
