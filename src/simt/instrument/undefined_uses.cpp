#include "simt/instrument/undefined_uses.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/pointer_address.h"
#include "simt/dialect.h"
#include "simt/instrument/events.h"
#include "simt/instrument/shadow.h"
#include "simt/instrument/undefined_values.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

using UndefinedUse = event::Undefined::Use;

// Whether a value is another's, moved: nothing is computed of it.
bool is_moved(const Value* value, SmallPtrSet<const Value*, 8>& seen) {
  auto* i = dyn_cast<Instruction>(value);
  if (!i || !seen.insert(i).second || dialect_of(i) == Dialect::Undefined) return true;
  if (auto* phi = dyn_cast<PHINode>(i))
    return all_of(phi->incoming_values(), [&](const Use& in) { return is_moved(in.get(), seen); });
  if (auto* choice = dyn_cast<SelectInst>(i))
    return is_moved(choice->getTrueValue(), seen) && is_moved(choice->getFalseValue(), seen);
  const unsigned op = i->getOpcode();
  if (op == Instruction::LShr || op == Instruction::Shl)  // a part of a wider one
    return isa<ConstantInt>(i->getOperand(1)) && is_moved(i->getOperand(0), seen);
  if (isa<LoadInst>(i)) return true;
  if (isa<FreezeInst>(i) || op == Instruction::Trunc || op == Instruction::ZExt || op == Instruction::BitCast)
    return is_moved(i->getOperand(0), seen);
  return false;
}

class UndefinedUses {
 public:
  UndefinedUses(Function& function, const Shuffles& shuffles)
      : function_(function), shuffles_(shuffles), b_(function.getContext()) {}

  WrittenStates run() {
    SmallVector<Instruction*, 64> program;
    bool any = !shuffles_.empty();
    for (Instruction& i : instructions(function_)) {
      any = any || dialect_of(&i) == Dialect::Undefined;
      if (i.isTerminator() || i.mayReadOrWriteMemory()) program.push_back(&i);
    }
    if (!any) return WrittenStates();
    UndefinedValues values(function_, shuffles_);
    values_ = &values;
    for (Instruction* i : program) check(*i);
    report_groups();
    values.replace_registers_by_zero();
    return std::move(states_);
  }

