#include "simt/block/walk_warps.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>
#include <vector>

#include "simt/abi.h"
#include "simt/block/skip_inactive_warps.h"
#include "simt/instrument/events.h"
#include "simt/instrument/expand_events.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Frames up to this size live on the host's stack, where LLVM knows that nothing else writes them.
constexpr uint64_t kLargestStackFrames = 256 << 10;

class BlockBuilder {
 public:
  BlockBuilder(Module& module, DISubprogram* program, const Regions& regions, const BlockShape& block, StringRef name)
      : regions_(regions), context_(module.getContext()), b_(context_), warps_(block.warps()) {
    Type* ptr = PointerType::get(context_, 0);
    function_ = Function::Create(FunctionType::get(Type::getVoidTy(context_), {ptr}, false),
                                 GlobalValue::ExternalLinkage, name, module);
    function_->addFnAttr(Attribute::NoUnwind);
    function_->addFnAttr(Attribute::NullPointerIsValid);
    function_->addParamAttr(0, Attribute::NoAlias);
    function_->setSubprogram(program);
    if (program) b_.SetCurrentDebugLocation(DILocation::get(context_, 0, 0, program));
    block_ = function_->getArg(0);
    entry_ = new_block("entry");
    done_ = new_block("done");
    b_.SetInsertPoint(done_);
    b_.CreateRetVoid();
  }

  BlockFunction build() {
    b_.SetInsertPoint(entry_);
    const uint64_t bytes = regions_.frame_bytes * warps_;
    const bool on_stack = bytes <= kLargestStackFrames;
    if (on_stack) {
      frames_ = memory(bytes, "frames");
    } else {
      Value* address = b_.CreateAlignedLoad(
          b_.getInt64Ty(), b_.CreateConstGEP1_64(b_.getInt8Ty(), block_, offsetof(BlockContext, frames)), Align(8));
      frames_ = b_.CreateIntToPtr(address, b_.getPtrTy());
    }
    common_ = memory(regions_.common_bytes, "common");
    next_ = memory(regions_.common_bytes, "next");
    if (regions_.agree)
      walk_together();
    else
      walk_apart();
    return {function_, on_stack ? 0 : uint32_t(regions_.frame_bytes)};
  }

 private:
  BasicBlock* new_block(const Twine& name) { return BasicBlock::Create(context_, name, function_); }

  AllocaInst* memory(uint64_t bytes, const char* name) {
    AllocaInst* slot = b_.CreateAlloca(ArrayType::get(b_.getInt8Ty(), std::max<uint64_t>(bytes, 1)), nullptr, name);
    slot->setAlignment(Align(64));
    return slot;
  }

  // Volatile: a fault in this warp must find its number there.
  void store_warp(Value* w) {
    b_.CreateAlignedStore(w, b_.CreateConstGEP1_64(b_.getInt8Ty(), block_, offsetof(BlockContext, warp)), Align(4),
                          /*isVolatile=*/true);
  }

  // The warp that comes as number `turn`.
  Value* warp_at(Value* turn) {
    if (!regions_.as_scheduled || warps_ == 1) return turn;
    Value* order = b_.CreateConstGEP1_64(b_.getInt8Ty(), block_, offsetof(BlockContext, warp_order));
    return b_.CreateLoad(b_.getInt32Ty(), b_.CreateGEP(b_.getInt32Ty(), order, turn));
  }

  Value* call_region(const BlockRegion& region, Value* w) {
    store_warp(w);
    Value* frame = b_.CreateGEP(b_.getInt8Ty(), frames_,
                                b_.CreateMul(b_.CreateZExt(w, b_.getInt64Ty()), b_.getInt64(regions_.frame_bytes)));
    Value* end = b_.CreateCall(region.function, {block_, w, frame, common_, next_});
    // Regions that run several warps at once have no deferred stores (interleave_warps.cpp, may_interleave).
    if (regions_.defers && region.warps == 1) report(w, event::HideStores{});
    return end;
  }

  template <class Event>
  void report(Value* warp, const Event& event) {
    auto* lanes = FixedVectorType::get(b_.getInt64Ty(), kLanes);
    Value* none = Constant::getNullValue(lanes);
    b_.CreateCall(report_function(*function_->getParent()),
                  {block_, warp, b_.getInt32(~0u), b_.getInt32(pack(event)), none, none, b_.getInt32(0)});
  }

  // All warps have run their phase.
  void publish_stores() {
    if (regions_.defers) report(b_.getInt32(0), event::PublishStores{});
  }

  // All warps have arrived before the region.
  void report_barrier() { report(b_.getInt32(0), event::Barrier{event::Barrier::Of::Block}); }

