#include "simt/instrument/absent_lanes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/divergence.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

bool names_all_lanes(const CallInst& shuffle) {
  auto* mask = dyn_cast<ConstantInt>(shuffle.getArgOperand(3));
  return mask && mask->isMinusOne();
}

}  // namespace

Shuffles shuffles_from_absent_lanes(Function& function, bool kernel, const BlockShape& block, uint32_t local_stride) {
  Shuffles all;
  for (Instruction& i : instructions(function))
    if (auto which = dialect_of(&i); which && is_shuffle(*which) && number_of_shuffle(cast<CallInst>(i)) != 0)
      all.insert(cast<CallInst>(&i));
  if (!kernel || block.threads() % kLanes != 0 || none_of(all, [](const CallInst* s) { return names_all_lanes(*s); }))
    return all;
  const LaneShapes shapes(function, block, local_stride);
  const auto diverged = diverged_blocks(function, [&](const BasicBlock& bb) { return shapes.diverges(bb); });
  Shuffles some;
  for (const CallInst* shuffle : all)
    if (!names_all_lanes(*shuffle) || diverged.contains(shuffle->getParent())) some.insert(shuffle);
  return some;
}

// Lowering has made a place of a PTX instruction: its line counts from 1, its file is named after the function
// (lower.cpp).
uint64_t number_of_shuffle(const CallInst& shuffle) {
  const DebugLoc& place = shuffle.getDebugLoc();
  uint32_t function = 0;
  if (!place || place.getLine() == 0 || place->getFilename().getAsInteger(10, function)) return 0;
  return event::Undefined::shuffle(function, place.getLine() - 1);
}

}  // namespace warpwise::simt
