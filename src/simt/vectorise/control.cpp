// Control flow of a warp: see control_plan.h for the order.
#include "simt/vectorise/control.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <algorithm>
#include <vector>

#include "simt/vectorise/promote_slots.h"

namespace warpwise::simt {

using namespace llvm;

Result<Function*> vectorise(Function& kernel, const BlockShape& block, const VectoriseOptions& options) {
  WarpBuilder warp(kernel, block, options);
  InstructionEmitter instructions(warp);
  ControlEmitter(warp, instructions).run();
  if (warp.failure.empty()) return warp.function;
  warp.function->eraseFromParent();
  return Error{"X0002", warp.failure};
}

ControlEmitter::ControlEmitter(WarpBuilder& w, InstructionEmitter& instructions)
    : WarpEmitter(w), instructions_(instructions), plan_(w.kernel, w.shapes) {}

void ControlEmitter::run() {
  // The lanes that exist: all, but for the last warp of a block that is no multiple of 32.
  Value* entry_mask = ConstantInt::getTrue(wide(Type::getInt1Ty(context_)));
  if (uint32_t rest = block_.threads() % kLanes) {
    uint32_t bits = (uint32_t{1} << rest) - 1;
    if (block_.warps() == 1)
      entry_mask = bits_mask(b_.getInt32(bits));
    else
      entry_mask = bits_mask(b_.CreateSelect(b_.CreateICmpEQ(warp_arg_, b_.getInt32(block_.warps() - 1)),
                                             b_.getInt32(bits), b_.getInt32(~0u)));
  }
  plan_slots();
  Level& top = plan_.function_level();
  level_masks_[&top] = entry_mask;
  emit_level(top);
  if (!w_.failure.empty()) return;

  std::vector<Slot> slots;
  auto add = [&](AllocaInst* slot) { slots.push_back({slot, initial_stores_.lookup(slot)}); };
  for (auto& [phi, slot] : phi_slots_) add(slot);
  for (auto& [node, slot] : mask_slots_) add(slot);
  for (auto& [level, slot] : live_slots_) add(slot);
  // In order of creation, so that the same input gives the same output.
  std::sort(slots.begin(), slots.end(),
            [](const Slot& a, const Slot& b) { return a.variable->comesBefore(b.variable); });
  repair_dominance();
  DominatorTree dominators(*warp_function_);
  promote_slots(slots, dominators);
  fold_trivial();
}

// Masks that turned out to be all or nothing leave selects and ors of constants; later passes look at what
// branches compare, and every region of a kernel with barriers would copy them.
void ControlEmitter::fold_trivial() {
  const SimplifyQuery query(warp_function_->getDataLayout());
  SmallVector<WeakTrackingVH> dead;
  for (BasicBlock* bb : ReversePostOrderTraversal<Function*>(warp_function_))
    for (Instruction& i : *bb) {
      if (Value* simpler = simplifyInstruction(&i, query.getWithInstruction(&i)); simpler && simpler != &i)
        i.replaceAllUsesWith(simpler);
      if (isInstructionTriviallyDead(&i)) dead.push_back(&i);
    }
  RecursivelyDeleteTriviallyDeadInstructions(dead);
}

// A slot for every phi and every partial node's mask, an entry block for every node.
void ControlEmitter::plan_slots() {
  for (auto& level : plan_.levels())
    for (Node* node : level->order) {
      BasicBlock* first = node->first_block();
      entries_[node] = BasicBlock::Create(context_, first->getName() + (node->loop ? ".loop" : ""), warp_function_);
      if (node->partial) mask_slots_[node] = slot(wide(b_.getInt1Ty()), first->getName() + ".mask");
      if (node->loop) {
        loop_starts_[node->loop] = BasicBlock::Create(context_, first->getName() + ".header", warp_function_);
        loop_ends_[node->loop] = BasicBlock::Create(context_, first->getName() + ".latch", warp_function_);
        if (node->loop->divergent) live_slots_[node->loop] = slot(wide(b_.getInt1Ty()), first->getName() + ".live");
      }
    }
  for (BasicBlock& bb : w_.kernel)
    if (plan_.node_of(&bb))
      for (PHINode& phi : bb.phis())
        phi_slots_[&phi] =
            slot(shapes_.of(&phi).is_affine() ? phi.getType() : wide(phi.getType()), phi.getName() + ".slot");
}

// Emits all nodes of a level; the builder stands where the level (one iteration of a loop) starts.
void ControlEmitter::emit_level(Level& level) {
  auto start = [&](AllocaInst* slot, Constant* value) { initial_stores_[slot] = b_.CreateStore(value, slot); };
  for (Node* node : level.order) {
    if (node->partial) start(mask_slots_[node], Constant::getNullValue(wide(b_.getInt1Ty())));
    if (node->block && !(level.loop && node == level.order[0]))
      for (PHINode& phi : node->block->phis())
        if (blends(phi)) start(phi_slots_[&phi], PoisonValue::get(phi_slots_[&phi]->getAllocatedType()));
  }
  b_.CreateBr(entries_[level.order[0]]);
  for (Node* node : level.order) emit_node(*node);
}

// Loads that become masked vectors, which may run without any active lane.
bool ControlEmitter::masked_load(const Instruction& i) const {
  auto* load = dyn_cast<LoadInst>(&i);
  if (!load || load->isVolatile() || load->isAtomic() || load->getPointerAddressSpace() == kLocal) return false;
  auto* address = dyn_cast<IntToPtrInst>(load->getPointerOperand());
  if (!address || !load->getType()->isSingleValueType()) return false;
  const Shape& shape = shapes_.of(address->getOperand(0));
  if (!shape.is_affine() || !shape.corrections.empty() || shape.terms.size() != 1 || shape.terms[0].coefficient.value)
    return false;
  const int64_t bytes = int64_t(load->getType()->getPrimitiveSizeInBits().getFixedValue() / 8);
  for (unsigned l = 0; l < kLanes; ++l)
    if (bytes == 0 || shape.terms[0].lanes[l] != int64_t(l) * bytes) return false;
  return true;
}

// Is there enough work to be worth a test whether any lane is active?
bool ControlEmitter::cheap(const Node& node) const {
  if (node.loop) return false;
  unsigned count = 0;
  for (Instruction& i : *node.block) {
    if (isa<PHINode>(i) || i.isTerminator()) continue;
    if (masked_load(i)) {
      count += 2;
      continue;
    }
    if (i.mayReadOrWriteMemory() || i.mayHaveSideEffects()) return false;
    switch (i.getOpcode()) {
      case Instruction::Call:
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::URem:
      case Instruction::SRem:
        return false;
      default:
        break;
    }
    if (!shapes_.of(&i).is_affine() && ++count > 6) return false;
  }
  return true;
}

// Whether some lane is active whenever control stands at the node.
bool ControlEmitter::assured(const Node& node) const {
  if (!node.partial) return true;
  if (Node* same = plan_.equivalent(node)) return assured(*same);
  return !cheap(node);
}

bool ControlEmitter::guarded(const Node& node) const {
  if (!node.partial) return false;
  if (Node* same = plan_.equivalent(node); same && assured(*same)) return false;
  return !cheap(node);
}

Value* ControlEmitter::mask_of(const Node& node) { return node.partial ? masks_[&node] : level_masks_[node.level]; }

void ControlEmitter::emit_node(Node& node) {
  b_.SetInsertPoint(entries_[&node]);
  if (node.partial) {
    Node* same = plan_.equivalent(node);
    Value* mask = same ? masks_[same] : b_.CreateLoad(wide(b_.getInt1Ty()), mask_slots_[&node], "mask");
    masks_[&node] = mask;
    if (guarded(node)) {
      auto* body = BasicBlock::Create(context_, node.first_block()->getName() + ".body", warp_function_);
      b_.CreateCondBr(any(mask), body, after(plan_.next(node, true), *node.level));
      b_.SetInsertPoint(body);
    }
  }
  Value* mask = mask_of(node);
  if (node.loop) {
    Level& loop = *node.loop;
    if (loop.divergent) b_.CreateStore(mask, live_slots_[&loop]);
    b_.CreateBr(loop_starts_[&loop]);
    b_.SetInsertPoint(loop_starts_[&loop]);
    level_masks_[&loop] = loop.divergent ? b_.CreateLoad(wide(b_.getInt1Ty()), live_slots_[&loop], "live") : mask;
    if (loop.divergent) b_.CreateStore(Constant::getNullValue(wide(b_.getInt1Ty())), live_slots_[&loop]);
    emit_level(loop);
    b_.SetInsertPoint(loop_ends_[&loop]);
    if (loop.divergent) {
      // Another iteration while any lane stays in the loop.
      Value* live = b_.CreateLoad(wide(b_.getInt1Ty()), live_slots_[&loop], "again");
      BasicBlock* out;
      SmallVector<BasicBlock*, 4> exits;
      loop.loop->getUniqueExitBlocks(exits);
      if (node.partial)
        out = after(plan_.next(node, false), *node.level);
      else if (exits.size() == 1)
        out = edge_target(node.level, *exits[0]);
      else
        out = after(plan_.first_after(node), *node.level);
      b_.CreateCondBr(any(live), loop_starts_[&loop], out);
    } else {
      b_.CreateBr(loop_starts_[&loop]);
    }
    return;
  }
  mask_ = mask;
  w_.steady = node.level->divergent || node.partial ? nullptr : node.level->loop;
  for (Instruction& i : *node.block) {
    if (i.isTerminator()) break;
    b_.SetCurrentDebugLocation(i.getDebugLoc());
    if (auto* phi = dyn_cast<PHINode>(&i))
      emit_phi(*phi);
    else
      instructions_.emit(i);
  }
  b_.SetCurrentDebugLocation(node.block->getTerminator()->getDebugLoc());
  emit_edges(node, *node.block);
}

void ControlEmitter::emit_phi(PHINode& phi) {
  AllocaInst* slot = phi_slots_[&phi];
  Value* value = b_.CreateLoad(slot->getAllocatedType(), slot, phi.getName());
  if (shapes_.of(&phi).is_affine())
    set_scalar(phi, value);
  else
    set_vector(phi, value);
}

// Where control goes when `next` is what follows in `level`; null: the end of the level.
BasicBlock* ControlEmitter::after(Node* next, Level& level) {
  if (next) return entries_[next];
  return loop_ends_[&level];
}

// Whether control really jumps along this edge, all lanes together.
bool ControlEmitter::native(BasicBlock& from, BasicBlock& to) const {
  Node* node = plan_.node_of(&from);
  if (node->partial || shapes_.diverges(from)) return false;
  for (Level* level = node->level; !plan_.node_at(*level, &to); level = level->parent)
    if (level->divergent || level->self->partial) return false;
  return true;
}

// Do several of a phi's incoming edges write its slot before it is read?
bool ControlEmitter::blends(PHINode& phi) const {
  BasicBlock* to = phi.getParent();
  Node* node = plan_.node_of(to);
  if (node->level->loop && node == node->level->order[0]) return false;  // a loop's header: one edge at a time
  for (BasicBlock* from : predecessors(to))
    if (!native(*from, *to)) return true;
  return false;
}

// Leaves what the target needs to know: its mask, its phis.
void ControlEmitter::leave_edge(BasicBlock& from, BasicBlock& to, Value* mask) {
  Node* source = plan_.node_of(&from);
  Level& level = *source->level;
  if (level.loop && &to == level.loop->getHeader()) {
    if (level.divergent) b_.CreateStore(mask, live_slots_[&level]);
  } else {
    // The node that represents `to` in the innermost level that contains it.
    Level* common = &level;
    while (!plan_.node_at(*common, &to)) common = common->parent;
    Node* target = plan_.node_at(*common, &to);
    if (target->partial) {
      AllocaInst* slot = mask_slots_[target];
      Value* before = b_.CreateLoad(slot->getAllocatedType(), slot);
      b_.CreateStore(b_.CreateOr(before, mask), slot);
    }
  }
  // Only lanes that leave the loop come to its exit, and what a lane leaves there last is what it reads. So all lanes
  // that stand at the branch may leave their value, each time anew: the mask of those that go is not needed.
  const bool leaves_loop = level.loop && !level.loop->contains(&to) &&
                           all_of(predecessors(&to), [&](BasicBlock* bb) { return level.loop->contains(bb); });
  for (PHINode& phi : to.phis()) {
    AllocaInst* slot = phi_slots_[&phi];
    Value* incoming = phi.getIncomingValueForBlock(&from);
    if (shapes_.of(&phi).is_affine()) {
      Value* base = scalar(incoming);
      if (blends(phi)) {
        // Lanes take this edge together, or none of them does: where they diverge in loops, control flow that is
        // the same for all is laid out in a line too.
        Value* before = b_.CreateLoad(slot->getAllocatedType(), slot);
        base = b_.CreateSelect(b_.CreateICmpNE(mask_bits(mask), b_.getInt32(0)), base, before);
      }
      b_.CreateStore(base, slot);
    } else if (blends(phi)) {
      Value* before = b_.CreateLoad(slot->getAllocatedType(), slot);
      b_.CreateStore(b_.CreateSelect(leaves_loop ? mask_of(*source) : mask, vector(incoming), before), slot);
    } else {
      b_.CreateStore(vector(incoming), slot);
    }
  }
}

// Where a jump from `level` to `to` that all its live lanes take together ends up.
BasicBlock* ControlEmitter::edge_target(Level* level, BasicBlock& to) {
  if (level->loop && &to == level->loop->getHeader()) return loop_ends_[level];
  while (!plan_.node_at(*level, &to)) {
    if (level->divergent) return loop_ends_[level];  // lanes that left earlier wait: decide there
    Node* self = level->self;
    if (self->partial) return after(plan_.next(*self, false), *self->level);
    level = level->parent;
  }
  return entries_[plan_.node_at(*level, &to)];
}

void ControlEmitter::emit_edges(Node& node, BasicBlock& from) {
  Instruction* terminator = from.getTerminator();
  Value* mask = mask_of(node);
  if (isa<ReturnInst>(terminator)) {
    b_.CreateRetVoid();
    return;
  }
  auto* branch = cast<BranchInst>(terminator);
  const bool diverges = shapes_.diverges(from);
  if (!node.partial && !diverges) {
    if (branch->isUnconditional()) {
      leave_edge(from, *branch->getSuccessor(0), mask);
      b_.CreateBr(edge_target(node.level, *branch->getSuccessor(0)));
      return;
    }
    Value* condition = scalar(branch->getCondition());
    BasicBlock* sides[2];
    for (unsigned s : {0u, 1u})
      sides[s] = BasicBlock::Create(context_, from.getName() + (s ? ".else" : ".then"), warp_function_);
    b_.CreateCondBr(condition, sides[0], sides[1]);
    for (unsigned s : {0u, 1u}) {
      b_.SetInsertPoint(sides[s]);
      leave_edge(from, *branch->getSuccessor(s), mask);
      b_.CreateBr(edge_target(node.level, *branch->getSuccessor(s)));
    }
    return;
  }
  if (branch->isUnconditional()) {
    leave_edge(from, *branch->getSuccessor(0), mask);
  } else {
    // Selects, not `and`: the condition of an inactive lane may be poison.
    Value* none = Constant::getNullValue(mask->getType());
    Value* condition =
        is_uniform(branch->getCondition()) ? scalar(branch->getCondition()) : vector(branch->getCondition());
    Value* taken = condition->getType()->isVectorTy() ? b_.CreateSelect(mask, condition, none)
                                                      : b_.CreateSelect(condition, mask, none);
    Value* rest = condition->getType()->isVectorTy() ? b_.CreateSelect(mask, b_.CreateNot(condition), none)
                                                     : b_.CreateSelect(condition, none, mask);
    leave_edge(from, *branch->getSuccessor(0), taken);
    leave_edge(from, *branch->getSuccessor(1), rest);
  }
  Node* next = node.partial ? plan_.next(node, false) : plan_.first_after(node);
  b_.CreateBr(after(next, *node.level));
}

// Linearised control flow has paths on which a value's definition is skipped; no lane needs the value
// there, but SSA wants one. LLVM's updater puts phis with undef where they are needed.
void ControlEmitter::repair_dominance() {
  DominatorTree dominators(*warp_function_);
  std::vector<Instruction*> broken;
  for (BasicBlock& bb : *warp_function_) {
    if (!dominators.isReachableFromEntry(&bb)) continue;
    for (Instruction& i : bb)
      for (Use& use : i.uses())
        if (dominators.isReachableFromEntry(cast<Instruction>(use.getUser())->getParent()) &&
            !dominators.dominates(&i, use)) {
          broken.push_back(&i);
          break;
        }
  }
  for (Instruction* i : broken) {
    SSAUpdater updater;
    updater.Initialize(i->getType(), i->getName());
    updater.AddAvailableValue(i->getParent(), i);
    SmallVector<Use*, 8> uses;
    for (Use& use : i->uses())
      if (!dominators.dominates(i, use)) uses.push_back(&use);
    for (Use* use : uses) updater.RewriteUse(*use);
  }
}

}  // namespace warpwise::simt
