#include "simt/passes/read_early.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>
#include <optional>

#include "simt/abi.h"
#include "simt/passes/block_values.h"
#include "simt/passes/expand_counts.h"
#include "simt/passes/gang.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

constexpr unsigned kMostWords = 8;  // of a region; they are kept in registers while the warps run

bool writes(const Instruction& i) {
  if (auto* call = dyn_cast<CallInst>(&i); call && (is_counted(*call) || isa<AssumeInst>(call) || isa<NoAliasScopeDeclInst>(call))) return false;
  return i.mayWriteToMemory() || i.isAtomic();
}

// Blocks that are reached by no path that writes; the block itself may write later.
SmallPtrSet<BasicBlock*, 16> clean_blocks(Function& region) {
  SmallPtrSet<BasicBlock*, 16> writing, dirty;
  for (BasicBlock& bb : region)
    if (any_of(bb, writes)) writing.insert(&bb);
  SmallVector<BasicBlock*> work(writing.begin(), writing.end());
  while (!work.empty())
    for (BasicBlock* after : successors(work.pop_back_val()))
      if (dirty.insert(after).second) work.push_back(after);
  SmallPtrSet<BasicBlock*, 16> clean;
  for (BasicBlock& bb : region)
    if (!dirty.contains(&bb)) clean.insert(&bb);
  return clean;
}

// Those that every warp runs.
SmallPtrSet<BasicBlock*, 4> leading_blocks(Function& region) {
  SmallPtrSet<BasicBlock*, 4> leading;
  for (BasicBlock* bb = &region.getEntryBlock(); bb && leading.insert(bb).second;) bb = bb->getSingleSuccessor();
  return leading;
}

bool is_shared_base(Value* v, Argument* block) {
  auto* load = dyn_cast<LoadInst>(v);
  if (!load || !load->hasMetadata(LLVMContext::MD_invariant_load)) return false;
  const DataLayout& layout = load->getDataLayout();
  APInt offset(64, 0);
  return load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true) == block && offset == offsetof(BlockContext, shared);
}

// Where in shared memory a pointer leads, if that is a constant.
std::optional<uint64_t> place_in_shared(Value* pointer, Argument* block, const DataLayout& layout) {
  APInt offset(64, 0);
  pointer = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  auto* cast = dyn_cast<IntToPtrInst>(pointer);
  if (!cast) return std::nullopt;
  Value* address = cast->getOperand(0);
  while (auto* sum = dyn_cast<BinaryOperator>(address)) {
    const unsigned at = isa<ConstantInt>(sum->getOperand(0)) ? 0 : 1;
    auto* constant = dyn_cast<ConstantInt>(sum->getOperand(at));
    if (!constant || sum->getOpcode() != Instruction::Add) return std::nullopt;
    offset += constant->getValue();
    address = sum->getOperand(1 - at);
  }
  if (!is_shared_base(address, block) || offset.isNegative()) return std::nullopt;
  return offset.getZExtValue();
}

struct Word {
  SmallVector<LoadInst*, 2> loads;
  bool always = false;  // some load of it is one that every warp makes
  uint64_t value_at = 0, found_at = 0;  // in `common`; the second says whether it was read
};

class EarlyReads {
 public:
  EarlyReads(Function& region, uint64_t& common_bytes) : region_(region), common_bytes_(common_bytes), layout_(region.getDataLayout()), b_(region.getContext()) {}

  Function* run() {
    find();
    if (words_.empty()) return nullptr;
    for (auto& [key, word] : words_) {
      const uint64_t size = layout_.getTypeAllocSize(key.second);
      common_bytes_ = alignTo(common_bytes_, 8);
      word.value_at = common_bytes_, word.found_at = common_bytes_ + size;
      common_bytes_ += size + 1;
    }
    Function* head = make_head();
    for (auto& [key, word] : words_)
      for (LoadInst* load : word.loads) replace(*load, word);
    return head;
  }

