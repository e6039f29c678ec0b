#include "simt/scalar/log_sums.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "simt/scalar/pending_sums.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

bool is_order_sensitive(const Instruction& i) {
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
    const unsigned space = rmw->getPointerAddressSpace();
    return space != kShared && space != kLocal && (rmw->getType()->isFloatingPointTy() || !rmw->use_empty());
  }
  auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i);
  return exchange && exchange->getPointerAddressSpace() != kShared;
}

LoggedSums kind_of(const AtomicRMWInst& sum) {
  if (sum.getType()->isDoubleTy()) return LoggedSums::F64;
  return sum.hasMetadata("ww.ftz") ? LoggedSums::F32Flushed : LoggedSums::F32;
}

}  // namespace

bool is_order_sensitive(Function& kernel) {
  return any_of(instructions(kernel), [](const Instruction& i) { return is_order_sensitive(i); });
}

LoggedSums log_sums(Function& kernel) {
  SmallVector<AtomicRMWInst*> sums;
  for (Instruction& i : instructions(kernel)) {
    if (!is_order_sensitive(i)) continue;
    if (!may_be_pending(i)) return LoggedSums::None;
    sums.push_back(cast<AtomicRMWInst>(&i));
  }
  if (sums.empty()) return LoggedSums::None;
  const LoggedSums kind = kind_of(*sums.front());
  if (any_of(sums, [&](AtomicRMWInst* sum) { return kind_of(*sum) != kind; })) return LoggedSums::None;
  if (!insert_flushes(kernel, sums)) return LoggedSums::None;
  for (AtomicRMWInst* sum : sums) sum->setMetadata(kLogged, MDNode::get(kernel.getContext(), {}));
  return kind;
}

}  // namespace warpwise::simt
