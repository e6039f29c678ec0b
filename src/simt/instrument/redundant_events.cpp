#include "simt/instrument/redundant_events.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "simt/analysis/divergence.h"
#include "simt/instrument/events.h"
#include "simt/instrument/expand_events.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

struct KnownEvent {
  CallInst* call;
  uint32_t code;

  EventKind kind() const { return kind_of(code); }
  bool is_behind_collectives() const {
    return unpack<event::Reconvergence>(code).of == event::Reconvergence::Of::Collectives;
  }
  bool of_mask() const {
    return kind() == EventKind::Collective || (kind() == EventKind::Reconvergence && is_behind_collectives());
  }
  bool of_barrier() const {
    return kind() == EventKind::Barrier || (kind() == EventKind::Reconvergence && !is_behind_collectives());
  }
  bool by_all_lanes() const {
    auto* lanes = dyn_cast<Constant>(call->getArgOperand(2));
    return lanes && lanes->isAllOnesValue();
  }
  bool names_all_lanes() const {
    auto* addresses = dyn_cast<Constant>(call->getArgOperand(4));
    auto* mask = addresses ? dyn_cast_or_null<ConstantInt>(addresses->getSplatValue()) : nullptr;
    return mask && event::Collective::mask(mask->getZExtValue()) == ~uint32_t{0};
  }
};

SmallVector<KnownEvent, 16> events_in(Function& function) {
  SmallVector<KnownEvent, 16> all;
  for (Instruction& i : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&i);
    auto* code = call && is_report(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(3)) : nullptr;
    if (code) all.push_back({call, uint32_t(code->getZExtValue())});
  }
  return all;
}

}  // namespace

RedundantEvents find_redundant_events(Function& warp_function, const BlockUniformity& uniform) {
  const auto all = events_in(warp_function);
  const auto divergent = diverged_blocks(warp_function, [&](const BasicBlock& bb) { return uniform.parts(bb); });
  RedundantEvents redundant{true, true};
  for (const KnownEvent& event : all) {
    if (event.of_mask())
      redundant.masks =
          redundant.masks && event.by_all_lanes() && (event.kind() != EventKind::Collective || event.names_all_lanes());
    if (event.of_barrier())
      redundant.barriers = redundant.barriers && event.by_all_lanes() && !divergent.contains(event.call->getParent());
  }
  return redundant;
}

void drop_redundant_events(Function& region, const RedundantEvents& redundant) {
  for (const KnownEvent& event : events_in(region))
    if ((redundant.barriers && event.of_barrier()) || (redundant.masks && event.of_mask()))
      event.call->eraseFromParent();
}

}  // namespace warpwise::simt