 private:
  void find() {
    const auto clean = clean_blocks(region_);
    const auto leading = leading_blocks(region_);
    for (BasicBlock* bb : ReversePostOrderTraversal<Function*>(&region_)) {
      if (!clean.contains(bb)) continue;
      for (Instruction& i : *bb) {
        if (writes(i)) break;
        auto* load = dyn_cast<LoadInst>(&i);
        if (!load || !load->isSimple() || load->hasMetadata(LLVMContext::MD_invariant_load) || load->hasMetadata("ww.common")) continue;
        if (load->hasMetadata(kUpdate)) continue;  // an atomic: it reads what the warps before have made
        Type* type = load->getType();
        if (!(type->isFloatingPointTy() || type->isIntegerTy()) || layout_.getTypeAllocSize(type) > 8) continue;
        const auto place = place_in_shared(load->getPointerOperand(), region_.getArg(0), layout_);
        if (!place || (words_.size() == kMostWords && !words_.contains({*place, type}))) continue;
        Word& word = words_[{*place, type}];
        word.loads.push_back(load);
        word.always = word.always || leading.contains(bb);
      }
    }
  }

  Value* in_common(Value* common, uint64_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), common, offset); }

  Function* make_head() {
    LLVMContext& context = region_.getContext();
    Type* ptr = PointerType::get(context, 0);
    Function* head = Function::Create(FunctionType::get(b_.getVoidTy(), {ptr, ptr}, false), GlobalValue::InternalLinkage, region_.getName() + ".head",
                                      region_.getParent());
    head->addFnAttrs(AttrBuilder(context, region_.getAttributes().getFnAttrs()));
    head->addParamAttr(0, Attribute::NoAlias), head->addParamAttr(1, Attribute::NoAlias);
    head->setSubprogram(region_.getSubprogram());
    b_.SetInsertPoint(BasicBlock::Create(context, "entry", head));
    Value *block = head->getArg(0), *common = head->getArg(1);
    Value* shared = load_block_field(b_, block, offsetof(BlockContext, shared), b_.getInt64Ty(), "shared");
    Value* bytes = load_block_field(b_, block, offsetof(BlockContext, total_shared_bytes), b_.getInt32Ty(), "total_smem");
    for (auto& [key, word] : words_) {
      const auto [place, type] = key;
      b_.SetCurrentDebugLocation(word.loads[0]->getDebugLoc());
      BasicBlock* next = nullptr;
      if (!word.always) {
        Value* inside = b_.CreateICmpUGE(b_.CreateZExt(bytes, b_.getInt64Ty()), b_.getInt64(place + layout_.getTypeAllocSize(type)));
        b_.CreateStore(b_.CreateZExt(inside, b_.getInt8Ty()), in_common(common, word.found_at));
        BasicBlock* read = BasicBlock::Create(context, "read", head);
        next = BasicBlock::Create(context, "next", head);
        b_.CreateCondBr(inside, read, next);
        b_.SetInsertPoint(read);
      }
      Value* address = b_.CreateIntToPtr(b_.CreateAdd(shared, b_.getInt64(place)), ptr);
      LoadInst* load = b_.CreateAlignedLoad(type, address, word.loads[0]->getAlign());
      b_.CreateStore(load, in_common(common, word.value_at));
      if (next) {
        b_.CreateBr(next);
        b_.SetInsertPoint(next);
      }
    }
    b_.SetCurrentDebugLocation({});
    b_.CreateRetVoid();
    return head;
  }

  Value* load_common(Type* type, uint64_t offset) {
    LoadInst* load = b_.CreateLoad(type, in_common(region_.getArg(3), offset));
    load->setMetadata("ww.common", MDNode::get(region_.getContext(), {}));
    return load;
  }

  void replace(LoadInst& load, const Word& word) {
    b_.SetInsertPoint(&load);
    if (word.always) {
      load.replaceAllUsesWith(load_common(load.getType(), word.value_at));
      load.eraseFromParent();
      return;
    }
    Value* missing = b_.CreateICmpEQ(load_common(b_.getInt8Ty(), word.found_at), b_.getInt8(0));
    Value* early = load_common(load.getType(), word.value_at);
    BasicBlock* before = load.getParent();
    Instruction* rare = SplitBlockAndInsertIfThen(missing, load.getIterator(), /*Unreachable=*/false);
    b_.SetInsertPoint(&load);
    PHINode* value = b_.CreatePHI(load.getType(), 2);
    load.replaceAllUsesWith(value);
    load.moveBefore(rare);
    value->addIncoming(early, before);
    value->addIncoming(&load, rare->getParent());
  }

  Function& region_;
  uint64_t& common_bytes_;
  const DataLayout& layout_;
  IRBuilder<> b_;
  MapVector<std::pair<uint64_t, Type*>, Word> words_;
};

}  // namespace

Function* read_early(Function& region, uint64_t& common_bytes) { return EarlyReads(region, common_bytes).run(); }

}  // namespace warpwise::simt
