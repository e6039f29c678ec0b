#include "simt/block/split_at_barriers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <memory>

#include "simt/analysis/block_uniformity.h"
#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A kernel with its barriers found and the values that live across them in stack slots.
class Splitter {
 public:
  Splitter(Function& warp_function, StringRef name)
      : warp_(warp_function), name_(name), context_(warp_function.getContext()) {}

  Regions run() {
    find_barriers();
    const BlockUniformity uniform(warp_, {warp_.getArg(1)}, BlockUniformity::Loads::Constant);
    // Now: what a branch tests may be read from a slot later on.
    SmallPtrSet<BasicBlock*, 16> divergence;
    for (BasicBlock& bb : warp_)
      if (uniform.parts(bb)) divergence.insert(&bb);
    if (!barriers_.empty()) {
      find_live_values();
      demote_live_values();
    }
    for (unsigned r = 0; r <= barriers_.size(); ++r) cut_region(r);
    for (unsigned r = 0; r <= barriers_.size(); ++r)
      regions_.agree = regions_.agree && ends_agree(regions_.regions[r], *cuts_[r].map, divergence);
    lay_out_frames(uniform);
    for (unsigned r = 0; r <= barriers_.size(); ++r) connect_region(r);
    cuts_.clear();
    warp_.eraseFromParent();
    return std::move(regions_);
  }

 private:
  struct Barrier {
    Instruction* marker;             // the call, in the warp function
    BasicBlock* after;               // what follows
    SmallVector<Instruction*> live;  // needed there
  };
  // A region in the making: what became of the warp function's values, and the return at each barrier.
  struct Cut {
    Function* region;
    std::unique_ptr<ValueToValueMapTy> map;
    std::vector<ReturnInst*> stops;
  };
  // Where a value that lives across a barrier is in memory.
  struct Spilled {
    bool common;  // once for the block (block-uniform), or once for each warp
    uint64_t offset;
  };

  void find_barriers() {
    SmallVector<Instruction*> calls;
    for (Instruction& i : instructions(warp_))
      if (dialect_of(&i) == Dialect::BarrierSync) {
        calls.push_back(&i);
        regions_.reduces = regions_.reduces || i.hasMetadata("ww.red");
      }
    for (Instruction* call : calls) {
      BasicBlock* after = call->getParent()->splitBasicBlock(call->getNextNode(), "resume");
      barriers_.push_back({call, after, {}});
      ends_at_barrier_.insert(call->getParent());
    }
  }

  // Backward liveness of the instructions outside the prologue.
  void find_live_values() {
    BasicBlock& prologue = warp_.getEntryBlock();
    DenseMap<BasicBlock*, SmallPtrSet<Instruction*, 16>> live_in;
    // For each value, walk back from its uses to its definition.
    for (Instruction& i : instructions(warp_)) {
      if (i.getParent() == &prologue || i.use_empty()) continue;
      SmallVector<BasicBlock*, 8> work;
      auto need_at_start = [&](BasicBlock* bb) {
        if (bb != &prologue && live_in[bb].insert(&i).second) work.push_back(bb);
      };
      for (Use& use : i.uses()) {
        auto* user = cast<Instruction>(use.getUser());
        if (auto* phi = dyn_cast<PHINode>(user)) {
          BasicBlock* from = phi->getIncomingBlock(use);
          if (from != i.getParent()) need_at_start(from);
        } else if (user->getParent() != i.getParent()) {
          need_at_start(user->getParent());
        }
      }
      while (!work.empty()) {
        BasicBlock* bb = work.pop_back_val();
        for (BasicBlock* pred : predecessors(bb))
          if (pred != i.getParent()) need_at_start(pred);
      }
    }
    // In the order of the code.
    DenseMap<Instruction*, unsigned> place;
    for (Instruction& i : instructions(warp_)) place[&i] = static_cast<unsigned>(place.size());
    for (Barrier& barrier : barriers_) {
      auto& live = live_in[barrier.after];
      barrier.live.assign(live.begin(), live.end());
      sort(barrier.live, [&](Instruction* a, Instruction* b) { return place.lookup(a) < place.lookup(b); });
    }
  }

  // Masks are spilled as a byte for each lane: one instruction either way on every host. One number would be cheaper,
  // but LLVM 19's instruction selection never finishes on some blocks that load such a number as a mask, choose by it,
  // and store another number that was made of it.
  Type* stored_type(Instruction* i) const {
    auto* v = dyn_cast<FixedVectorType>(i->getType());
    return v && v->getElementType()->isIntegerTy(1) ? v->getWithNewType(Type::getInt8Ty(context_)) : i->getType();
  }