  // bar.red: what the warps gathered becomes readable, and gathering starts anew (abi.h,
  // BlockContext::barrier_result: low half gathers, high half is published).
  void publish_reduction() {
    if (!regions_.reduces) return;
    Value* gathering = b_.CreateConstGEP1_64(b_.getInt8Ty(), block_, offsetof(BlockContext, barrier_result));
    Value* published = b_.CreateConstGEP1_64(b_.getInt8Ty(), block_, offsetof(BlockContext, barrier_result) + 4);
    b_.CreateStore(b_.CreateLoad(b_.getInt32Ty(), gathering), published);
    b_.CreateStore(b_.getInt32(0), gathering);
  }

  // Every region takes all warps to the same place: the last warp's answer holds for all.
  void walk_together() {
    const size_t count = regions_.regions.size();
    std::vector<BasicBlock*> heads;
    for (size_t r = 0; r < count; ++r) heads.push_back(new_block("region" + Twine(r)));
    b_.CreateBr(heads[0]);
    for (size_t r = 0; r < count; ++r) {
      const BlockRegion& region = regions_.regions[r];
      BasicBlock* body = new_block("warp" + Twine(r));
      BasicBlock* met = new_block("met" + Twine(r));
      b_.SetInsertPoint(heads[r]);
      if (regions_.reports_barriers && r != 0 && !region.quiet) report_barrier();
      if (region.head) {
        store_warp(b_.getInt32(0));
        b_.CreateCall(region.head, {block_, common_, b_.getTrue()});
      }
      BasicBlock* before = b_.GetInsertBlock();
      b_.CreateBr(body);
      b_.SetInsertPoint(body);
      Value* end = nullptr;
      if (region.unrolled) {
        for (unsigned w = 0; w < warps_; w += region.warps) end = call_region(region, b_.getInt32(w));
        b_.CreateBr(met);
      } else {
        PHINode* w = b_.CreatePHI(b_.getInt32Ty(), 2, "w");
        end = call_region(region, warp_at(w));
        Value* after = b_.CreateAdd(w, b_.getInt32(region.warps));
        w->addIncoming(b_.getInt32(0), before);
        w->addIncoming(after, b_.GetInsertBlock());
        Value* more = warps_ <= region.warps ? b_.getFalse() : b_.CreateICmpNE(after, b_.getInt32(warps_));
        if (region.may_skip) {
          Value* idle = b_.CreateICmpNE(b_.CreateAnd(end, b_.getInt32(kLaterWarpsInactive)), b_.getInt32(0));
          more = b_.CreateAnd(more, b_.CreateNot(idle));
        }
        b_.CreateCondBr(more, body, met);
      }
      b_.SetInsertPoint(met);
      for (const Regions::Common& c : regions_.common) {
        auto at = [&](Value* memory) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), memory, c.offset); };
        b_.CreateStore(b_.CreateLoad(c.type, at(next_)), at(common_));
      }
      publish_stores();
      publish_reduction();
      auto target = [&](uint32_t e) { return e == kRegionsDone ? done_ : heads[e]; };
      if (region.ends.size() <= 1) {
        b_.CreateBr(region.ends.empty() ? done_ : target(*region.ends.begin()));
      } else {
        if (region.may_skip) end = b_.CreateAnd(end, b_.getInt32(~kLaterWarpsInactive));
        SwitchInst* where = b_.CreateSwitch(end, done_, unsigned(region.ends.size()));
        for (uint32_t e : region.ends)
          if (e != kRegionsDone) where->addCase(b_.getInt32(e), heads[e]);
      }
    }
  }

  // Whether a range of warps is the whole block.
  Value* are_all(Value* begin, Value* end) {
    if (warps_ == 1) return b_.getTrue();
    return b_.CreateAnd(b_.CreateICmpEQ(begin, b_.getInt32(0)), b_.CreateICmpEQ(end, b_.getInt32(warps_)));
  }

  // --- warps may stop at different places
  //
  //     region r:  for (w = begin; w != end; ++w) resume[w] = region(w)      remembers the least and greatest answer
  //     met:       do all answers agree? Then together: the next region takes all warps. Otherwise apart.
  //     apart:     for each warp: its own region (each → pick → region → back → each), then met again

  // A region as a loop over some warps.
  struct RegionLoop {
    BasicBlock* head;
    PHINode *begin, *end;  // the warps, in `head`
    BasicBlock* exit;
    PHINode *least, *greatest;  // of the answers, in `exit`
  };

  // The blocks that choose the next region.
  struct Choice {
    BasicBlock *met, *together, *apart, *each, *pick, *back;
  };

  // The state of the walk of single warps crosses the region loops, which both walks share: it lives in slots.
  struct SingleWarps {
    AllocaInst *walk, *low, *high;  // the next warp, the least and the greatest answer so far
  };

  // The least and the greatest answer, as phis of a block with several predecessors.
  struct Answers {
    PHINode *least, *greatest;
    void add(Value* low, Value* high, BasicBlock* from) const {
      least->addIncoming(low, from);
      greatest->addIncoming(high, from);
    }
  };

  void walk_apart() {
    resume_ = b_.CreateAlloca(ArrayType::get(b_.getInt32Ty(), warps_), nullptr, "resume");
    std::vector<RegionLoop> loops;
    for (size_t r = 0; r < regions_.regions.size(); ++r) loops.push_back(build_loop(r));
    b_.SetInsertPoint(entry_);
    const SingleWarps single{slot("walk"), slot("low"), slot("high")};
    enter(loops[0], b_.getInt32(0), b_.getInt32(warps_));
    b_.CreateBr(loops[0].head);

    const Choice choice{new_block("met"),  new_block("together"), new_block("apart"),
                        new_block("each"), new_block("pick"),     new_block("back")};
    const Answers of_all = build_met(choice);
    build_together(choice, of_all, loops);
    build_apart(choice, of_all, single);
    build_pick(choice, single, loops);
    const Answers of_one = build_back(choice, single, unsigned(loops.size()));
    for (RegionLoop& loop : loops) leave(loop, choice, of_all, of_one, &loop == &loops[0]);
  }

  AllocaInst* slot(const char* name) { return b_.CreateAlloca(b_.getInt32Ty(), nullptr, name); }

  RegionLoop build_loop(size_t r) {
    Type* i32 = b_.getInt32Ty();
    BasicBlock* head = new_block("region" + Twine(r));
    BasicBlock* body = new_block("warp" + Twine(r));
    BasicBlock* exit = new_block("met" + Twine(r));
    RegionLoop loop{head, nullptr, nullptr, exit, nullptr, nullptr};
    b_.SetInsertPoint(head);
    loop.begin = b_.CreatePHI(i32, 2, "begin");
    loop.end = b_.CreatePHI(i32, 2, "end");
    if (Function* early = regions_.regions[r].head) {
      store_warp(b_.getInt32(0));
      b_.CreateCall(early, {block_, common_, are_all(loop.begin, loop.end)});
    }
    b_.CreateBr(body);
    b_.SetInsertPoint(body);
    PHINode* w = b_.CreatePHI(i32, 2, "w");
    PHINode* least = b_.CreatePHI(i32, 2, "least");
    PHINode* greatest = b_.CreatePHI(i32, 2, "greatest");
    Value* warp = warp_at(w);
    Value* at = call_region(regions_.regions[r], warp);
    b_.CreateStore(at, b_.CreateGEP(i32, resume_, warp));
    Value* low = b_.CreateBinaryIntrinsic(Intrinsic::umin, least, at);
    Value* high = b_.CreateBinaryIntrinsic(Intrinsic::umax, greatest, at);
    Value* next = b_.CreateAdd(w, b_.getInt32(1));
    w->addIncoming(loop.begin, head);
    least->addIncoming(b_.getInt32(kRegionsDone), head);
    greatest->addIncoming(b_.getInt32(0), head);
    w->addIncoming(next, body);
    least->addIncoming(low, body);
    greatest->addIncoming(high, body);
    b_.CreateCondBr(warps_ == 1 ? b_.getFalse() : b_.CreateICmpNE(next, loop.end), body, exit);
    b_.SetInsertPoint(exit);
    loop.least = b_.CreatePHI(i32, 1);
    loop.least->addIncoming(low, body);
    loop.greatest = b_.CreatePHI(i32, 1);
    loop.greatest->addIncoming(high, body);
    return loop;
  }

  // The jump from here to the loop's head is the caller's.
  void enter(RegionLoop& loop, Value* begin, Value* end) {
    loop.begin->addIncoming(begin, b_.GetInsertBlock());
    loop.end->addIncoming(end, b_.GetInsertBlock());
  }

  // All warps have stopped.
  Answers build_met(const Choice& choice) {
    b_.SetInsertPoint(choice.met);
    PHINode* least = b_.CreatePHI(b_.getInt32Ty(), 2, "least");
    PHINode* greatest = b_.CreatePHI(b_.getInt32Ty(), 2, "greatest");
    publish_stores();
    publish_reduction();
    b_.CreateCondBr(b_.CreateICmpEQ(least, greatest), choice.together, choice.apart);
    return {least, greatest};
  }

  void build_together(const Choice& choice, const Answers& of_all, std::vector<RegionLoop>& loops) {
    b_.SetInsertPoint(choice.together);
    SwitchInst* where = b_.CreateSwitch(of_all.least, done_, unsigned(loops.size()) - 1);
    for (unsigned r = 1; r < loops.size(); ++r) {
      where->addCase(b_.getInt32(r), loops[r].head);
      enter(loops[r], b_.getInt32(0), b_.getInt32(warps_));
    }
  }

  void build_apart(const Choice& choice, const Answers& of_all, const SingleWarps& single) {
    Type* i32 = b_.getInt32Ty();
    b_.SetInsertPoint(choice.apart);
    b_.CreateStore(b_.getInt32(0), single.walk);
    b_.CreateStore(b_.getInt32(kRegionsDone), single.low);
    b_.CreateStore(b_.getInt32(0), single.high);
    b_.CreateBr(choice.each);
    b_.SetInsertPoint(choice.each);
    next_single_ = b_.CreateLoad(i32, single.walk);
    Value* low = b_.CreateLoad(i32, single.low);
    of_all.add(low, b_.CreateLoad(i32, single.high), choice.each);
    b_.CreateCondBr(b_.CreateICmpULT(next_single_, b_.getInt32(warps_)), choice.pick, choice.met);
  }

  // The region at which this warp stopped; one that is done goes straight to `back`.
  void build_pick(const Choice& choice, const SingleWarps& single, std::vector<RegionLoop>& loops) {
    Type* i32 = b_.getInt32Ty();
    b_.SetInsertPoint(choice.pick);
    Value* w = next_single_;
    Value* at = b_.CreateLoad(i32, b_.CreateGEP(i32, resume_, warp_at(w)));
    Value* behind = b_.CreateAdd(w, b_.getInt32(1));
    SwitchInst* own = b_.CreateSwitch(at, choice.back, unsigned(loops.size()) - 1);
    for (unsigned r = 1; r < loops.size(); ++r) {
      own->addCase(b_.getInt32(r), loops[r].head);
      enter(loops[r], w, behind);
    }
  }

  // A region that ran one warp comes here.
  Answers build_back(const Choice& choice, const SingleWarps& single, unsigned loops) {
    Type* i32 = b_.getInt32Ty();
    b_.SetInsertPoint(choice.back);
    PHINode* least = b_.CreatePHI(i32, loops);
    PHINode* greatest = b_.CreatePHI(i32, loops);
    least->addIncoming(b_.getInt32(kRegionsDone), choice.pick);
    greatest->addIncoming(b_.getInt32(kRegionsDone), choice.pick);
    b_.CreateStore(b_.CreateBinaryIntrinsic(Intrinsic::umin, b_.CreateLoad(i32, single.low), least), single.low);
    b_.CreateStore(b_.CreateBinaryIntrinsic(Intrinsic::umax, b_.CreateLoad(i32, single.high), greatest), single.high);
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(i32, single.walk), b_.getInt32(1)), single.walk);
    b_.CreateBr(choice.each);
    return {least, greatest};
  }

  // A region that ran one warp goes on at `back`, one that ran all of them at `met`.
  void leave(RegionLoop& loop, const Choice& choice, const Answers& of_all, const Answers& of_one, bool is_start) {
    b_.SetInsertPoint(loop.exit);
    if (is_start) {
      b_.CreateBr(choice.met);
    } else {
      b_.CreateCondBr(are_all(loop.begin, loop.end), choice.met, choice.back);
      of_one.add(loop.least, loop.greatest, loop.exit);
    }
    of_all.add(loop.least, loop.greatest, loop.exit);
  }

  const Regions& regions_;
  LLVMContext& context_;
  IRBuilder<> b_;
  uint32_t warps_;
  Function* function_ = nullptr;
  Value* block_ = nullptr;
  BasicBlock *entry_ = nullptr, *done_ = nullptr;
  Value *frames_ = nullptr, *common_ = nullptr, *next_ = nullptr;
  Value* resume_ = nullptr;       // walk_apart: where each warp stopped
  Value* next_single_ = nullptr;  // walk_apart: the warp that `each` has come to
};

}  // namespace

bool is_worth_unrolling(const Regions& regions, const BlockRegion& region, const BlockShape& block) {
  constexpr unsigned kMostUnrolled = 256;  // instructions
  if (regions.regions.size() <= 1) return false;
  unsigned count = 0;
  for (const BasicBlock& bb : *region.function) count += unsigned(bb.size());
  if (count * (block.warps() / region.warps) > kMostUnrolled) return false;
  DominatorTree dominators(*region.function);
  return LoopInfo(dominators).empty();
}

BlockFunction walk_warps(Module& module, Regions& regions, const BlockShape& block, StringRef name) {
  DISubprogram* program = regions.regions[0].function->getSubprogram();
  const BlockFunction result = BlockBuilder(module, program, regions, block, name).build();
  for (BlockRegion& region : regions.regions)
    for (Function* part : {region.head, region.function}) {
      if (!part) continue;
      for (User* call : make_early_inc_range(part->users())) {
        InlineFunctionInfo info;
        InlineFunction(*cast<CallInst>(call), info);
      }
      part->eraseFromParent();
    }
  regions.regions.clear();
  return result;
}

}  // namespace warpwise::simt