 private:
  void check(Instruction& i) {
    b_.SetInsertPoint(&i);
    b_.SetCurrentDebugLocation(i.getDebugLoc());
    if (auto* branch = dyn_cast<BranchInst>(&i)) {
      if (branch->isConditional()) report_any(UndefinedUse::Branch, branch->getCondition());
    } else if (auto* choice = dyn_cast<SwitchInst>(&i)) {
      report_any(UndefinedUse::Branch, choice->getCondition());
    } else if (auto* load = dyn_cast<LoadInst>(&i)) {
      report_any(UndefinedUse::Address, load->getPointerOperand());
    } else if (auto* store = dyn_cast<StoreInst>(&i)) {
      report_any(UndefinedUse::Address, store->getPointerOperand());
      check_store(*store);
    } else if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      report_any(UndefinedUse::Address, rmw->getPointerOperand());
      report_any(UndefinedUse::Added, rmw->getValOperand());
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) {
      report_any(UndefinedUse::Address, exchange->getPointerOperand());
      report_any(UndefinedUse::Added, exchange->getCompareOperand());
      report_any(UndefinedUse::Added, exchange->getNewValOperand());
    }
  }

  void report_any(UndefinedUse use, Value* value) {
    if (Value* bits = values_->bits_of(value))
      report(b_.CreateIsNotNull(bits), event::Undefined{.use = use}, b_.getInt64(0), values_->source_of(value));
  }

  void report(Value* condition, const event::Undefined& event, Value* address, Value* source) {
    FunctionCallee callee = function_.getParent()->getOrInsertFunction(
        name_of(Dialect::Event), b_.getVoidTy(), b_.getInt1Ty(), b_.getInt32Ty(), b_.getInt64Ty(), b_.getInt64Ty());
    b_.CreateCall(callee, {condition, b_.getInt32(pack(event)), address, source});
  }

  // One bit in each byte that has undefined ones, gathered in its lowest; from that the state of each byte.
  void check_store(StoreInst& store) {
    Value* bits = values_->bits_of(store.getValueOperand());
    const unsigned space = store.getPointerAddressSpace();
    Value* address = address_of_pointer(store.getPointerOperand());
    if (!address || space == kParam) return;
    const unsigned width = unsigned(store.getValueOperand()->getType()->getPrimitiveSizeInBits().getFixedValue());
    if (width < 8 || width % 8 != 0) return;
    auto* group = store.getMetadata("ww.group");
    if (!bits) {
      if (group) note_part(store, *group, {b_.getFalse(), nullptr, address, &store, false});
      return;
    }
    auto splat = [&](uint8_t byte) {
      return ConstantInt::get(bits->getType(), APInt::getSplat(width, APInt(8, byte)));
    };
    Value* gathered = bits;
    for (const unsigned by : {4u, 2u, 1u}) gathered = b_.CreateOr(gathered, b_.CreateLShr(gathered, by));
    gathered = b_.CreateAnd(gathered, splat(1));
    states_[&store] = b_.CreateXor(b_.CreateMul(gathered, ConstantInt::get(bits->getType(), APInt(width, 0xfe))),
                                   splat(kInitialised));
    if (space == kShared || space == kLocal) return;
    SmallPtrSet<const Value*, 8> seen;
    const Part part{b_.CreateICmpEQ(gathered, splat(1)), values_->source_of(store.getValueOperand()), address, &store,
                    is_moved(store.getValueOperand(), seen)};
    if (group)
      note_part(store, *group, part);
    else
      report_store(part, part.undefined, width / 8);
  }

  // A store, or one element of a vector's.
  struct Part {
    Value* undefined = nullptr;  // every byte has an undefined bit
    Value* source = nullptr;
    Value* address = nullptr;
    StoreInst* store = nullptr;
    bool moved = false;
  };

  // Behind the store, when its bytes have their state.
  void report_store(const Part& part, Value* condition, unsigned bytes) {
    b_.SetInsertPoint(part.store->getNextNode());
    b_.SetCurrentDebugLocation(part.store->getDebugLoc());
    report(condition, event::Undefined{part.moved ? UndefinedUse::Copied : UndefinedUse::Stored, uint8_t(bytes)},
           part.address, part.source);
  }

  // The elements of a vector come one after the other.
  void note_part(StoreInst& store, MDNode& group, const Part& part) {
    auto number = [&](unsigned n) { return mdconst::extract<ConstantInt>(group.getOperand(n))->getZExtValue(); };
    if (number(0) == 0) groups_.emplace_back();
    if (store.getPointerAddressSpace() == kShared || store.getPointerAddressSpace() == kLocal || groups_.empty())
      return;
    groups_.back().push_back(part);
    if (groups_.back().size() != number(1)) return;
    whole_.push_back(groups_.size() - 1);
  }

  void report_groups() {
    for (const size_t index : whole_) {
      const auto& parts = groups_[index];
      if (any_of(parts, [](const Part& part) { return !part.source; })) continue;
      const Part& last = parts.back();
      b_.SetInsertPoint(last.store->getNextNode());
      Value* all = parts[0].undefined;
      for (const Part& part : drop_begin(parts)) all = b_.CreateAnd(all, part.undefined);
      const unsigned bits =
          unsigned(last.store->getValueOperand()->getType()->getPrimitiveSizeInBits().getFixedValue());
      Part whole = parts[0];
      whole.store = last.store;
      whole.moved = any_of(parts, [](const Part& part) { return part.moved; });
      b_.SetCurrentDebugLocation(last.store->getDebugLoc());
      report(
          all,
          event::Undefined{whole.moved ? UndefinedUse::Copied : UndefinedUse::Stored, uint8_t(bits / 8 * parts.size())},
          whole.address, whole.source);
    }
  }

  Function& function_;
  const Shuffles& shuffles_;
  IRBuilder<> b_;
  UndefinedValues* values_ = nullptr;
  WrittenStates states_;
  SmallVector<SmallVector<Part, 4>, 4> groups_;
  SmallVector<size_t, 4> whole_;
};

}  // namespace

WrittenStates report_undefined_uses(Function& function, const Shuffles& shuffles) {
  return UndefinedUses(function, shuffles).run();
}

}  // namespace warpwise::simt
