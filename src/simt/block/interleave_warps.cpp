#include "simt/block/interleave_warps.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "simt/abi.h"
#include "simt/analysis/block_uniformity.h"
#include "simt/instrument/events.h"
#include "simt/instrument/expand_counts.h"
#include "simt/instrument/expand_events.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Vector registers that the loops of interleaved warps may keep busy, of 32: the rest is for short-lived values.
constexpr unsigned kBusyRegisters = 16;
constexpr unsigned kRegisterBits = 512;
// More code than this is not worth its compile time.
constexpr unsigned kMostInstructions = 600;
// Of instrumented code, much of which is hardly ever run: eight warps of a transpose under all checkers have 6,600.
constexpr unsigned kMostInstrumented = 9000;
constexpr unsigned kMostInterleaved = 4;
// Code with scatters gains more from the full count, and most of it is the cold side of guards. So does a loop that
// gathers what all warps read (rows of a matrix, one for each lane): nothing that a warp does costs as much as a
// gather.
constexpr unsigned kMostScattering = 1800;

bool is_guard(const BasicBlock& block) { return block.getTerminator()->hasMetadata(kGuardBranch); }

// The cold sides of guards.
SmallPtrSet<const BasicBlock*, 8> cold_blocks(const Function& region) {
  SmallPtrSet<const BasicBlock*, 8> cold;
  for (const BasicBlock& bb : region)
    if (is_guard(bb)) cold.insert(bb.getTerminator()->getSuccessor(1));
  return cold;
}

// Other warps do not see it before the next synchronisation: the warp runs alone.
bool defers_store(const Instruction& i) {
  auto* call = dyn_cast<CallInst>(&i);
  auto* code = call && is_report(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(3)) : nullptr;
  return code && kind_of(uint32_t(code->getZExtValue())) == EventKind::DeferStore;
}

// Where instrumented code reports something, which it hardly ever does.
bool tells(const BasicBlock& block) {
  return any_of(block, [](const Instruction& i) {
    auto* call = dyn_cast<CallInst>(&i);
    return call && is_report(*call);
  });
}

// Only effects on memory that race-free programs cannot tell the order of.
bool may_interleave(const Instruction& i) {
  if (i.isAtomic() || i.isVolatile() || isa<AllocaInst>(i) || i.hasMetadata(kUpdate)) return false;
  if (auto* call = dyn_cast<CallInst>(&i))
    return isa<IntrinsicInst>(call) || (is_counted(*call) && !is_short_count(*call));
  return true;
}

unsigned registers_of(const Value* v, const DataLayout& layout) {
  auto* type = dyn_cast<FixedVectorType>(v->getType());
  if (!type || type->getElementType()->isIntegerTy(1)) return 0;
  return unsigned((layout.getTypeSizeInBits(type) + kRegisterBits - 1) / kRegisterBits);
}

// What each interleaved warp needs for itself, and what all share.
struct Work {
  unsigned own = 0, common = 0;                      // instructions
  unsigned own_registers = 0, common_registers = 0;  // vectors that live through the busiest loop, or the region
  bool shares_gathers = false;                       // in a loop
};

Work work_of(Function& region, const BlockUniformity& uniform, const SmallPtrSetImpl<const BasicBlock*>& telling) {
  Work work;
  auto keep_most = [&](const DenseSet<const Value*>& values) {
    unsigned own = 0, common = 0;
    for (const Value* v : values) (uniform.is_uniform(v) ? common : own) += registers_of(v, region.getDataLayout());
    if (own < work.own_registers) return;
    work.own_registers = own;
    work.common_registers = common;
  };
  DenseSet<const Value*> kept;  // across barriers
  for (BasicBlock& bb : region) {
    if (telling.contains(&bb)) continue;
    for (Instruction& i : bb) {
      (uniform.is_uniform(&i) && !i.getType()->isVoidTy() ? work.common : work.own) +=
          std::max(1u, registers_of(&i, region.getDataLayout()));
      if (auto* load = dyn_cast<LoadInst>(&i);
          load && load->getPointerOperand()->stripInBoundsConstantOffsets() == region.getArg(2))
        kept.insert(load);
    }
  }
  keep_most(kept);
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    DenseSet<const Value*> values;
    for (PHINode& phi : loop->getHeader()->phis()) values.insert(&phi);
    for (BasicBlock* bb : loop->blocks()) {
      if (telling.contains(bb)) continue;
      for (Instruction& i : *bb) {
        auto* intrinsic = dyn_cast<IntrinsicInst>(&i);
        work.shares_gathers |=
            intrinsic && intrinsic->getIntrinsicID() == Intrinsic::masked_gather && uniform.is_uniform(intrinsic);
        for (Value* v : i.operands())
          if (auto* from = dyn_cast<Instruction>(v); from && !loop->contains(from)) values.insert(from);
      }
    }
    keep_most(values);
  }
  return work;
}

}  // namespace

