#include "simt/scalar/version_full_blocks.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Scalar instructions after the test: warps of larger kernels are not interleaved (interleave_warps.cpp), and they take
// twice as long to compile.
constexpr unsigned kMostBehind = 160;
constexpr uint32_t kOr = 2;  // BarrierRed's operation

bool only_returns(const BasicBlock& bb) { return isa<ReturnInst>(bb.getFirstNonPHIOrDbg()); }

// Whether threads of a block may answer differently. Without recursion: chains of a hundred thousand operands exist.
bool depends_on_thread(const Value* value) {
  SmallPtrSet<const Value*, 16> seen;
  SmallVector<const Value*> work{value};
  while (!work.empty()) {
    auto* i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !seen.insert(i).second) continue;
    if (auto d = dialect_of(i); d && class_of(*d) != DialectClass::Block && class_of(*d) != DialectClass::Pure)
      return true;
    if (auto* load = dyn_cast<LoadInst>(i); load && load->getPointerAddressSpace() != kParam) return true;
    if (!isa<LoadInst>(i)) work.append(i->op_begin(), i->op_end());
  }
  return false;
}

// The branch at which threads leave the kernel. All that the kernel does comes behind it.
struct ExitTest {
  BranchInst* branch;
  bool leaves_if;  // the value of its condition for threads that leave
  BasicBlock* stay() const { return branch->getSuccessor(leaves_if ? 1 : 0); }
};

std::optional<ExitTest> find_exit_test(Function& kernel) {
  BasicBlock* bb = &kernel.getEntryBlock();
  while (BasicBlock* next = bb->getUniqueSuccessor()) {
    if (!next->getUniquePredecessor()) return std::nullopt;
    bb = next;
  }
  auto* branch = dyn_cast<BranchInst>(bb->getTerminator());
  if (!branch || !branch->isConditional()) return std::nullopt;
  if (!depends_on_thread(branch->getCondition())) return std::nullopt;
  for (bool leaves_if : {true, false}) {
    ExitTest exit_test{branch, leaves_if};
    if (only_returns(*branch->getSuccessor(leaves_if ? 0 : 1)) && !only_returns(*exit_test.stay())) return exit_test;
  }
  return std::nullopt;
}

bool is_worth_it(Function& kernel, const ExitTest& exit_test) {
  for (Instruction& i : instructions(kernel))
    if (auto d = dialect_of(&i); d && (class_of(*d) == DialectClass::Barrier || class_of(*d) == DialectClass::Cluster))
      return false;
  DominatorTree dominators(kernel);
  if (LoopInfo(dominators).empty()) return false;
  unsigned behind = 0;
  for (BasicBlock* bb : depth_first(exit_test.stay())) behind += unsigned(bb->size());
  return behind <= kMostBehind;
}

// An empty block on the way from `from` to `to`.
BasicBlock* block_between(BasicBlock& from, BasicBlock& to, const Twine& name) {
  auto* made = BasicBlock::Create(to.getContext(), name, to.getParent(), &to);
  BranchInst::Create(&to, made)->setDebugLoc(from.getTerminator()->getDebugLoc());
  to.replacePhiUsesWith(&from, made);
  return made;
}

// Copies all that can be reached from `first`, except the return.
BasicBlock* clone_from(BasicBlock* first) {
  Function& kernel = *first->getParent();
  SmallVector<BasicBlock*> originals;
  for (BasicBlock* bb : depth_first(first))
    if (!only_returns(*bb)) originals.push_back(bb);
  ValueToValueMapTy map;
  SmallVector<BasicBlock*> copies;
  for (BasicBlock* bb : originals) {
    copies.push_back(CloneBasicBlock(bb, map, ".full", &kernel));
    map[bb] = copies.back();
  }
  remapInstructionsInBlocks(copies, map);
  return cast<BasicBlock>(map[first]);
}

}  // namespace

bool version_full_blocks(Function& kernel, const BlockShape& block) {
  if (block.warps() < 2) return false;
  const auto exit_test = find_exit_test(kernel);
  if (!exit_test || !is_worth_it(kernel, *exit_test)) return false;

  BasicBlock& before = *exit_test->branch->getParent();
  BasicBlock& some_leave = *BasicBlock::Create(kernel.getContext(), "some_leave", &kernel);
  BasicBlock* stays = block_between(before, *exit_test->stay(), "stays");
  BasicBlock* all_stay = clone_from(stays);
  all_stay->setName("all_stay");

  Module& module = *kernel.getParent();
  IRBuilder<> b(exit_test->branch);
  auto dialect = [&](Dialect which, Type* result, ArrayRef<Type*> parameters) {
    FunctionCallee callee = module.getOrInsertFunction(name_of(which), FunctionType::get(result, parameters, false));
    cast<Function>(callee.getCallee())->setConvergent();
    return callee;
  };
  Type* i32 = b.getInt32Ty();
  Value* all_threads = b.getInt32(0);
  const FunctionCallee barrier = dialect(Dialect::BarrierSync, b.getVoidTy(), {i32, i32});
  Value* leaves =
      exit_test->leaves_if ? exit_test->branch->getCondition() : b.CreateNot(exit_test->branch->getCondition());
  Value* some = b.CreateCall(dialect(Dialect::BarrierRed, i32, {i32, i32, i32, b.getInt1Ty()}),
                             {b.getInt32(0), all_threads, b.getInt32(kOr), leaves});
  b.CreateCondBr(b.CreateICmpNE(some, b.getInt32(0)), &some_leave, all_stay);

  exit_test->branch->removeFromParent();
  b.SetInsertPoint(&some_leave);
  b.SetCurrentDebugLocation(exit_test->branch->getDebugLoc());
  b.CreateCall(barrier, {b.getInt32(0), all_threads});
  b.Insert(exit_test->branch);
  exit_test->branch->setSuccessor(exit_test->leaves_if ? 1 : 0, stays);
  b.SetInsertPoint(all_stay, all_stay->begin());
  b.CreateCall(barrier, {b.getInt32(0), all_threads});
  return true;
}

}  // namespace warpwise::simt
