// Control flow of a warp. The order of blocks is the control plan's (analysis/control_plan.h); what only some lanes do
// happens under a mask.
//
// Inputs of phis, and masks, are written to stack slots on edges, and promoted to SSA at the end. Linearised control
// flow then needs no bookkeeping of phis, and LLVM's mem2reg is exact. Slots of phis at reconvergence points are
// blended, `slot = select(edge mask, value, slot)`.
#pragma once

#include "simt/analysis/control_plan.h"
#include "simt/vectorise/instructions.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class ControlEmitter : WarpEmitter {
 public:
  ControlEmitter(WarpBuilder& w, InstructionEmitter& instructions);
  // Emits the whole function. Where an instruction has no vector form, WarpBuilder::failure says so.
  void run();

 private:
  void plan_slots();
  void emit_level(Level& level);
  void emit_node(Node& node);
  void emit_phi(llvm::PHINode& phi);
  void emit_edges(Node& node, BasicBlock& from);
  void leave_edge(BasicBlock& from, BasicBlock& to, Value* mask);
  BasicBlock* edge_target(Level* level, BasicBlock& to);
  BasicBlock* after(Node* next, Level& level);
  bool guarded(const Node& node) const;
  bool assured(const Node& node) const;
  bool cheap(const Node& node) const;
  bool masked_load(const llvm::Instruction& instruction) const;
  bool blends(llvm::PHINode& phi) const;
  bool native(BasicBlock& from, BasicBlock& to) const;
  Value* mask_of(const Node& node);
  void repair_dominance();
  void fold_trivial();

  InstructionEmitter& instructions_;
  ControlPlan plan_;
  llvm::DenseMap<llvm::PHINode*, llvm::AllocaInst*> phi_slots_;
  llvm::DenseMap<const Node*, llvm::AllocaInst*> mask_slots_;
  llvm::DenseMap<Level*, llvm::AllocaInst*> live_slots_;                // divergent loops: lanes that stay in the loop
  llvm::DenseMap<llvm::AllocaInst*, llvm::StoreInst*> initial_stores_;  // at the start of a level
  llvm::DenseMap<const Node*, Value*> masks_;
  llvm::DenseMap<Level*, Value*> level_masks_;
  llvm::DenseMap<const Node*, BasicBlock*> entries_;
  llvm::DenseMap<Level*, BasicBlock*> loop_starts_, loop_ends_;
};

}  // namespace warpwise::simt
