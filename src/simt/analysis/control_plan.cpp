#include "simt/analysis/control_plan.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace warpwise::simt {

using namespace llvm;

BasicBlock* Node::first_block() const { return block ? block : loop->loop->getHeader(); }

ControlPlan::ControlPlan(Function& function, const LaneShapes& shapes)
    : function_(function), dominators_(function), loops_(dominators_) {
  add_level(nullptr, nullptr);
  for (Loop* loop : loops_.getTopLevelLoops()) {
    std::function<void(Loop*, Level*)> add = [&](Loop* l, Level* parent) {
      add_level(l, parent);
      Level* level = levels_.back().get();
      for (Loop* child : *l) add(child, level);
    };
    add(loop, levels_[0].get());
  }
  for (BasicBlock& bb : function) {
    Loop* loop = loops_.getLoopFor(&bb);
    Level* level = levels_[0].get();
    for (auto& l : levels_)
      if (l->loop == loop) level = l.get();
    Node* node = level->nodes.emplace_back(std::make_unique<Node>()).get();
    node->block = &bb;
    node->level = level;
    block_level_[&bb] = level;
    block_node_[&bb] = node;
  }
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {  // inner ones first
    order_nodes(**level);
    find_post_dominators(**level);
    find_regions(**level, shapes);
  }
}

void ControlPlan::add_level(Loop* loop, Level* parent) {
  Level* level = levels_.emplace_back(std::make_unique<Level>()).get();
  level->loop = loop;
  level->parent = parent;
  if (!parent) return;
  Node* node = parent->nodes.emplace_back(std::make_unique<Node>()).get();
  node->loop = level;
  node->level = parent;
  level->self = node;
}

Node* ControlPlan::node_at(Level& level, const BasicBlock* block) const {
  Level* inner = level_of(block);
  if (inner == &level) return node_of(block);
  while (inner && inner->parent != &level) inner = inner->parent;
  return inner ? inner->self : nullptr;
}

std::vector<BasicBlock*> ControlPlan::successors_of(const Node& node) const {
  if (node.block) return {succ_begin(node.block), succ_end(node.block)};
  SmallVector<BasicBlock*, 4> exits;
  node.loop->loop->getUniqueExitBlocks(exits);
  return {exits.begin(), exits.end()};
}

void ControlPlan::order_nodes(Level& level) {
  BasicBlock* first = level.loop ? level.loop->getHeader() : &function_.getEntryBlock();
  SmallPtrSet<Node*, 16> seen;
  std::vector<Node*> post;
  // Depth first, without recursion: kernels of a hundred thousand blocks exist.
  std::vector<std::pair<Node*, std::vector<BasicBlock*>>> stack;
  auto enter = [&](Node* node) {
    if (!node || !seen.insert(node).second) return;
    stack.push_back({node, successors_of(*node)});
  };
  enter(node_of(first));
  while (!stack.empty()) {
    auto& [node, rest] = stack.back();
    if (rest.empty()) {
      post.push_back(node);
      stack.pop_back();
      continue;
    }
    BasicBlock* next = rest.back();
    rest.pop_back();
    if (level.loop && next == level.loop->getHeader()) continue;  // the back edge
    enter(node_at(level, next));
  }
  level.order.assign(post.rbegin(), post.rend());
  for (unsigned i = 0; i < level.order.size(); ++i) level.order[i]->position = i;
}

// Cooper, Harvey and Kennedy's intersection on the level's acyclic graph; one sweep, since it is acyclic.
void ControlPlan::find_post_dominators(Level& level) {
  auto intersect = [](Node* a, Node* b) {
    while (a != b) {
      if (!a || !b) return static_cast<Node*>(nullptr);
      if (a->position < b->position)
        a = a->post_dominator;
      else
        b = b->post_dominator;
    }
    return a;
  };
  for (auto it = level.order.rbegin(); it != level.order.rend(); ++it) {
    Node* node = *it;
    bool first = true;
    for (BasicBlock* target : successors_of(*node)) {
      bool back = level.loop && target == level.loop->getHeader();
      Node* t = back ? nullptr : node_at(level, target);
      node->post_dominator = first ? t : intersect(node->post_dominator, t);
      first = false;
    }
  }
}

