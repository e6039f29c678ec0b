#include "simt/passes/split_at_barriers.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/passes/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

constexpr uint32_t kDone = ~uint32_t{0};
// Frames up to this size live on the host's stack, where LLVM knows that nobody else writes them.
constexpr uint64_t kLargestStackFrames = 256 << 10;

// A kernel with its barriers found and the values that live across them in stack slots.
class Splitter {
 public:
  Splitter(Function& warp_function, const BlockShape& block, StringRef name)
      : warp_(warp_function), block_(block), name_(name), context_(warp_function.getContext()) {}

  BlockFunction run() {
    find_barriers();
    if (!barriers_.empty()) {
      hoist_into_prologue();
      find_live_values();
      demote_live_values();
    }
    for (unsigned r = 0; r <= barriers_.size(); ++r) regions_.push_back(make_region(r));
    BlockFunction result = make_block_function();
    for (Function* region : regions_) {
      auto* call = cast<CallInst>(*region->user_begin());
      InlineFunctionInfo info;
      InlineFunction(*call, info);
      region->eraseFromParent();
    }
    warp_.eraseFromParent();
    hoist_block_constants(*result.function);
    return result;
  }

 private:
  struct Barrier {
    Instruction* marker;    // the call, in the warp function
    BasicBlock* after;      // what follows
    SmallVector<Instruction*> live;  // needed there
  };

  void find_barriers() {
    SmallVector<Instruction*> calls;
    for (Instruction& i : instructions(warp_))
      if (dialect_of(&i) == Dialect::BarrierSync) {
        calls.push_back(&i);
        reduces_ = reduces_ || i.hasMetadata("ww.red");
      }
    for (Instruction* call : calls) {
      BasicBlock* after = call->getParent()->splitBasicBlock(call->getNextNode(), "resume");
      barriers_.push_back({call, after, {}});
    }
  }

