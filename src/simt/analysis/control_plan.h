// The control plan: in which order a warp visits the blocks of a kernel, and which of them under a
// partial mask.
//
// A warp has one program counter in SIMT mode, so where its lanes diverge, both sides are laid one
// behind the other (partial linearisation, after Moll and Hack, PLDI 2018, in the simpler form below);
// branches that all lanes take together stay branches.
//
//   Levels   The function and each of its loops is a level. Its nodes are its own blocks and its child
//            loops, each child as one node, in topological order.
//   Regions  A block whose lanes diverge (or a loop that lanes leave for different places) opens a region:
//            every node between it and its immediate post-dominator (without
//            back edges: lanes that go round again do not wait). Its nodes are *partial*: they run
//            one after the other, each behind a guard that skips it when no lane goes there.
//                  d                     d: set masks of a, b, c
//                 / \                    a: if any(mask a) …; set masks
//                a   b        becomes    b: if any(mask b) …
//               / \  |                   c: if any(mask c) …
//              c   \ |                   j: mask of d again
//               \___\j
//   Loops    A loop is divergent when lanes may leave it in different iterations. It runs until no lane
//            is left; lanes that left wait behind it.
//
// Alternatives: a stack of reconvergence points needs an interpreter's dispatch; duplicating paths
// (node splitting) grows code; masks for every branch lose the uniform ones, which in real kernels are
// nearly all of the loops.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <memory>
#include <vector>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

struct Level;

struct Node {
  llvm::BasicBlock* block = nullptr;  // a block, or
  Level* loop = nullptr;              // a child loop
  Level* level = nullptr;             // the level it is a node of
  unsigned position = 0;              // in level->order
  bool partial = false;
  int region = -1;  // index into level->regions when partial
  // The nearest node of the level that every lane of this one reaches before the level's end (the next
  // iteration, or leaving): post-dominance without back edges. Null: only the end.
  Node* post_dominator = nullptr;
  llvm::BasicBlock* first_block() const;
};

struct Region {
  std::vector<Node*> nodes;  // in topological order
  Node* join = nullptr;      // where all lanes are together again; null: at the level's end
};

struct Level {
  llvm::Loop* loop = nullptr;  // null: the function
  Level* parent = nullptr;
  Node* self = nullptr;  // this loop as a node of its parent
  bool divergent = false;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Node*> order;  // topological; order[0] is the header's
  std::vector<Region> regions;
};

class ControlPlan {
 public:
  // The function has one return block, no switches, reducible loops in LoopSimplify form.
  ControlPlan(llvm::Function& function, const LaneShapes& shapes);

  Level& function_level() { return *levels_[0]; }
  const std::vector<std::unique_ptr<Level>>& levels() const { return levels_; }
  Level* level_of(const llvm::BasicBlock* block) const { return block_level_.lookup(block); }
  Node* node_of(const llvm::BasicBlock* block) const { return block_node_.lookup(block); }
  // The node of `level` that holds `block`; null when the block is outside.
  Node* node_at(Level& level, const llvm::BasicBlock* block) const;

  // What runs after a partial node: the next of its region, else the join, else null (the level's end).
  // With `skip`, the nodes that `node` dominates are passed over.
  Node* next(const Node& node, bool skip) const;
  // Where the lanes of a divergent node go first: the first node of its own region, else its join.
  Node* first_after(const Node& node) const;

  // Whether only some of the warp's lanes may run the block.
  bool partial(const llvm::BasicBlock* block) const;

  // A dominating, post-dominating node of the same level with the same mask; null when there is none.
  Node* equivalent(const Node& node) const;

  bool dominates(const llvm::BasicBlock* a, const llvm::BasicBlock* b) const { return dominators_.dominates(a, b); }

 private:
  struct Divergence {
    Node* node;
    std::vector<Node*> region;
    Node* join;
  };
  void add_level(llvm::Loop* loop, Level* parent);
  void order_nodes(Level& level);
  void find_regions(Level& level, const LaneShapes& shapes);
  std::vector<llvm::BasicBlock*> successors_of(const Node& node) const;
  void find_post_dominators(Level& level);

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<std::unique_ptr<Level>> levels_;  // parents before children
  llvm::DenseMap<const llvm::BasicBlock*, Level*> block_level_;
  llvm::DenseMap<const llvm::BasicBlock*, Node*> block_node_;
  llvm::DenseMap<const Node*, std::pair<Node*, Node*>> after_divergence_;  // first of own region, join
};

}  // namespace warpwise::simt
