#include "simt/codegen/scalarise_masked_memory.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

#include "simt/abi.h"
#include "simt/compiler.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

struct MaskedAccess {
  IntrinsicInst* call = nullptr;
  Value* pointers = nullptr;   // one, or a vector of them
  Value* stored = nullptr;     // null: a load
  Value* otherwise = nullptr;  // what lanes that are not active load
  Value* mask = nullptr;
  Align align;
  FixedVectorType* type = nullptr;
};

// The mask, if it is known which lanes are active; else null. Casts of constants are folded.
Constant* known_mask(const MaskedAccess& a) {
  auto* mask = dyn_cast<Constant>(a.mask);
  if (!mask) return nullptr;
  mask = ConstantFoldConstant(mask, a.call->getDataLayout());
  for (unsigned lane = 0; lane < a.type->getNumElements(); ++lane)
    if (!isa_and_nonnull<ConstantInt, UndefValue>(mask->getAggregateElement(lane))) return nullptr;
  return mask;
}

Align align_of(Value* operand) { return cast<ConstantInt>(operand)->getAlignValue(); }

// What the host lacks. A known mask makes a contiguous access plain.
std::optional<MaskedAccess> unsupported_access(Instruction& i, const TargetTransformInfo& host) {
  auto* call = dyn_cast<IntrinsicInst>(&i);
  if (!call) return std::nullopt;
  MaskedAccess a;
  a.call = call;
  bool supported = true;
  const auto load = [&] {
    a.pointers = call->getArgOperand(0), a.align = align_of(call->getArgOperand(1)), a.mask = call->getArgOperand(2);
    a.otherwise = call->getArgOperand(3);
    a.type = dyn_cast<FixedVectorType>(call->getType());
  };
  const auto store = [&] {
    a.stored = call->getArgOperand(0), a.pointers = call->getArgOperand(1), a.align = align_of(call->getArgOperand(2));
    a.mask = call->getArgOperand(3);
    a.type = dyn_cast<FixedVectorType>(a.stored->getType());
  };
  switch (call->getIntrinsicID()) {
    case Intrinsic::masked_load:
      load();
      supported = host.isLegalMaskedLoad(a.type, a.align);
      break;
    case Intrinsic::masked_store:
      store();
      supported = host.isLegalMaskedStore(a.type, a.align);
      break;
    case Intrinsic::masked_gather:
      load();
      supported = host.isLegalMaskedGather(a.type, a.align) && !host.forceScalarizeMaskedGather(a.type, a.align);
      break;
    case Intrinsic::masked_scatter:
      store();
      supported = host.isLegalMaskedScatter(a.type, a.align) && !host.forceScalarizeMaskedScatter(a.type, a.align);
      break;
    default:
      return std::nullopt;
  }
  // Elements with a place of their own in memory, and a mask of one number.
  const bool apart = a.type && a.type->getNumElements() <= 64 && a.type->getScalarSizeInBits() % 8 == 0;
  if (supported || !apart) return std::nullopt;
  if (!a.pointers->getType()->isVectorTy() && known_mask(a)) return std::nullopt;
  return a;
}

class LaneLoops {
 public:
  explicit LaneLoops(Function& f) : function_(f) {}

  void make(const MaskedAccess& a) {
    if (Constant* mask = known_mask(a))
      unroll(a, *mask);
    else
      make_loop(a);
  }

 private:
  enum class Use { Pointers, Values };

  // A known mask: an access for each lane, which its place names.
  static void unroll(const MaskedAccess& a, Constant& mask) {
    IRBuilder<> b(a.call);
    Value* loaded = a.otherwise;
    for (unsigned lane = 0; lane < a.type->getNumElements(); ++lane) {
      if (!mask.getAggregateElement(lane)->isOneValue()) continue;
      b.SetCurrentDebugLocation(place_of_lane(a.call->getDebugLoc(), lane_of_element(a, lane)));
      Value* pointer = b.CreateExtractElement(a.pointers, lane);
      if (a.stored)
        b.CreateAlignedStore(b.CreateExtractElement(a.stored, lane), pointer, a.align);
      else
        loaded = b.CreateInsertElement(loaded, load_apart(b, a.type->getElementType(), pointer, a.align), lane);
    }
    if (!a.stored) a.call->replaceAllUsesWith(loaded);
    a.call->eraseFromParent();
  }