  // Pure instructions whose operands are known in the prologue belong there: computing them again in
  // each region is cheaper than keeping them in memory.
  void hoist_into_prologue() {
    BasicBlock& prologue = warp_.getEntryBlock();
    Instruction* end = prologue.getTerminator();
    auto known = [&](Value* v) {
      auto* i = dyn_cast<Instruction>(v);
      return !i || i->getParent() == &prologue;
    };
    ReversePostOrderTraversal<Function*> order(&warp_);
    for (BasicBlock* bb : order) {
      if (bb == &prologue) continue;
      for (Instruction& i : make_early_inc_range(*bb)) {
        if (isa<PHINode>(i) || i.isTerminator() || i.mayReadOrWriteMemory() || i.mayHaveSideEffects() || isa<AllocaInst>(i)) continue;
        if (!isSafeToSpeculativelyExecute(&i)) continue;
        if (all_of(i.operands(), known)) i.moveBefore(end);
      }
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
    SetVector<Instruction*> all;
    for (Instruction& i : instructions(warp_))
      for (Barrier& barrier : barriers_)
        if (live_in[barrier.after].contains(&i)) {
          barrier.live.push_back(&i);
          all.insert(&i);
        }
    // Frame offsets: by size, so that nothing is padded.
    const DataLayout& layout = warp_.getDataLayout();
    SmallVector<Instruction*> order(all.begin(), all.end());
    stable_sort(order, [&](Instruction* a, Instruction* b) {
      return layout.getTypeAllocSize(stored_type(a)) > layout.getTypeAllocSize(stored_type(b));
    });
    for (Instruction* i : order) {
      uint64_t size = layout.getTypeAllocSize(stored_type(i));
      uint64_t align = std::min<uint64_t>(64, PowerOf2Ceil(size));
      frame_bytes_ = alignTo(frame_bytes_, align);
      frame_offset_[i] = frame_bytes_;
      frame_bytes_ += size;
    }
    frame_bytes_ = alignTo(frame_bytes_, 64);
  }

  // Masks travel as 32 bits.
  Type* stored_type(Instruction* i) const {
    if (auto* v = dyn_cast<FixedVectorType>(i->getType()); v && v->getElementType()->isIntegerTy(1))
      return IntegerType::get(context_, v->getNumElements());
    return i->getType();
  }

  // Values that live across barriers become stack slots; mem2reg makes SSA of each region's copy again,
  // where they come from the frame or from their definition.
  void demote_live_values() {
    BasicBlock& prologue = warp_.getEntryBlock();
    for (auto& [i, offset] : frame_offset_) {
      IRBuilder<> b(&prologue, prologue.begin());
      AllocaInst* slot = b.CreateAlloca(i->getType(), nullptr, i->getName() + ".kept");
      slots_[i] = slot;
      SmallVector<Use*> uses;
      for (Use& use : i->uses()) uses.push_back(&use);
      for (Use* use : uses) {
        auto* user = cast<Instruction>(use->getUser());
        Instruction* at = user;
        if (auto* phi = dyn_cast<PHINode>(user)) at = phi->getIncomingBlock(*use)->getTerminator();
        else if (user->getParent() == i->getParent()) continue;  // the definition itself is at hand
        b.SetInsertPoint(at);
        use->set(b.CreateLoad(i->getType(), slot));
      }
      if (isa<PHINode>(i)) b.SetInsertPoint(i->getParent(), i->getParent()->getFirstInsertionPt());
      else b.SetInsertPoint(i->getParent(), std::next(i->getIterator()));
      b.CreateStore(i, slot);
    }
  }

  // The code from resume point `r` (0: the start) to the next barriers:
  // i32 @region(ptr block, i32 warp, ptr frame).
  Function* make_region(unsigned r) {
    Type* i32 = Type::getInt32Ty(context_);
    Type* ptr = PointerType::get(context_, 0);
    auto* type = FunctionType::get(i32, {ptr, i32, ptr}, false);
    Function* region = Function::Create(type, GlobalValue::InternalLinkage, name_ + ".region", warp_.getParent());
    region->addParamAttr(0, Attribute::NoAlias);
    region->addParamAttr(2, Attribute::NoAlias);
    ValueToValueMapTy map;
    map[warp_.getArg(0)] = region->getArg(0);
    map[warp_.getArg(1)] = region->getArg(1);
    SmallVector<ReturnInst*, 4> returns;
    CloneFunctionInto(region, &warp_, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    for (ReturnInst* ret : returns) {
      ReturnInst::Create(context_, ConstantInt::get(i32, kDone), ret->getIterator());
      ret->eraseFromParent();
    }
    Value* frame = region->getArg(2);
    IRBuilder<> b(context_);
    auto place = [&](Instruction* i) { return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), frame, frame_offset_.lookup(i)); };
    auto align = [&](Instruction* i) {
      uint64_t size = warp_.getDataLayout().getTypeAllocSize(stored_type(i));
      return Align(std::min<uint64_t>(64, PowerOf2Ceil(size)));
    };
    for (unsigned k = 0; k < barriers_.size(); ++k) {
      auto* marker = cast<Instruction>(map[barriers_[k].marker]);
      BasicBlock* bb = marker->getParent();
      b.SetInsertPoint(marker);
      for (Instruction* i : barriers_[k].live) {
        Value* v = b.CreateLoad(i->getType(), cast<Instruction>(map[slots_.lookup(i)]));
        if (v->getType() != stored_type(i)) v = b.CreateBitCast(v, stored_type(i));
        b.CreateAlignedStore(v, place(i), align(i));
      }
      ReturnInst* ret = b.CreateRet(b.getInt32(k + 1));
      // Drop the marker and the jump behind it.
      for (BasicBlock* s : successors(bb)) s->removePredecessor(bb);
      while (&bb->back() != ret) bb->back().eraseFromParent();
    }
    if (r > 0) {
      auto* entry = &region->getEntryBlock();
      auto* after = cast<BasicBlock>(map[barriers_[r - 1].after]);
      Instruction* jump = entry->getTerminator();
      b.SetInsertPoint(jump);
      for (Instruction* i : barriers_[r - 1].live) {
        Value* v = b.CreateAlignedLoad(stored_type(i), place(i), align(i));
        if (v->getType() != i->getType()) v = b.CreateBitCast(v, i->getType());
        b.CreateStore(v, cast<Instruction>(map[slots_.lookup(i)]));
      }
      for (BasicBlock* s : successors(entry)) s->removePredecessor(entry);
      jump->eraseFromParent();
      b.SetInsertPoint(entry);
      b.CreateBr(after);
    }
    EliminateUnreachableBlocks(*region);
    SmallVector<AllocaInst*> slots;
    for (Instruction& i : region->getEntryBlock())
      if (auto* alloca = dyn_cast<AllocaInst>(&i); alloca && isAllocaPromotable(alloca)) slots.push_back(alloca);
    DominatorTree dominators(*region);
    PromoteMemToReg(slots, dominators);
    return region;
  }