void ControlPlan::find_regions(Level& level, const LaneShapes& shapes) {
  std::vector<Divergence> divergences;
  for (Node* node : level.order) {
    std::vector<BasicBlock*> targets = successors_of(*node);
    bool parts = node->block ? shapes.diverges(*node->block) : node->loop->divergent;
    if (!parts || targets.size() < 2) continue;
    Divergence divergence{node, {}, node->post_dominator};
    SmallPtrSet<Node*, 16> seen;
    std::vector<BasicBlock*> work = targets;
    while (!work.empty()) {
      BasicBlock* target = work.back();
      work.pop_back();
      if (level.loop && target == level.loop->getHeader()) continue;
      Node* n = node_at(level, target);
      if (!n) {
        level.divergent = true;  // some lanes leave here, others go on
        continue;
      }
      if (n == divergence.join || !seen.insert(n).second) continue;
      divergence.region.push_back(n);
      for (BasicBlock* t : successors_of(*n)) work.push_back(t);
    }
    std::sort(divergence.region.begin(), divergence.region.end(),
              [](Node* a, Node* b) { return a->position < b->position; });
    after_divergence_[node] = {divergence.region.empty() ? nullptr : divergence.region[0], divergence.join};
    divergences.push_back(std::move(divergence));
  }

  // Regions that share a node become one.
  std::vector<int> group(divergences.size());
  std::iota(group.begin(), group.end(), 0);
  auto root = [&](int g) {
    while (group[g] != g) g = group[g] = group[group[g]];
    return g;
  };
  DenseMap<Node*, int> owner;
  for (size_t p = 0; p < divergences.size(); ++p)
    for (Node* n : divergences[p].region) {
      auto [it, fresh] = owner.try_emplace(n, int(p));
      if (!fresh) group[root(int(p))] = root(it->second);
    }
  DenseMap<int, int> index;
  for (Node* node : level.order) {
    auto it = owner.find(node);
    if (it == owner.end()) continue;
    auto [slot, fresh] = index.try_emplace(root(it->second), int(level.regions.size()));
    if (fresh) level.regions.emplace_back();
    node->partial = true;
    node->region = slot->second;
    level.regions[slot->second].nodes.push_back(node);
  }
  // The join of a group is the join of one of its members that lies behind all of them; null, the
  // level's end, is the farthest of all.
  std::vector<bool> to_end(level.regions.size(), false);
  for (size_t p = 0; p < divergences.size(); ++p) {
    if (divergences[p].region.empty()) continue;
    int r = divergences[p].region[0]->region;
    Node* join = divergences[p].join;
    Region& region = level.regions[r];
    if (!join)
      to_end[r] = true;
    else if (join->region != r && (!region.join || region.join->position < join->position))
      region.join = join;
  }
  for (size_t r = 0; r < level.regions.size(); ++r)
    if (to_end[r]) level.regions[r].join = nullptr;
}

Node* ControlPlan::next(const Node& node, bool skip) const {
  const Region& region = node.level->regions[node.region];
  auto at = std::find(region.nodes.begin(), region.nodes.end(), &node);
  for (++at; at != region.nodes.end(); ++at)
    if (!skip || !dominators_.dominates(node.first_block(), (*at)->first_block())) return *at;
  return region.join;
}

Node* ControlPlan::first_after(const Node& node) const {
  auto found = after_divergence_.find(&node);
  if (found == after_divergence_.end()) return nullptr;
  return found->second.first ? found->second.first : found->second.second;
}

static bool post_dominates(const Node& node, const Node& candidate) {
  const Node* p = &candidate;
  while (p && p->position < node.position) p = p->post_dominator;
  return p == &node;
}

Node* ControlPlan::equivalent(const Node& node) const {
  BasicBlock* block = node.first_block();
  auto* idom = dominators_.getNode(block)->getIDom();
  // Climb the dominators inside this level.
  while (idom) {
    Node* candidate = node_at(*node.level, idom->getBlock());
    if (!candidate) return nullptr;
    if (candidate != &node) {
      // Who can go past `node` behind one dominator can do so behind those before it.
      if (!candidate->partial || !post_dominates(node, *candidate)) return nullptr;
      if (candidate->region == node.region) return candidate;
    }
    idom = idom->getIDom();
  }
  return nullptr;
}

bool ControlPlan::partial(const BasicBlock* block) const {
  const Node* node = node_of(block);
  if (!node) return false;
  if (node->partial) return true;
  for (Level* level = node->level; level->loop; level = level->parent)
    if (level->divergent || level->self->partial) return true;
  return false;
}

}  // namespace warpwise::simt
