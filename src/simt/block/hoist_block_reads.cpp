#include "simt/block/hoist_block_reads.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>
#include <optional>

#include "simt/abi.h"
#include "simt/analysis/memory_spaces.h"
#include "simt/block/block_values.h"
#include "simt/block/interleave_warps.h"
#include "simt/instrument/expand_counts.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

constexpr unsigned kMostWords = 8;  // of a region, vectors among them; they are kept in registers while the warps run
constexpr uint64_t kAlignInCommon = 8;

bool writes(const Instruction& i) {
  if (auto* call = dyn_cast<CallInst>(&i);
      call && (is_counted(*call) || isa<AssumeInst>(call) || isa<NoAliasScopeDeclInst>(call)))
    return false;
  return i.mayWriteToMemory() || i.isAtomic();
}

// What a region keeps for itself and for later regions (its frame, `next`) is its own argument's.
bool may_write_shared(const Instruction& i) {
  if (!writes(i) || is_never_shared(i)) return false;
  auto* store = dyn_cast<StoreInst>(&i);
  return !store || !isa<Argument>(getUnderlyingObject(store->getPointerOperand()));
}

// Blocks that are reached by no path that writes what may be shared; the block itself may write later.
SmallPtrSet<BasicBlock*, 16> clean_blocks(Function& region) {
  SmallPtrSet<BasicBlock*, 16> writing, dirty;
  for (BasicBlock& bb : region)
    if (any_of(bb, may_write_shared)) writing.insert(&bb);
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
  return load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true) == block &&
         offset == offsetof(BlockContext, shared);
}

// Where in shared memory a pointer leads, if that is a constant: the bits of all that is added to the base are known.
// (`threadIdx.x % 32` of a warp's first lane is 32 times the warp's number, of which five bits are kept.)
std::optional<uint64_t> place_in_shared(Value* pointer, Argument* block, const DataLayout& layout) {
  APInt offset(64, 0);
  pointer = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  auto* cast = dyn_cast<IntToPtrInst>(pointer);
  if (!cast) return std::nullopt;
  Value* address = cast->getOperand(0);
  while (auto* sum = dyn_cast<BinaryOperator>(address)) {
    if (sum->getOpcode() != Instruction::Add) return std::nullopt;
    KnownBits known = computeKnownBits(sum->getOperand(1), layout);
    const unsigned rest = known.isConstant() ? 0 : 1;
    if (rest == 1) known = computeKnownBits(sum->getOperand(0), layout);
    if (!known.isConstant()) return std::nullopt;
    offset += known.getConstant();
    address = sum->getOperand(rest);
  }
  if (!is_shared_base(address, block) || offset.isNegative()) return std::nullopt;
  return offset.getZExtValue();
}

// One number, or those of neighbouring lanes.
bool can_be_hoisted(Type* type, const DataLayout& layout) {
  Type* element = type->getScalarType();
  return (element->isFloatingPointTy() || element->isIntegerTy()) && !isa<ScalableVectorType>(type) &&
         layout.getTypeAllocSize(element) <= 8 &&
         layout.getTypeSizeInBits(type) ==
             8 * layout.getTypeStoreSize(element) *
                 (isa<FixedVectorType>(type) ? cast<FixedVectorType>(type)->getNumElements() : 1);
}

// A load of some or of all lanes: what it reads from, how well that is aligned, and which lanes it is for (null: all).
struct Load {
  Instruction* instruction = nullptr;
  Value* pointer = nullptr;
  Align align;
  Value* mask = nullptr;
};

std::optional<Load> load_of(Instruction& i) {
  if (i.hasMetadata(LLVMContext::MD_invariant_load) || i.hasMetadata("ww.common")) return std::nullopt;
  if (i.hasMetadata(kUpdate)) return std::nullopt;  // an atomic: it reads what the warps before have made
  if (auto* load = dyn_cast<LoadInst>(&i)) {
    if (!load->isSimple()) return std::nullopt;
    return Load{load, load->getPointerOperand(), load->getAlign(), nullptr};
  }
  auto* call = dyn_cast<IntrinsicInst>(&i);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_load) return std::nullopt;
  return Load{call, call->getArgOperand(0), cast<ConstantInt>(call->getArgOperand(1))->getAlignValue(),
              call->getArgOperand(2)};
}

struct Word {
  SmallVector<Load, 2> loads;
  bool always = false;                  // some load of it is one that every warp makes, with all lanes
  uint64_t value_at = 0, found_at = 0;  // in `common`; the second says whether it was read
};

class EarlyReads {
 public:
  EarlyReads(Function& region, bool apart, uint64_t& common_bytes)
      : region_(region),
        apart_(apart),
        common_bytes_(common_bytes),
        layout_(region.getDataLayout()),
        b_(region.getContext()) {}

  Function* run() {
    find();
    if (words_.empty()) return nullptr;
    for (auto& [key, word] : words_) {
      const uint64_t size = layout_.getTypeAllocSize(key.second);
      common_bytes_ = alignTo(common_bytes_, kAlignInCommon);
      word.value_at = common_bytes_, word.found_at = common_bytes_ + size;
      common_bytes_ += size + 1;
    }
    Function* head = make_head();
    for (auto& [key, word] : words_)
      for (const Load& load : word.loads) replace(load, word);
    return head;
  }