  // Values that live across barriers become stack slots; mem2reg makes SSA of each region's copy again,
  // where they come from the frame or from their definition.
  void demote_live_values() {
    BasicBlock& prologue = warp_.getEntryBlock();
    SetVector<Instruction*> all;
    for (Barrier& barrier : barriers_) all.insert(barrier.live.begin(), barrier.live.end());
    for (Instruction* i : all) {
      IRBuilder<> b(&prologue, prologue.begin());
      AllocaInst* slot = b.CreateAlloca(i->getType(), nullptr, i->getName() + ".spilled");
      slots_[i] = slot;
      SmallVector<Use*> uses;
      for (Use& use : i->uses()) uses.push_back(&use);
      for (Use* use : uses) {
        auto* user = cast<Instruction>(use->getUser());
        Instruction* at = user;
        if (auto* phi = dyn_cast<PHINode>(user))
          at = phi->getIncomingBlock(*use)->getTerminator();
        else if (user->getParent() == i->getParent())
          continue;  // the definition itself is at hand
        b.SetInsertPoint(at);
        use->set(b.CreateLoad(i->getType(), slot));
      }
      if (isa<PHINode>(i))
        b.SetInsertPoint(i->getParent(), i->getParent()->getFirstInsertionPt());
      else
        b.SetInsertPoint(i->getParent(), std::next(i->getIterator()));
      b.CreateStore(i, slot);
    }
  }

  // The code from resume point `r` (0: the start) to the next barriers; what it needs from before and leaves
  // for later is connected afterwards.
  void cut_region(unsigned r) {
    Type* i32 = Type::getInt32Ty(context_);
    Type* ptr = PointerType::get(context_, 0);
    auto* type = FunctionType::get(i32, {ptr, i32, ptr, ptr, ptr}, false);
    Function* region = Function::Create(type, GlobalValue::InternalLinkage, name_ + ".region", warp_.getParent());
    for (unsigned argument : {0u, 2u, 3u, 4u}) region->addParamAttr(argument, Attribute::NoAlias);
    Cut cut{region, std::make_unique<ValueToValueMapTy>()};
    ValueToValueMapTy& map = *cut.map;
    map[warp_.getArg(0)] = region->getArg(0);
    map[warp_.getArg(1)] = region->getArg(1);
    for (ReturnInst* ret : copy_reachable(r == 0 ? &warp_.getEntryBlock() : barriers_[r - 1].after, region, map)) {
      ReturnInst::Create(context_, ConstantInt::get(i32, kRegionsDone), ret->getIterator());
      ret->eraseFromParent();
    }
    IRBuilder<> b(context_);
    for (unsigned k = 0; k < barriers_.size(); ++k) {
      auto* marker = cast_or_null<Instruction>(map.lookup(barriers_[k].marker));
      if (!marker) {
        cut.stops.push_back(nullptr);
        continue;
      }
      BasicBlock* bb = marker->getParent();
      b.SetInsertPoint(marker);
      ReturnInst* ret = b.CreateRet(b.getInt32(k + 1));
      // Drop the marker and the jump behind it.
      for (BasicBlock* s : successors(bb))
        if (s->getParent() == region) s->removePredecessor(bb);
      while (&bb->back() != ret) bb->back().eraseFromParent();
      cut.stops.push_back(ret);
    }
    if (r > 0) {
      auto* entry = &region->getEntryBlock();
      auto* after = cast<BasicBlock>(map[barriers_[r - 1].after]);
      Instruction* jump = entry->getTerminator();
      for (BasicBlock* s : successors(entry))
        if (s->getParent() == region) s->removePredecessor(entry);
      jump->eraseFromParent();
      b.SetInsertPoint(entry);
      b.CreateBr(after);
    }
    // What runs before the first barrier alone is deleted with its blocks.
    SmallPtrSet<BasicBlock*, 32> reachable;
    for (BasicBlock* bb : depth_first(region)) reachable.insert(bb);
    for (ReturnInst*& stop : cut.stops)
      if (stop && !reachable.contains(stop->getParent())) stop = nullptr;
    EliminateUnreachableBlocks(*region);
    BlockRegion result;
    result.function = region;
    for (BasicBlock& bb : *region)
      if (auto* ret = dyn_cast<ReturnInst>(bb.getTerminator()))
        result.ends.insert(uint32_t(cast<ConstantInt>(ret->getReturnValue())->getZExtValue()));
    cuts_.push_back(std::move(cut));
    regions_.regions.push_back(std::move(result));
  }

