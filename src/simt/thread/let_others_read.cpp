#include "simt/thread/let_others_read.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "simt/abi.h"
#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// What a thread may have done since its last barrier; of a place, the ways there may differ.
enum : uint8_t {
  kReadNothing = 1,
  kHasRead = 2,
  kHasWaited = 4
};  // before the first barrier there is nobody to wait for: kHasWaited

bool may_be_shared(unsigned space) { return space == kShared || space == kGeneric; }

bool is_barrier(const Instruction& i) {
  auto d = dialect_of(&i);
  return d == Dialect::BarrierSync || d == Dialect::BarrierRed;
}

bool reads_shared(const Instruction& i) {
  auto* load = dyn_cast<LoadInst>(&i);
  return load && may_be_shared(load->getPointerAddressSpace());
}

bool writes_shared(const Instruction& i) {
  if (auto* store = dyn_cast<StoreInst>(&i)) return may_be_shared(store->getPointerAddressSpace());
  if (auto* update = dyn_cast<AtomicRMWInst>(&i)) return may_be_shared(update->getPointerAddressSpace());
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) return may_be_shared(exchange->getPointerAddressSpace());
  auto* call = dyn_cast<CallInst>(&i);
  return call && !dialect_of(call) && call->mayWriteToMemory();  // a function of the program
}

uint8_t after(const Instruction& i, uint8_t before) {
  if (is_barrier(i)) return kReadNothing;
  if (writes_shared(i) && (before & kHasRead)) return kHasWaited;
  if (reads_shared(i) && (before & kReadNothing)) return uint8_t((before & ~kReadNothing) | kHasRead);
  return before;
}

SmallVector<Instruction*, 8> writes_behind_reads(Function& function) {
  DenseMap<const BasicBlock*, uint8_t> entered;
  entered[&function.getEntryBlock()] = kHasWaited;
  SmallVector<BasicBlock*> work{&function.getEntryBlock()};
  while (!work.empty()) {
    BasicBlock* bb = work.pop_back_val();
    uint8_t done = entered[bb];
    for (const Instruction& i : *bb) done = after(i, done);
    for (BasicBlock* next : successors(bb)) {
      uint8_t& at = entered[next];
      if ((at | done) == at) continue;
      at |= done;
      work.push_back(next);
    }
  }
  SmallVector<Instruction*, 8> writes;
  for (BasicBlock& bb : function) {
    auto found = entered.find(&bb);
    if (found == entered.end()) continue;
    uint8_t done = found->second;
    for (Instruction& i : bb) {
      if (writes_shared(i) && (done & kHasRead)) writes.push_back(&i);
      done = after(i, done);
    }
  }
  return writes;
}

}  // namespace

void let_others_read(Function& function) {
  const auto writes = writes_behind_reads(function);
  if (writes.empty()) return;
  FunctionCallee wait = function.getParent()->getOrInsertFunction(name_of(Dialect::LetOthersRead),
                                                                  Type::getVoidTy(function.getContext()));
  for (Instruction* write : writes)
    CallInst::Create(wait, {}, "", write->getIterator())->setDebugLoc(write->getDebugLoc());
}

}  // namespace warpwise::simt