 private:
  void find() {
    const auto clean = clean_blocks(region_);
    const auto leading = leading_blocks(region_);
    // Where no warp writes, none can overwrite what another reads: then neighbours stay where they are, in the rows of
    // a tile, say.
    const bool written = any_of(instructions(region_), may_write_shared);
    for (BasicBlock* bb : ReversePostOrderTraversal<Function*>(&region_)) {
      if (!clean.contains(bb)) continue;
      for (Instruction& i : *bb) {
        if (may_write_shared(i)) break;
        const auto load = load_of(i);
        if (!load) continue;
        Type* type = i.getType();
        if (!can_be_hoisted(type, layout_) || (type->isVectorTy() && !written)) continue;
        const auto place = place_in_shared(load->pointer, region_.getArg(0), layout_);
        if (!place || (words_.size() == kMostWords && !words_.contains({*place, type}))) continue;
        Word& word = words_[{*place, type}];
        word.loads.push_back(*load);
        word.always = word.always || (leading.contains(bb) && !load->mask && !apart_);
      }
    }
  }

  Value* in_common(Value* common, uint64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), common, offset);
  }

  Function* make_head() {
    LLVMContext& context = region_.getContext();
    Type* ptr = PointerType::get(context, 0);
    Function* head = Function::Create(FunctionType::get(b_.getVoidTy(), {ptr, ptr, b_.getInt1Ty()}, false),
                                      GlobalValue::InternalLinkage, region_.getName() + ".head", region_.getParent());
    head->addFnAttrs(AttrBuilder(context, region_.getAttributes().getFnAttrs()));
    head->addParamAttr(0, Attribute::NoAlias), head->addParamAttr(1, Attribute::NoAlias);
    head->setSubprogram(region_.getSubprogram());
    b_.SetInsertPoint(BasicBlock::Create(context, "entry", head));
    Value *block = head->getArg(0), *common = head->getArg(1);
    Value* shared = load_block_field(b_, block, offsetof(BlockContext, shared), b_.getInt64Ty(), "shared");
    Value* bytes =
        load_block_field(b_, block, offsetof(BlockContext, total_shared_bytes), b_.getInt32Ty(), "total_smem");
    for (auto& [key, word] : words_) {
      const auto [place, type] = key;
      b_.SetCurrentDebugLocation(word.loads[0].instruction->getDebugLoc());
      BasicBlock* next = nullptr;
      if (!word.always) {
        Value* inside =
            b_.CreateAnd(head->getArg(2), b_.CreateICmpUGE(b_.CreateZExt(bytes, b_.getInt64Ty()),
                                                           b_.getInt64(place + layout_.getTypeAllocSize(type))));
        b_.CreateStore(b_.CreateZExt(inside, b_.getInt8Ty()), in_common(common, word.found_at));
        BasicBlock* read = BasicBlock::Create(context, "read", head);
        next = BasicBlock::Create(context, "next", head);
        b_.CreateCondBr(inside, read, next);
        b_.SetInsertPoint(read);
      }
      Value* address = b_.CreateIntToPtr(b_.CreateAdd(shared, b_.getInt64(place)), ptr);
      LoadInst* load = b_.CreateAlignedLoad(type, address, word.loads[0].align);
      b_.CreateAlignedStore(load, in_common(common, word.value_at), Align(kAlignInCommon));
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
    LoadInst* load = b_.CreateAlignedLoad(type, in_common(region_.getArg(3), offset),
                                          Align(offset % kAlignInCommon == 0 ? kAlignInCommon : 1));
    load->setMetadata("ww.common", MDNode::get(region_.getContext(), {}));
    return load;
  }

  // What the load is worth when `early` holds all lanes: those it is not for keep what it gives them instead.
  Value* lanes_of(const Load& load, Value* early) {
    return load.mask ? b_.CreateSelect(load.mask, early, cast<IntrinsicInst>(load.instruction)->getArgOperand(3))
                     : early;
  }

  void replace(const Load& load, const Word& word) {
    Instruction& old = *load.instruction;
    b_.SetInsertPoint(&old);
    if (word.always) {
      old.replaceAllUsesWith(lanes_of(load, load_common(old.getType(), word.value_at)));
      old.eraseFromParent();
      return;
    }
    Value* missing = b_.CreateICmpEQ(load_common(b_.getInt8Ty(), word.found_at), b_.getInt8(0));
    Value* early = lanes_of(load, load_common(old.getType(), word.value_at));
    BasicBlock* before = old.getParent();
    Instruction* rare = SplitBlockAndInsertIfThen(missing, old.getIterator(), /*Unreachable=*/false);
    b_.SetInsertPoint(&old);
    PHINode* value = b_.CreatePHI(old.getType(), 2);
    old.replaceAllUsesWith(value);
    old.moveBefore(rare);
    value->addIncoming(early, before);
    value->addIncoming(&old, rare->getParent());
  }

  Function& region_;
  const bool apart_;
  uint64_t& common_bytes_;
  const DataLayout& layout_;
  IRBuilder<> b_;
  MapVector<std::pair<uint64_t, Type*>, Word> words_;
};

}  // namespace

Function* hoist_block_reads(Function& region, bool apart, uint64_t& common_bytes) {
  return EarlyReads(region, apart, common_bytes).run();
}

}  // namespace warpwise::simt