  // Copies what runs between `start` and the next barriers, and what this needs of the prologue; returns the copies of
  // the kernel's ends. Regions are small and many where loops over barriers have been unrolled, so no more than that is
  // copied.
  SmallVector<ReturnInst*, 4> copy_reachable(BasicBlock* start, Function* region, ValueToValueMapTy& map) {
    region->addFnAttrs(AttrBuilder(context_, warp_.getAttributes().getFnAttrs()));
    for (unsigned argument : {0u, 1u})
      region->addParamAttrs(argument, AttrBuilder(context_, warp_.getAttributes().getParamAttrs(argument)));
    region->setSubprogram(warp_.getSubprogram());
    SmallPtrSet<BasicBlock*, 32> wanted{&warp_.getEntryBlock(), start};
    SmallVector<BasicBlock*> work{start};
    while (!work.empty()) {
      BasicBlock* bb = work.pop_back_val();
      if (ends_at_barrier_.contains(bb)) continue;
      for (BasicBlock* s : successors(bb))
        if (wanted.insert(s).second) work.push_back(s);
    }
    const SmallPtrSet<Instruction*, 32> needed = needed_of_prologue(wanted, start);
    SmallVector<ReturnInst*, 4> returns;
    SmallVector<BasicBlock*> copies;
    for (BasicBlock& bb : warp_) {
      if (!wanted.contains(&bb)) continue;
      BasicBlock* copy = bb.isEntryBlock() ? copy_some(bb, needed, map, region) : CloneBasicBlock(&bb, map, "", region);
      map[&bb] = copy;
      copies.push_back(copy);
      if (auto* ret = dyn_cast<ReturnInst>(copy->getTerminator())) returns.push_back(ret);
    }
    for (BasicBlock* copy : copies)
      for (Instruction& i : make_early_inc_range(*copy)) {
        if (auto* phi = dyn_cast<PHINode>(&i))
          phi->removeIncomingValueIf([&](unsigned n) { return !wanted.contains(phi->getIncomingBlock(n)); },
                                     /*DeletePHIIfEmpty=*/false);
        RemapInstruction(&i, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      }
    return returns;
  }

  // The instructions of the prologue that a region needs which consists of these other blocks.
  SmallPtrSet<Instruction*, 32> needed_of_prologue(const SmallPtrSetImpl<BasicBlock*>& wanted, BasicBlock* start) {
    BasicBlock& prologue = warp_.getEntryBlock();
    SmallPtrSet<Instruction*, 32> needed;
    SmallVector<Instruction*> work;
    auto need = [&](Value* v) {
      auto* i = dyn_cast<Instruction>(v);
      if (i && i->getParent() == &prologue && needed.insert(i).second) work.push_back(i);
    };
    for (Instruction& i : prologue)
      if (i.isTerminator() || i.mayHaveSideEffects()) need(&i);
    for (BasicBlock* bb : wanted)
      if (bb != &prologue)
        for (Instruction& i : *bb)
          for (Value* operand : i.operands()) need(operand);
    for (Barrier& barrier : barriers_)
      if (barrier.after == start || wanted.contains(barrier.marker->getParent()))
        for (Instruction* i : barrier.live) need(slots_.lookup(i));
    while (!work.empty())
      for (Value* operand : work.pop_back_val()->operands()) need(operand);
    return needed;
  }

  static BasicBlock* copy_some(BasicBlock& bb, const SmallPtrSetImpl<Instruction*>& which, ValueToValueMapTy& map,
                               Function* to) {
    BasicBlock* copy = BasicBlock::Create(bb.getContext(), bb.getName(), to);
    for (Instruction& i : bb) {
      if (!which.contains(&i)) continue;
      Instruction* clone = i.clone();
      clone->insertInto(copy, copy->end());
      clone->setName(i.getName());
      map[&i] = clone;
    }
    return copy;
  }

  // Do all warps that run this region end it at the same place? They may diverge on the way, if they reconverge
  // before it matters.
  bool ends_agree(const BlockRegion& region, const ValueToValueMapTy& map,
                  const SmallPtrSetImpl<BasicBlock*>& divergence) {
    if (region.ends.size() <= 1) return true;
    PostDominatorTree after(*region.function);
    for (BasicBlock* bb : divergence) {
      auto* here = cast_or_null<BasicBlock>(map.lookup(bb));
      if (!here || here->getParent() != region.function) continue;
      auto* node = after.getNode(here);
      if (!node) return false;
      if (node->getIDom() && node->getIDom()->getBlock()) continue;  // they reconverge
      SmallSet<uint32_t, 4> reached;
      for (BasicBlock* bb_after : depth_first(here))
        if (auto* ret = dyn_cast<ReturnInst>(bb_after->getTerminator()))
          reached.insert(uint32_t(cast<ConstantInt>(ret->getReturnValue())->getZExtValue()));
      if (reached.size() > 1) return false;
    }
    return true;
  }

  // Values that live across a barrier are spilled to the frame of their warp, or once for all warps.
  void lay_out_frames(const BlockUniformity& uniform) {
    SetVector<Instruction*> all;
    for (Barrier& barrier : barriers_) all.insert(barrier.live.begin(), barrier.live.end());
    // By size, so that nothing is padded.
    const DataLayout& layout = warp_.getDataLayout();
    SmallVector<Instruction*> order(all.begin(), all.end());
    stable_sort(order, [&](Instruction* a, Instruction* b) {
      return layout.getTypeAllocSize(stored_type(a)) > layout.getTypeAllocSize(stored_type(b));
    });
    for (Instruction* i : order) {
      const bool common = regions_.agree && uniform.is_uniform(i);
      uint64_t& bytes = common ? regions_.common_bytes : regions_.frame_bytes;
      uint64_t size = layout.getTypeAllocSize(stored_type(i));
      bytes = alignTo(bytes, align_of(i));
      spilled_[i] = {common, bytes};
      if (common) regions_.common.push_back({stored_type(i), bytes});
      bytes += size;
    }
    regions_.frame_bytes = alignTo(regions_.frame_bytes, 64);
  }

  Align align_of(Instruction* i) const {
    return Align(std::min<uint64_t>(64, PowerOf2Ceil(warp_.getDataLayout().getTypeAllocSize(stored_type(i)))));
  }

  // Loads what the region needs where it starts, stores what is needed later where it stops.
  void connect_region(unsigned r) {
    Function* region = regions_.regions[r].function;
    ValueToValueMapTy& map = *cuts_[r].map;
    IRBuilder<> b(context_);
    auto place = [&](Instruction* i, unsigned common_argument) {
      const Spilled& spilled = spilled_.find(i)->second;
      return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), region->getArg(spilled.common ? common_argument : 2),
                                          spilled.offset);
    };
    for (unsigned k = 0; k < barriers_.size(); ++k) {
      if (!cuts_[r].stops[k]) continue;
      b.SetInsertPoint(cuts_[r].stops[k]);
      for (Instruction* i : barriers_[k].live) {
        Value* v = b.CreateLoad(i->getType(), cast<Instruction>(map[slots_.lookup(i)]));
        if (v->getType() != stored_type(i)) v = b.CreateSExt(v, stored_type(i));
        b.CreateAlignedStore(v, place(i, 4), align_of(i));
      }
    }
    if (r > 0) {
      b.SetInsertPoint(region->getEntryBlock().getTerminator());
      for (Instruction* i : barriers_[r - 1].live) {
        LoadInst* load = b.CreateAlignedLoad(stored_type(i), place(i, 3), align_of(i));
        if (spilled_.find(i)->second.common) load->setMetadata("ww.common", MDNode::get(context_, {}));
        Value* v = load;
        if (v->getType() != i->getType()) v = b.CreateICmpSLT(v, Constant::getNullValue(v->getType()));
        b.CreateStore(v, cast<Instruction>(map[slots_.lookup(i)]));
      }
    }
    SmallVector<AllocaInst*> slots;
    for (Instruction& i : region->getEntryBlock())
      if (auto* alloca = dyn_cast<AllocaInst>(&i); alloca && isAllocaPromotable(alloca)) slots.push_back(alloca);
    DominatorTree dominators(*region);
    PromoteMemToReg(slots, dominators);
    // Each region has the whole prologue and needs little of it.
    SmallVector<WeakTrackingVH> dead;
    for (Instruction& i : instructions(*region))
      if (isInstructionTriviallyDead(&i)) dead.push_back(&i);
    RecursivelyDeleteTriviallyDeadInstructions(dead);
  }

  Function& warp_;
  std::string name_;
  LLVMContext& context_;
  std::vector<Barrier> barriers_;
  SmallPtrSet<BasicBlock*, 8> ends_at_barrier_;
  DenseMap<Instruction*, AllocaInst*> slots_;
  DenseMap<Instruction*, Spilled> spilled_;
  std::vector<Cut> cuts_;
  Regions regions_;
};

}  // namespace

Regions split_at_barriers(Function& warp_function, StringRef name) { return Splitter(warp_function, name).run(); }

}  // namespace warpwise::simt
