#include "simt/block/transpose_scatters.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "simt/compiler.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// The arguments of llvm.masked.scatter.
enum Argument : unsigned { kScatterValue, kScatterPointers, kScatterAlign, kScatterMask };

constexpr unsigned kElements = 8;  // of a part of a scatter (vectorise/gathers.cpp)
constexpr unsigned kElementBytes = 4;

// rows[w] element l → result[l] element w: pairs, fours, halves.
SmallVector<Value*, kElements> transpose(IRBuilder<>& b, ArrayRef<Value*> rows) {
  auto both = [&](Value* x, Value* y, ArrayRef<int> order) { return b.CreateShuffleVector(x, y, order); };
  constexpr int kLowPairs[] = {0, 8, 1, 9, 4, 12, 5, 13}, kHighPairs[] = {2, 10, 3, 11, 6, 14, 7, 15};
  constexpr int kLowFours[] = {0, 1, 8, 9, 4, 5, 12, 13}, kHighFours[] = {2, 3, 10, 11, 6, 7, 14, 15};
  constexpr int kLowHalves[] = {0, 1, 2, 3, 8, 9, 10, 11}, kHighHalves[] = {4, 5, 6, 7, 12, 13, 14, 15};
  SmallVector<Value*, 4> fours[2];  // of rows 0 to 3 and 4 to 7: elements l and l + 4 of each
  for (unsigned half = 0; half < 2; ++half) {
    auto row = [&](unsigned n) { return rows[4 * half + n]; };
    Value *low01 = both(row(0), row(1), kLowPairs), *high01 = both(row(0), row(1), kHighPairs);
    Value *low23 = both(row(2), row(3), kLowPairs), *high23 = both(row(2), row(3), kHighPairs);
    fours[half] = {both(low01, low23, kLowFours), both(low01, low23, kHighFours), both(high01, high23, kLowFours),
                   both(high01, high23, kHighFours)};
  }
  SmallVector<Value*, kElements> columns;
  for (bool high : {false, true})
    for (unsigned l = 0; l < 4; ++l) columns.push_back(both(fours[0][l], fours[1][l], high ? kHighHalves : kLowHalves));
  return columns;
}

}  // namespace

bool is_mergeable_scatter(const Instruction& i) {
  auto* call = dyn_cast<IntrinsicInst>(&i);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_scatter) return false;
  // Lanes that may have one address are no rows.
  if (const DebugLoc& place = i.getDebugLoc(); place && place.getCol() && ((place.getCol() - 1) & kLanesReversed))
    return false;
  auto* type = cast<FixedVectorType>(call->getArgOperand(kScatterValue)->getType());
  return type->getNumElements() == kElements && type->getScalarSizeInBits() == 8 * kElementBytes;
}

bool transpose_scatters(const SideBySide& scatters) {
  if (scatters.size() != kMergedWarps) return false;
  IntrinsicInst* first = scatters[0];
  IRBuilder<> b(first);
  Type* i64 = b.getInt64Ty();
  auto* addresses_type = FixedVectorType::get(i64, kElements);
  auto addresses = [&](IntrinsicInst* scatter) {
    return b.CreatePtrToInt(scatter->getArgOperand(kScatterPointers), addresses_type);
  };
  Value* start = addresses(first);
  Value* neighbours = nullptr;
  for (unsigned w = 0; w < kMergedWarps; ++w) {
    auto also = [&](Value* condition) { neighbours = neighbours ? b.CreateAnd(neighbours, condition) : condition; };
    if (w > 0) {
      Value* expected = b.CreateAdd(start, b.CreateVectorSplat(kElements, b.getInt64(uint64_t{w} * kElementBytes)));
      also(b.CreateICmpEQ(addresses(scatters[w]), expected));
    }
    auto* mask = scatters[w]->getArgOperand(kScatterMask);
    if (auto* constant = dyn_cast<Constant>(mask); !constant || !constant->isAllOnesValue()) also(mask);
  }
  Value* all = b.CreateICmpEQ(b.CreateBitCast(neighbours, b.getIntNTy(kElements)),
                              Constant::getAllOnesValue(b.getIntNTy(kElements)));

  Instruction* behind = scatters.back()->getNextNode();
  Instruction *merged_end = nullptr, *apart_end = nullptr;
  SplitBlockAndInsertIfThenElse(all, behind, &merged_end, &apart_end,
                                MDBuilder(first->getContext()).createLikelyBranchWeights());
  // Elements of a merged store are one thread in each of eight warps: a fault counts in warps (compiler.h,
  // Site::first_lane).
  const DebugLoc place = first->getDebugLoc();
  for (IntrinsicInst* scatter : scatters) scatter->moveBefore(apart_end);
  b.SetInsertPoint(merged_end);
  SmallVector<Value*, kMergedWarps> rows;
  for (IntrinsicInst* scatter : scatters) rows.push_back(scatter->getArgOperand(kScatterValue));
  auto columns = transpose(b, rows);
  for (unsigned l = 0; l < kElements; ++l) {
    if (DILocation* at = place.get())
      b.SetCurrentDebugLocation(DILocation::get(at->getContext(), at->getLine(),
                                                std::max(1u, at->getColumn()) + l + kWarpsApart, at->getScope(),
                                                at->getInlinedAt()));
    b.CreateAlignedStore(columns[l], b.CreateIntToPtr(b.CreateExtractElement(start, l), b.getPtrTy()),
                         Align(kElementBytes));
  }
  return true;
}

}  // namespace warpwise::simt