  // A load that stays an instruction of its own: as the operand of an insertion it would have the place of the vector,
  // which names no lane. An empty piece of assembly is what LLVM does not look through.
  static Value* load_apart(IRBuilder<>& b, Type* type, Value* pointer, Align align) {
    const unsigned bits = type->getPrimitiveSizeInBits().getFixedValue();
    if (bits > 64 || !isPowerOf2_32(bits)) return b.CreateAlignedLoad(type, pointer, align);
    Type* const number = b.getIntNTy(bits);
    auto* same = InlineAsm::get(FunctionType::get(number, {number}, false), "", "=r,0", /*hasSideEffects=*/false);
    return b.CreateBitCast(b.CreateCall(same, {b.CreateAlignedLoad(number, pointer, align)}), type);
  }

  static bool is_reversed(const MaskedAccess& a) {
    const DebugLoc& place = a.call->getDebugLoc();
    return place && place.getCol() && ((place.getCol() - 1) & kLanesReversed);
  }
  static unsigned lane_of_element(const MaskedAccess& a, unsigned element) {
    return is_reversed(a) ? a.type->getNumElements() - 1 - element : element;
  }

  static DILocation* place_of_lane(DILocation* place, unsigned lane) {
    if (!place || !place->getColumn()) return place;
    const unsigned column = ((place->getColumn() - 1) | kRegistersTell) & ~kLanesReversed,
                   apart = column & kWarpsApart ? kLanes : 1;
    return DILocation::get(place->getContext(), place->getLine(), column + lane * apart + 1, place->getScope(),
                           place->getInlinedAt());
  }

  void make_loop(const MaskedAccess& a) {
    BasicBlock* before = a.call->getParent();
    BasicBlock* after = SplitBlock(before, a.call);
    before->getTerminator()->eraseFromParent();
    auto* loop = BasicBlock::Create(function_.getContext(), "lane", &function_, after);

    IRBuilder<> b(before);
    b.SetCurrentDebugLocation(a.call->getDebugLoc());
    IntegerType* const bits_type = b.getInt64Ty();
    Value* bits = b.CreateZExt(b.CreateBitCast(a.mask, b.getIntNTy(a.type->getNumElements())), bits_type);
    // A gather of words that keeps the low bits of addresses (vectorise/gathers.cpp).
    const bool keeps =
        a.call->getDebugLoc() && ((a.call->getDebugLoc()->getColumn() - 1) & kRegistersTell) && !a.stored;
    AllocaInst* pointers = a.pointers->getType()->isVectorTy()
                               ? copy_of(b, less_by_tag(b, a, keeps ? a.otherwise : nullptr), Use::Pointers)
                               : nullptr;
    AllocaInst* values = a.stored ? copy_of(b, a.stored, Use::Values) : copy_of(b, a.otherwise, Use::Values);
    b.CreateCondBr(b.CreateICmpNE(bits, b.getInt64(0)), loop, after);

    b.SetInsertPoint(loop);
    PHINode* rest = b.CreatePHI(bits_type, 2);
    Type* const element = a.type->getElementType();
    Value* lane = b.CreateBinaryIntrinsic(Intrinsic::cttz, rest, b.getTrue());
    Value* value = b.CreateGEP(element, values, lane);
    // No difference: code generation would add up its parts and those of the address anew.
    Value* tag = is_reversed(a) ? b.CreateXor(lane, a.type->getNumElements() - 1) : lane;
    if (keeps)
      tag = b.CreateOr(lane, b.CreateShl(b.CreateZExt(b.CreateLoad(element, value), bits_type), LaneTag::kLowBitsAt));
    Value* pointer = pointers ? b.CreateGEP(b.getInt8Ty(),
                                            b.CreateLoad(b.getPtrTy(), b.CreateGEP(b.getPtrTy(), pointers, lane)), tag)
                              : b.CreateGEP(element, a.pointers, lane);
    // A contiguous access is aligned in its first lane alone.
    const Align align = pointers ? a.align : commonAlignment(a.align, element->getScalarSizeInBits() / 8);
    Instruction* access =
        a.stored ? static_cast<Instruction*>(b.CreateAlignedStore(b.CreateLoad(element, value), pointer, align))
                 : b.CreateAlignedLoad(element, pointer, align);
    if (pointers) registers_tell(*access);
    if (!a.stored) b.CreateStore(access, value);
    Value* next = b.CreateAnd(rest, b.CreateSub(rest, b.getInt64(1)));
    rest->addIncoming(bits, before);
    rest->addIncoming(next, loop);
    b.CreateCondBr(b.CreateICmpNE(next, b.getInt64(0)), loop, after);

    if (!a.stored) {
      b.SetInsertPoint(a.call);
      a.call->replaceAllUsesWith(b.CreateLoad(a.type, values));
    }
    a.call->eraseFromParent();
  }