  BlockFunction make_block_function() {
    Type* ptr = PointerType::get(context_, 0);
    auto* type = FunctionType::get(Type::getVoidTy(context_), {ptr}, false);
    Function* function = Function::Create(type, GlobalValue::ExternalLinkage, name_, warp_.getParent());
    function->addFnAttr(Attribute::NoUnwind);
    function->addFnAttr(Attribute::NullPointerIsValid);
    function->addParamAttr(0, Attribute::NoAlias);
    if (DISubprogram* program = warp_.getSubprogram()) {
      warp_.setSubprogram(nullptr);
      function->setSubprogram(program);
    }
    IRBuilder<> b(context_);
    if (auto* program = function->getSubprogram()) b.SetCurrentDebugLocation(DILocation::get(context_, 0, 0, program));
    Type* i32 = b.getInt32Ty();
    Value* block = function->getArg(0);
    const uint32_t warps = block_.warps();
    auto new_block = [&](const Twine& name) { return BasicBlock::Create(context_, name, function); };
    BasicBlock* entry = new_block("entry");
    BasicBlock* done = new_block("done");
    b.SetInsertPoint(done);
    b.CreateRetVoid();

    b.SetInsertPoint(entry);
    const uint64_t bytes = frame_bytes_ * warps;
    const bool on_stack = bytes <= kLargestStackFrames;
    Value* frames;
    if (on_stack) {
      auto* memory = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), std::max<uint64_t>(bytes, 1)), nullptr, "frames");
      memory->setAlignment(Align(64));
      frames = memory;
    } else {
      frames = b.CreateIntToPtr(b.CreateAlignedLoad(b.getInt64Ty(), b.CreateConstGEP1_64(b.getInt8Ty(), block, offsetof(BlockContext, frames)), Align(8)), ptr);
    }
    auto* resume = b.CreateAlloca(ArrayType::get(i32, warps), nullptr, "resume");
    // Where each region can end. Mostly there is one place, and then nothing need be remembered.
    SmallVector<SmallSet<uint32_t, 4>> outcomes(regions_.size());
    bool may_disagree = false;
    for (unsigned r = 0; r < regions_.size(); ++r) {
      for (BasicBlock& bb : *regions_[r])
        if (auto* ret = dyn_cast<ReturnInst>(bb.getTerminator()))
          outcomes[r].insert(uint32_t(cast<ConstantInt>(ret->getReturnValue())->getZExtValue()));
      may_disagree = may_disagree || outcomes[r].size() > 1;
    }

    // Each region: for (w = begin; w != end; ++w) resume[w] = region(w), remembering the least and the
    // greatest answer.
    struct Loop {
      BasicBlock* head;
      PHINode *begin, *end;
      BasicBlock* exit;
      PHINode *least, *greatest;
    };
    std::vector<Loop> loops;
    for (unsigned r = 0; r < regions_.size(); ++r) {
      BasicBlock* head = new_block("region" + Twine(r));
      BasicBlock* body = new_block("warp" + Twine(r));
      BasicBlock* exit = new_block("met" + Twine(r));
      Loop loop{head, nullptr, nullptr, exit, nullptr, nullptr};
      b.SetInsertPoint(head);
      loop.begin = b.CreatePHI(i32, 2, "begin");
      loop.end = b.CreatePHI(i32, 2, "end");
      b.CreateBr(body);
      b.SetInsertPoint(body);
      PHINode* w = b.CreatePHI(i32, 2, "w");
      PHINode* least = b.CreatePHI(i32, 2, "least");
      PHINode* greatest = b.CreatePHI(i32, 2, "greatest");
      // Volatile: a fault in this warp must find its number there.
      b.CreateAlignedStore(w, b.CreateConstGEP1_64(b.getInt8Ty(), block, offsetof(BlockContext, warp)), Align(4), /*isVolatile=*/true);
      Value* frame = b.CreateGEP(b.getInt8Ty(), frames, b.CreateMul(b.CreateZExt(w, b.getInt64Ty()), b.getInt64(frame_bytes_)));
      Value* at = b.CreateCall(regions_[r], {block, w, frame});
      if (may_disagree) b.CreateStore(at, b.CreateGEP(i32, resume, w));
      Value* low = b.CreateBinaryIntrinsic(Intrinsic::umin, least, at);
      Value* high = b.CreateBinaryIntrinsic(Intrinsic::umax, greatest, at);
      Value* next = b.CreateAdd(w, b.getInt32(1));
      w->addIncoming(loop.begin, head);
      least->addIncoming(b.getInt32(~0u), head);
      greatest->addIncoming(b.getInt32(0), head);
      w->addIncoming(next, body);
      least->addIncoming(low, body);
      greatest->addIncoming(high, body);
      b.CreateCondBr(warps == 1 ? b.getFalse() : b.CreateICmpNE(next, loop.end), body, exit);
      b.SetInsertPoint(exit);
      loop.least = b.CreatePHI(i32, 1);
      loop.least->addIncoming(low, body);
      loop.greatest = b.CreatePHI(i32, 1);
      loop.greatest->addIncoming(high, body);
      loops.push_back(loop);
    }
    auto enter = [&](Loop& loop, Value* begin, Value* end) {
      loop.begin->addIncoming(begin, b.GetInsertBlock());
      loop.end->addIncoming(end, b.GetInsertBlock());
    };
    b.SetInsertPoint(entry);
    enter(loops[0], b.getInt32(0), b.getInt32(warps));
    b.CreateBr(loops[0].head);
    if (!may_disagree) {  // a chain of regions (or a ring, of a kernel that never ends)
      for (unsigned r = 0; r < loops.size(); ++r) {
        b.SetInsertPoint(loops[r].exit);
        publish_reduction(b, block);
        uint32_t next = outcomes[r].empty() ? kDone : *outcomes[r].begin();
        if (next != kDone) enter(loops[next], b.getInt32(0), b.getInt32(warps));
        b.CreateBr(next == kDone ? done : loops[next].head);
      }
      for (Loop& loop : loops)
        if (pred_empty(loop.head)) {  // nobody gets there
          loop.begin->replaceAllUsesWith(b.getInt32(0));
          loop.end->replaceAllUsesWith(b.getInt32(warps));
          loop.begin->eraseFromParent();
          loop.end->eraseFromParent();
        }
      return {function, on_stack ? 0 : uint32_t(frame_bytes_)};
    }

    // All warps have met. If they agree, the next region takes them all; else one at a time.
    BasicBlock* met = new_block("met");
    BasicBlock* together = new_block("together");
    BasicBlock* apart = new_block("apart");
    b.SetInsertPoint(met);
    PHINode* least = b.CreatePHI(i32, 2, "least");
    PHINode* greatest = b.CreatePHI(i32, 2, "greatest");
    publish_reduction(b, block);
    b.CreateCondBr(b.CreateICmpEQ(least, greatest), together, apart);
    b.SetInsertPoint(together);
    SwitchInst* where = b.CreateSwitch(least, done, unsigned(barriers_.size()));
    for (unsigned r = 1; r < loops.size(); ++r) {
      where->addCase(b.getInt32(r), loops[r].head);
      enter(loops[r], b.getInt32(0), b.getInt32(warps));
    }
    // apart: for each warp that is not done, its own region, then look again. The state of this walk
    // crosses the region loops, which both walks share, so it lives in slots.
    BasicBlock* each = new_block("each");
    BasicBlock* pick = new_block("pick");
    BasicBlock* back = new_block("back");
    b.SetInsertPoint(entry->getTerminator());
    AllocaInst* walk = b.CreateAlloca(i32, nullptr, "walk");
    AllocaInst* low = b.CreateAlloca(i32, nullptr, "low");
    AllocaInst* high = b.CreateAlloca(i32, nullptr, "high");
    b.SetInsertPoint(apart);
    b.CreateStore(b.getInt32(0), walk);
    b.CreateStore(b.getInt32(~0u), low);
    b.CreateStore(b.getInt32(0), high);
    b.CreateBr(each);
    b.SetInsertPoint(each);
    Value* w = b.CreateLoad(i32, walk);
    least->addIncoming(b.CreateLoad(i32, low), each);
    greatest->addIncoming(b.CreateLoad(i32, high), each);
    b.CreateCondBr(b.CreateICmpULT(w, b.getInt32(warps)), pick, met);
    b.SetInsertPoint(pick);
    Value* at = b.CreateLoad(i32, b.CreateGEP(i32, resume, w));
    Value* next_warp = b.CreateAdd(w, b.getInt32(1));
    SwitchInst* own = b.CreateSwitch(at, back, unsigned(barriers_.size()));
    for (unsigned r = 1; r < loops.size(); ++r) {
      own->addCase(b.getInt32(r), loops[r].head);
      enter(loops[r], w, next_warp);
    }
    // A region that ran one warp returns to `back`, one that ran all goes to `met`.
    b.SetInsertPoint(back);
    PHINode* least_of_one = b.CreatePHI(i32, unsigned(loops.size()));
    PHINode* greatest_of_one = b.CreatePHI(i32, unsigned(loops.size()));
    least_of_one->addIncoming(b.getInt32(~0u), pick);
    greatest_of_one->addIncoming(b.getInt32(kDone), pick);
    b.CreateStore(b.CreateBinaryIntrinsic(Intrinsic::umin, b.CreateLoad(i32, low), least_of_one), low);
    b.CreateStore(b.CreateBinaryIntrinsic(Intrinsic::umax, b.CreateLoad(i32, high), greatest_of_one), high);
    b.CreateStore(b.CreateAdd(b.CreateLoad(i32, walk), b.getInt32(1)), walk);
    b.CreateBr(each);
    for (unsigned r = 0; r < loops.size(); ++r) {
      b.SetInsertPoint(loops[r].exit);
      if (r == 0) {
        b.CreateBr(met);
      } else {
        Value* whole = b.CreateAnd(b.CreateICmpEQ(loops[r].begin, b.getInt32(0)), b.CreateICmpEQ(loops[r].end, b.getInt32(warps)));
        if (warps == 1) whole = b.getTrue();
        b.CreateCondBr(whole, met, back);
        least_of_one->addIncoming(loops[r].least, loops[r].exit);
        greatest_of_one->addIncoming(loops[r].greatest, loops[r].exit);
      }
      least->addIncoming(loops[r].least, loops[r].exit);
      greatest->addIncoming(loops[r].greatest, loops[r].exit);
    }
    return {function, on_stack ? 0 : uint32_t(frame_bytes_)};
  }

  // What every warp would load and compute alike (parameters, indices of the block, bases) is done once per
  // block. LLVM's LICM stops at the volatile store of the warp's number.
  static void hoist_block_constants(Function& function) {
    BasicBlock& entry = function.getEntryBlock();
    Instruction* end = entry.getTerminator();
    ReversePostOrderTraversal<Function*> order(&function);
    for (BasicBlock* bb : order) {
      if (bb == &entry) continue;
      for (Instruction& i : make_early_inc_range(*bb)) {
        const bool constant_load = isa<LoadInst>(i) && i.hasMetadata(LLVMContext::MD_invariant_load);
        const bool address = isa<GetElementPtrInst>(i) || isa<IntToPtrInst>(i);
        const bool arithmetic = (isa<BinaryOperator>(i) || isa<CastInst>(i)) && !i.getType()->isVectorTy() && isSafeToSpeculativelyExecute(&i);
        if (!constant_load && !address && !arithmetic) continue;
        if (all_of(i.operands(), [&](Value* v) {
              auto* operand = dyn_cast<Instruction>(v);
              return !operand || operand->getParent() == &entry;
            }))
          i.moveBefore(end);
      }
    }
  }

  // bar.red: what the warps gathered becomes readable, and gathering starts anew (abi.h,
  // BlockContext::barrier_result: low half gathers, high half is published).
  void publish_reduction(IRBuilder<>& b, Value* block) {
    if (!reduces_) return;
    Value* gathering = b.CreateConstGEP1_64(b.getInt8Ty(), block, offsetof(BlockContext, barrier_result));
    Value* published = b.CreateConstGEP1_64(b.getInt8Ty(), block, offsetof(BlockContext, barrier_result) + 4);
    b.CreateStore(b.CreateLoad(b.getInt32Ty(), gathering), published);
    b.CreateStore(b.getInt32(0), gathering);
  }

  Function& warp_;
  BlockShape block_;
  std::string name_;
  LLVMContext& context_;
  std::vector<Barrier> barriers_;
  std::vector<Function*> regions_;
  MapVector<Instruction*, uint64_t> frame_offset_;
  DenseMap<Instruction*, AllocaInst*> slots_;
  uint64_t frame_bytes_ = 0;
  bool reduces_ = false;  // some barrier is a bar.red
};

}  // namespace

BlockFunction split_at_barriers(Function& warp_function, const BlockShape& block, StringRef name) {
  return Splitter(warp_function, block, name).run();
}

}  // namespace warpwise::simt