unsigned interleaved_warps(Function& region, const RegionArguments& arguments, unsigned warps) {
  unsigned instructions = 0;
  bool scatters = false;
  const auto cold = cold_blocks(region);
  SmallPtrSet<const BasicBlock*, 16> telling;
  for (const BasicBlock* bb : cold)
    if (tells(*bb)) telling.insert(bb);
  const unsigned most_instructions = telling.empty() ? kMostInstructions : kMostInstrumented;
  for (BasicBlock& bb : region)
    for (Instruction& i : bb) {
      if (defers_store(i)) return 1;
      if (telling.contains(&bb)) continue;
      if (!may_interleave(i) || ++instructions > most_instructions) return 1;
      scatters = scatters || (is_mergeable_scatter(i) && !cold.contains(&bb));
    }
  BlockUniformity uniform(region, {arguments.warp, arguments.frame}, BlockUniformity::Loads::Together);
  for (BasicBlock& bb : region)
    if (uniform.parts(bb) && !is_guard(bb)) return 1;
  const Work work = work_of(region, uniform, telling);
  // What all share may as well come from memory once for each gather.
  const unsigned common_registers = work.shares_gathers ? 0 : work.common_registers;
  auto fits = [&](unsigned count, unsigned most) {
    return warps % count == 0 && count * work.own_registers + common_registers <= kBusyRegisters &&
           count * work.own + work.common <= most;
  };
  if (scatters && fits(kMergedWarps, telling.empty() ? kMostScattering : kMostInstrumented)) return kMergedWarps;
  unsigned count = kMostInterleaved;
  while (count > 1 &&
         !fits(count, work.shares_gathers ? std::max(most_instructions, kMostScattering) : most_instructions))
    count /= 2;
  return count;
}

std::vector<SideBySide> interleave_warps(Function& region, const RegionArguments& arguments, unsigned count) {
  LLVMContext& context = region.getContext();
  BlockUniformity uniform(region, {arguments.warp, arguments.frame}, BlockUniformity::Loads::Together);
  // The first warp keeps the instructions there are; the others get copies right behind them.
  std::vector<DenseMap<Value*, Value*>> copies(count);
  IRBuilder<> b(context);
  BasicBlock& entry = region.getEntryBlock();
  b.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  for (unsigned g = 1; g < count; ++g) {
    copies[g][arguments.warp] = b.CreateAdd(arguments.warp, b.getInt32(g));
    copies[g][arguments.frame] =
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), arguments.frame, g * arguments.frame_bytes);
  }
  SmallPtrSet<Instruction*, 16> fresh;
  for (unsigned g = 1; g < count; ++g)
    for (auto& [from, to] : copies[g])
      if (auto* i = dyn_cast<Instruction>(to)) fresh.insert(i);

  struct Copy {
    Instruction* made;
    unsigned warp;
  };
  std::vector<Copy> made;
  std::vector<SideBySide> scatters;
  const auto cold = cold_blocks(region);
  for (BasicBlock* bb : ReversePostOrderTraversal<Function*>(&region))
    for (Instruction& i : make_early_inc_range(*bb)) {
      if (i.isTerminator() || fresh.contains(&i)) continue;
      const bool one_for_all = i.getType()->isVoidTy()
                                   ? all_of(i.operands(), [&](Use& u) { return uniform.is_uniform(u.get()); })
                                   : uniform.is_uniform(&i);
      if (one_for_all) {
        // One addition for all warps.
        if (auto* call = dyn_cast<CallInst>(&i); call && is_counted_add(*call)) {
          b.SetInsertPoint(call);
          call->setArgOperand(1, b.CreateMul(call->getArgOperand(1), b.getInt64(count)));
        }
        continue;
      }
      Instruction* last = &i;
      const bool scatter = is_mergeable_scatter(i) && !cold.contains(bb);
      if (scatter) scatters.push_back({cast<IntrinsicInst>(&i)});
      for (unsigned g = 1; g < count; ++g) {
        Instruction* copy = i.clone();
        if (!i.getType()->isVoidTy()) copy->setName(i.getName());
        copy->insertAfter(last);
        last = copy;
        if (scatter) scatters.back().push_back(cast<IntrinsicInst>(copy));
        copies[g][&i] = copy;
        made.push_back({copy, g});
        fresh.insert(copy);
        // A fault finds the warp in the debug place's column (compiler.h, Site::first_lane).
        if (DILocation* place = i.getDebugLoc(); place && i.mayReadOrWriteMemory())
          copy->setDebugLoc(DILocation::get(context, place->getLine(), std::max(1u, place->getColumn()) + g * kLanes,
                                            place->getScope(), place->getInlinedAt()));
      }
    }
  for (auto [copy, g] : made)
    for (Use& use : copy->operands())
      if (auto found = copies[g].find(use.get()); found != copies[g].end()) use.set(found->second);
  // Guards: the pattern only if it is right for every warp.
  for (BasicBlock& bb : region) {
    auto* branch = dyn_cast<BranchInst>(bb.getTerminator());
    if (!branch || !uniform.parts(bb)) continue;
    b.SetInsertPoint(branch);
    Value* all = branch->getCondition();
    for (unsigned g = 1; g < count; ++g)
      if (auto found = copies[g].find(branch->getCondition()); found != copies[g].end())
        all = b.CreateAnd(all, found->second);
    branch->setCondition(all);
  }
  return scatters;
}

}  // namespace warpwise::simt
