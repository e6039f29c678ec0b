#include "simt/codegen/prefetch_strides.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <optional>

#include "simt/abi.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Lines on their way from memory that hide its latency: 100 ns at 11 GB/s are 17, and two sockets have more of both.
constexpr unsigned kLinesAhead = 32;
constexpr unsigned kMostSteps = 16;
constexpr unsigned kLine = 64;

constexpr unsigned kDeepest = 12;  // operands of operands

bool is_number_of_blocks(const Value* v) {
  auto* load = dyn_cast<LoadInst>(v);
  if (!load) return false;
  const Function& f = *load->getFunction();
  int64_t offset = 0;
  const Value* base = GetPointerBaseWithConstantOffset(load->getPointerOperand(), offset, f.getDataLayout());
  constexpr int64_t kFirst = offsetof(BlockContext, nctaid);
  return f.arg_size() > 0 && base == f.getArg(0) && offset >= kFirst &&
         offset < kFirst + int64_t(sizeof(BlockContext::nctaid));
}

bool uses_number_of_blocks(const Value* v, unsigned depth = 0) {
  if (is_number_of_blocks(v)) return true;
  if (depth == kDeepest || !(isa<BinaryOperator>(v) || isa<CastInst>(v) || isa<FreezeInst>(v))) return false;
  return any_of(cast<Instruction>(v)->operands(), [&](const Use& u) { return uses_number_of_blocks(u, depth + 1); });
}

// What `index` grows by in one pass through `loop`; null where that is not the same number each time.
Value* step_of(const PHINode& index, const Loop& loop) {
  auto* next = dyn_cast<BinaryOperator>(index.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!next || next->getOpcode() != Instruction::Add) return nullptr;
  for (unsigned i : {0u, 1u})
    if (next->getOperand(i) == &index && loop.isLoopInvariant(next->getOperand(1 - i))) return next->getOperand(1 - i);
  return nullptr;
}

// How many times a value grows by what `index` grows by.
class Growth {
 public:
  Growth(const PHINode& index, const Loop& loop) : index_(index), loop_(loop) {}

  std::optional<int64_t> of(const Value* v, unsigned depth = 0) const {
    if (v == &index_) return 1;
    if (loop_.isLoopInvariant(v)) return 0;
    auto* i = dyn_cast<Instruction>(v);
    if (!i || depth == kDeepest) return {};
    if (isa<CastInst>(i) && !i->getType()->isVectorTy() && !i->getType()->isFloatingPointTy())
      return of(i->getOperand(0), depth + 1);
    if (auto* gep = dyn_cast<GetElementPtrInst>(i)) return of_pointer(*gep, depth);
    return of_operation(*i, depth);
  }

 private:
  std::optional<int64_t> of_pointer(const GetElementPtrInst& gep, unsigned depth) const {
    if (gep.getNumIndices() != 1 || gep.getType()->isVectorTy()) return {};
    const auto base = of(gep.getPointerOperand(), depth + 1), at = of(gep.getOperand(1), depth + 1);
    if (!base || !at) return {};
    return *base + *at * int64_t(gep.getModule()->getDataLayout().getTypeAllocSize(gep.getSourceElementType()));
  }

  std::optional<int64_t> of_operation(const Instruction& i, unsigned depth) const {
    if (!isa<BinaryOperator>(i)) return {};
    const auto a = of(i.getOperand(0), depth + 1), b = of(i.getOperand(1), depth + 1);
    auto* constant = dyn_cast<ConstantInt>(i.getOperand(1));
    if (!a || !b) return {};
    switch (i.getOpcode()) {
      case Instruction::Add:
        return *a + *b;
      case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(i).isDisjoint()) return {};
        return *a + *b;
      case Instruction::Sub:
        return *a - *b;
      case Instruction::Mul:
        if (!constant || constant->getValue().getSignificantBits() > 16) return {};
        return *a * constant->getSExtValue();
      case Instruction::Shl:
        if (!constant || constant->getValue().uge(16)) return {};
        return *a * (int64_t(1) << constant->getZExtValue());
      default:
        return {};
    }
  }

  const PHINode& index_;
  const Loop& loop_;
};

struct StridedLoad {
  LoadInst* load;
  int64_t growth;  // in units of the index's step
};

// Those of a warp's lanes or several of them. What a single lane loads is too little to ask for.
SmallVector<StridedLoad, 8> strided_loads(const Loop& loop, const PHINode& index) {
  const Growth growth(index, loop);
  SmallVector<StridedLoad, 8> found;
  for (BasicBlock* bb : loop.blocks())
    for (Instruction& i : *bb) {
      auto* load = dyn_cast<LoadInst>(&i);
      if (!load || !load->getType()->isVectorTy()) continue;
      const auto grows = growth.of(load->getPointerOperand());
      if (grows && *grows != 0) found.push_back({load, *grows});
    }
  return found;
}

unsigned lines_of(ArrayRef<StridedLoad> loads) {
  uint64_t bytes = 0;
  for (const StridedLoad& l : loads) bytes += l.load->getDataLayout().getTypeStoreSize(l.load->getType());
  return unsigned(std::max<uint64_t>(bytes / kLine, 1));
}

void prefetch(const StridedLoad& strided, Value* steps) {
  IRBuilder<> b(strided.load);
  Value* ahead = b.CreateMul(steps, ConstantInt::get(steps->getType(), uint64_t(strided.growth), true));
  b.CreateIntrinsic(Intrinsic::prefetch, {b.getPtrTy()},
                    {b.CreateGEP(b.getInt8Ty(), strided.load->getPointerOperand(), ahead), b.getInt32(0), b.getInt32(3),
                     b.getInt32(1)});
}

bool prefetch_in(const Loop& loop) {
  BasicBlock* before = loop.getLoopPredecessor();
  if (!loop.isInnermost() || !before || !loop.getLoopLatch()) return false;
  bool changed = false;
  for (PHINode& index : loop.getHeader()->phis()) {
    if (!index.getType()->isIntegerTy()) continue;
    Value* step = step_of(index, loop);
    if (!step || !uses_number_of_blocks(step)) continue;
    const auto loads = strided_loads(loop, index);
    if (loads.empty()) continue;
    const unsigned count = std::clamp(kLinesAhead / lines_of(loads), 1u, kMostSteps);
    IRBuilder<> b(before->getTerminator());
    Value* steps = b.CreateMul(b.CreateSExtOrTrunc(step, b.getInt64Ty()), b.getInt64(count));
    for (const StridedLoad& l : loads) prefetch(l, steps);
    changed = true;
  }
  return changed;
}

}  // namespace

bool prefetch_strides(Function& function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder()) changed |= prefetch_in(*loop);
  return changed;
}

}  // namespace warpwise::simt
