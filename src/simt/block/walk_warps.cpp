#include "simt/block/walk_warps.h"

#include <llvm/IR/IRBuilder.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/skip_idle_warps.h"
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
  void tell_warp(Value* w) {
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
    tell_warp(w);
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

  // Some warp goes on behind it.
  static bool is_barrier(const BlockRegion& region) {
    return any_of(region.ends, [](uint32_t end) { return end != kRegionsDone; });
  }

  // All warps have arrived.
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

  // Every region takes all warps to the same place, so the last warp's answer holds for all.
  void walk_together() {
    const size_t count = regions_.regions.size();
    SmallVector<BasicBlock*> heads;
    for (size_t r = 0; r < count; ++r) heads.push_back(new_block("region" + Twine(r)));
    b_.CreateBr(heads[0]);
    for (size_t r = 0; r < count; ++r) {
      const BlockRegion& region = regions_.regions[r];
      BasicBlock* body = new_block("warp" + Twine(r));
      BasicBlock* met = new_block("met" + Twine(r));
      b_.SetInsertPoint(heads[r]);
      if (region.head) {
        tell_warp(b_.getInt32(0));
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
        if (region.may_rest) {
          Value* rest = b_.CreateICmpNE(b_.CreateAnd(end, b_.getInt32(kIdleRegion)), b_.getInt32(0));
          more = b_.CreateAnd(more, b_.CreateNot(rest));
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
      if (regions_.reports_barriers && is_barrier(region)) report_barrier();
      auto target = [&](uint32_t e) { return e == kRegionsDone ? done_ : heads[e]; };
      if (region.ends.size() <= 1) {
        b_.CreateBr(region.ends.empty() ? done_ : target(*region.ends.begin()));
      } else {
        if (region.may_rest) end = b_.CreateAnd(end, b_.getInt32(~kIdleRegion));
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

  // Warps may stop at different places. Each region is a loop over some warps,
  // for (w = begin; w != end; ++w) resume[w] = region(w), that remembers the least and the greatest answer. If
  // all agree, the next region takes them all; else each warp's own region is run, one warp at a time.
  void walk_apart() {
    Type* i32 = b_.getInt32Ty();
    auto* resume = b_.CreateAlloca(ArrayType::get(i32, warps_), nullptr, "resume");
    struct Loop {
      BasicBlock* head;
      PHINode *begin, *end;
      BasicBlock* exit;
      PHINode *least, *greatest;
    };
    std::vector<Loop> loops;
    for (size_t r = 0; r < regions_.regions.size(); ++r) {
      BasicBlock* head = new_block("region" + Twine(r));
      BasicBlock* body = new_block("warp" + Twine(r));
      BasicBlock* exit = new_block("met" + Twine(r));
      Loop loop{head, nullptr, nullptr, exit, nullptr, nullptr};
      b_.SetInsertPoint(head);
      loop.begin = b_.CreatePHI(i32, 2, "begin");
      loop.end = b_.CreatePHI(i32, 2, "end");
      if (Function* early = regions_.regions[r].head) {
        tell_warp(b_.getInt32(0));
        b_.CreateCall(early, {block_, common_, are_all(loop.begin, loop.end)});
      }
      b_.CreateBr(body);
      b_.SetInsertPoint(body);
      PHINode* w = b_.CreatePHI(i32, 2, "w");
      PHINode* least = b_.CreatePHI(i32, 2, "least");
      PHINode* greatest = b_.CreatePHI(i32, 2, "greatest");
      Value* warp = warp_at(w);
      Value* at = call_region(regions_.regions[r], warp);
      b_.CreateStore(at, b_.CreateGEP(i32, resume, warp));
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
      loops.push_back(loop);
    }
    auto enter = [&](Loop& loop, Value* begin, Value* end) {
      loop.begin->addIncoming(begin, b_.GetInsertBlock());
      loop.end->addIncoming(end, b_.GetInsertBlock());
    };
    b_.SetInsertPoint(entry_);
    // The state of the walk of single warps crosses the region loops, which both walks share: it lives in slots.
    AllocaInst* walk = b_.CreateAlloca(i32, nullptr, "walk");
    AllocaInst* low = b_.CreateAlloca(i32, nullptr, "low");
    AllocaInst* high = b_.CreateAlloca(i32, nullptr, "high");
    enter(loops[0], b_.getInt32(0), b_.getInt32(warps_));
    b_.CreateBr(loops[0].head);

    BasicBlock* met = new_block("met");
    BasicBlock* together = new_block("together");
    BasicBlock* apart = new_block("apart");
    const unsigned barriers = unsigned(loops.size()) - 1;
    b_.SetInsertPoint(met);
    PHINode* least = b_.CreatePHI(i32, 2, "least");
    PHINode* greatest = b_.CreatePHI(i32, 2, "greatest");
    publish_stores();
    publish_reduction();
    b_.CreateCondBr(b_.CreateICmpEQ(least, greatest), together, apart);
    b_.SetInsertPoint(together);
    SwitchInst* where = b_.CreateSwitch(least, done_, barriers);
    for (unsigned r = 1; r < loops.size(); ++r) {
      where->addCase(b_.getInt32(r), loops[r].head);
      enter(loops[r], b_.getInt32(0), b_.getInt32(warps_));
    }
    // apart: for each warp that is not done, its own region, then look again.
    BasicBlock* each = new_block("each");
    BasicBlock* pick = new_block("pick");
    BasicBlock* back = new_block("back");
    b_.SetInsertPoint(apart);
    b_.CreateStore(b_.getInt32(0), walk);
    b_.CreateStore(b_.getInt32(kRegionsDone), low);
    b_.CreateStore(b_.getInt32(0), high);
    b_.CreateBr(each);
    b_.SetInsertPoint(each);
    Value* w = b_.CreateLoad(i32, walk);
    least->addIncoming(b_.CreateLoad(i32, low), each);
    greatest->addIncoming(b_.CreateLoad(i32, high), each);
    b_.CreateCondBr(b_.CreateICmpULT(w, b_.getInt32(warps_)), pick, met);
    b_.SetInsertPoint(pick);
    Value* at = b_.CreateLoad(i32, b_.CreateGEP(i32, resume, warp_at(w)));
    Value* next_warp = b_.CreateAdd(w, b_.getInt32(1));
    SwitchInst* own = b_.CreateSwitch(at, back, barriers);
    for (unsigned r = 1; r < loops.size(); ++r) {
      own->addCase(b_.getInt32(r), loops[r].head);
      enter(loops[r], w, next_warp);
    }
    // A region that ran one warp returns to `back`, one that ran all goes to `met`.
    b_.SetInsertPoint(back);
    PHINode* least_of_one = b_.CreatePHI(i32, unsigned(loops.size()));
    PHINode* greatest_of_one = b_.CreatePHI(i32, unsigned(loops.size()));
    least_of_one->addIncoming(b_.getInt32(kRegionsDone), pick);
    greatest_of_one->addIncoming(b_.getInt32(kRegionsDone), pick);
    b_.CreateStore(b_.CreateBinaryIntrinsic(Intrinsic::umin, b_.CreateLoad(i32, low), least_of_one), low);
    b_.CreateStore(b_.CreateBinaryIntrinsic(Intrinsic::umax, b_.CreateLoad(i32, high), greatest_of_one), high);
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(i32, walk), b_.getInt32(1)), walk);
    b_.CreateBr(each);
    for (unsigned r = 0; r < loops.size(); ++r) {
      b_.SetInsertPoint(loops[r].exit);
      if (r == 0) {
        b_.CreateBr(met);
      } else {
        b_.CreateCondBr(are_all(loops[r].begin, loops[r].end), met, back);
        least_of_one->addIncoming(loops[r].least, loops[r].exit);
        greatest_of_one->addIncoming(loops[r].greatest, loops[r].exit);
      }
      least->addIncoming(loops[r].least, loops[r].exit);
      greatest->addIncoming(loops[r].greatest, loops[r].exit);
    }
  }

  const Regions& regions_;
  LLVMContext& context_;
  IRBuilder<> b_;
  uint32_t warps_;
  Function* function_ = nullptr;
  Value* block_ = nullptr;
  BasicBlock *entry_ = nullptr, *done_ = nullptr;
  Value *frames_ = nullptr, *common_ = nullptr, *next_ = nullptr;
};

}  // namespace

BlockFunction make_block_function(Module& module, DISubprogram* program, const Regions& regions,
                                  const BlockShape& block, StringRef name) {
  return BlockBuilder(module, program, regions, block, name).build();
}

}  // namespace warpwise::simt