  // The addresses less LaneTag's number of each lane; `low`: the low bits that it holds, or null.
  static Value* less_by_tag(IRBuilder<>& b, const MaskedAccess& a, Value* low) {
    SmallVector<Constant*, 64> lanes;
    const unsigned count = a.type->getNumElements();
    for (unsigned e = 0; e < count; ++e) lanes.push_back(b.getInt64(uint64_t{0} - lane_of_element(a, e)));
    Value* less = ConstantVector::get(lanes);
    if (low) less = b.CreateSub(less, b.CreateShl(b.CreateZExt(low, less->getType()), uint64_t{LaneTag::kLowBitsAt}));
    return b.CreateGEP(b.getInt8Ty(), a.pointers, less);
  }

  static void registers_tell(Instruction& access) {
    DILocation* place = access.getDebugLoc();
    if (!place) return;
    const unsigned column = std::max(1u, place->getColumn()) - 1;
    access.setDebugLoc(DILocation::get(access.getContext(), place->getLine(),
                                       ((column | kRegistersTell) & ~kLanesReversed) + 1, place->getScope(),
                                       place->getInlinedAt()));
  }

  // Loops do not nest, so all of a kind share one place.
  AllocaInst* copy_of(IRBuilder<>& b, Value* vector, Use use) {
    AllocaInst*& place = places_[{vector->getType(), unsigned(use)}];
    if (!place) {
      IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().getFirstInsertionPt());
      place = entry.CreateAlloca(vector->getType());
    }
    if (!isa<UndefValue>(vector)) b.CreateStore(vector, place);
    return place;
  }

  Function& function_;
  DenseMap<std::pair<Type*, unsigned>, AllocaInst*> places_;
};

// LLVM makes several instructions of a gather whose addresses are wider than the host's registers, and gives all of
// them one place. Here each has its own, so that a fault finds the lane.
void split_gather(IntrinsicInst& gather, unsigned lanes) {
  const unsigned count = cast<FixedVectorType>(gather.getType())->getNumElements();
  IRBuilder<> b(&gather);
  DILocation* const place = gather.getDebugLoc();
  SmallVector<Value*, 16> parts;
  for (unsigned first = 0; first < count; first += lanes) {
    const SmallVector<int, 16> slice =
        to_vector<16>(map_range(seq<int>(first, first + lanes), [](int l) { return l; }));
    const auto part = [&](unsigned operand) { return b.CreateShuffleVector(gather.getArgOperand(operand), slice); };
    if (place) {
      const unsigned column = std::max(1u, place->getColumn());
      const unsigned apart = (column - 1) & kWarpsApart ? kLanes : 1;
      b.SetCurrentDebugLocation(DILocation::get(place->getContext(), place->getLine(), column + first * apart,
                                                place->getScope(), place->getInlinedAt()));
    }
    Value* pointers = part(0);
    Value* mask = part(2);
    Value* otherwise = part(3);
    parts.push_back(b.CreateMaskedGather(FixedVectorType::get(gather.getType()->getScalarType(), lanes), pointers,
                                         align_of(gather.getArgOperand(1)), mask, otherwise));
  }
  gather.replaceAllUsesWith(concatenateVectors(b, parts));
  gather.eraseFromParent();
}

// 0: the host gathers all lanes at once, or 512 bits of addresses, which is how vectorise/gathers.cpp slices them.
unsigned lanes_of_split(const Instruction& i, const TargetTransformInfo& host) {
  const auto* call = dyn_cast<IntrinsicInst>(&i);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_gather) return 0;
  const unsigned bits = host.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  const unsigned lanes = bits / 64, count = cast<FixedVectorType>(call->getType())->getNumElements();
  return bits < 512 && count > lanes && count % lanes == 0 ? lanes : 0;
}

}  // namespace

void scalarise_masked_memory(Function& f, const TargetTransformInfo& host) {
  SmallVector<Instruction*> calls;
  for (Instruction& i : instructions(f))
    if (unsupported_access(i, host)) calls.push_back(&i);
  LaneLoops loops(f);
  // Read again, since what an earlier loop has loaded may be an operand.
  for (Instruction* call : calls) loops.make(*unsupported_access(*call, host));

  SmallVector<IntrinsicInst*> wide;
  for (Instruction& i : instructions(f))
    if (lanes_of_split(i, host)) wide.push_back(cast<IntrinsicInst>(&i));
  for (IntrinsicInst* gather : wide) split_gather(*gather, lanes_of_split(*gather, host));
}

}  // namespace warpwise::simt
