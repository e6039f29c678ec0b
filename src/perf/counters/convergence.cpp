#include "perf/counters/convergence.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "perf/counters/atomic_turns.h"
#include "perf/counters/operands.h"
#include "perf/counters/predication.h"
#include "perf/counters/sass_forms.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {

namespace {

using Node = uint32_t;
constexpr Node kNone = ~0u;

// The control flow of a function. Beside its basic blocks there are places that no instruction stands for: before a
// loop that is come to from several places, and at its end, where several branches go back.
class Flow {
 public:
  enum class Kind : uint8_t { Block, End, Entry, Latch };
  struct Place {
    Kind kind = Kind::Block;
    uint32_t first = 0;  // the instruction that begins the block, or the loop
  };

  Flow(const ptx::Function& function, const std::vector<uint32_t>& starts) : function_(function), starts_(starts) {
    for (uint32_t block = 0; block < starts.size(); block = end_of(starts, block)) {
      node_[block] = Node(places_.size());
      places_.push_back({Kind::Block, block});
    }
    end_ = Node(places_.size());
    places_.push_back({Kind::End, 0});
    after_.resize(places_.size());
    for (Node n = 0; n < end_; ++n) after_[n] = ways_out(n);
    set_loops_apart();
    find_post_dominators();
  }

  // Where all ways from the instruction come together; nothing: nowhere before the end.
  std::optional<Node> post_dominator(uint32_t instruction) const {
    const Node n = post_dominator_[node_.at(starts_[instruction])];
    return n == kNone || n == end_ ? std::nullopt : std::optional(n);
  }
  const Place& place(Node n) const { return places_[n]; }

 private:
  uint32_t last_of(Node block) const { return end_of(starts_, places_[block].first) - 1; }

  bool only_ends(Node block) const {
    const ptx::Instruction& i = function_.instructions[places_[block].first];
    return last_of(block) == places_[block].first && (i.spec().opcode == "ret" || i.spec().opcode == "exit") &&
           !i.guard.present;
  }

  std::vector<Node> ways_out(Node block) const {
    const uint32_t last = last_of(block);
    const ptx::Instruction& i = function_.instructions[last];
    const std::string_view opcode = i.spec().opcode;
    std::vector<Node> ways;
    const auto add = [&](size_t instruction) {
      const auto found = node_.find(uint32_t(instruction));
      const Node to = found == node_.end() || only_ends(found->second) ? end_ : found->second;
      if (std::find(ways.begin(), ways.end(), to) == ways.end()) ways.push_back(to);
    };
    if (opcode == "ret" || opcode == "exit") add(starts_.size());
    if (opcode == "bra") add(target_of_branch(function_, i));
    if (opcode == "brx")
      for (const ptx::Operand& operand : i.operands)
        if (operand.is(ptx::Operand::Kind::Symbol) && operand.symbol.kind == ptx::SymbolRef::Kind::Label)
          for (const ptx::SymbolRef& target : function_.labels[operand.symbol.index].targets)
            add(function_.labels[target.index].instruction);
    if (!simt::ends_block(i) || i.guard.present) add(last + 1);
    return ways;
  }

  Node add_place(const Place& place, Node to) {
    places_.push_back(place);
    after_.push_back({to});
    return Node(after_.size() - 1);
  }

  void set_loops_apart() {
    std::vector<std::vector<Node>> before(end_);
    for (Node n = 0; n < end_; ++n)
      for (Node to : after_[n])
        if (to != end_) before[to].push_back(n);
    for (Node loop = 0; loop < end_; ++loop) {
      const auto back = std::find_if(before[loop].begin(), before[loop].end(), [&](Node n) { return n >= loop; });
      if (back == before[loop].end()) continue;
      join(before[loop].begin(), back, loop, Kind::Entry), join(back, before[loop].end(), loop, Kind::Latch);
    }
  }

  template <class Nodes>
  void join(Nodes from, Nodes to, Node loop, Kind kind) {
    if (to - from < 2) return;
    const Node place = add_place({kind, places_[loop].first}, loop);
    for (; from != to; ++from) std::replace(after_[*from].begin(), after_[*from].end(), loop, place);
  }

  // Immediate post-dominators (Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm), from the end backwards.
  void find_post_dominators() {
    const size_t nodes = places_.size();
    std::vector<std::vector<Node>> before(nodes);
    for (Node n = 0; n < nodes; ++n)
      for (Node to : after_[n]) before[to].push_back(n);
    std::vector<Node> order;  // from the end, each before those that lead to it
    std::vector<uint32_t> rank(nodes, kNone);
    std::vector<std::pair<Node, size_t>> open{{end_, 0}};
    std::vector<bool> seen(nodes, false);
    seen[end_] = true;
    while (!open.empty()) {
      auto& [n, next] = open.back();
      if (next < before[n].size()) {
        const Node to = before[n][next++];
        if (!seen[to]) seen[to] = true, open.emplace_back(to, 0);
      } else {
        order.push_back(n);
        open.pop_back();
      }
    }
    std::reverse(order.begin(), order.end());
    for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    post_dominator_.assign(nodes, kNone);
    post_dominator_[end_] = end_;
    for (bool changed = true; changed;) {
      changed = false;
      for (Node n : order) {
        if (n == end_) continue;
        Node common = kNone;
        for (Node to : after_[n]) {
          if (post_dominator_[to] == kNone) continue;
          Node a = to, b = common;
          if (b == kNone) b = a;
          while (a != b) {
            while (rank[a] > rank[b]) a = post_dominator_[a];
            while (rank[b] > rank[a]) b = post_dominator_[b];
          }
          common = a;
        }
        if (common != post_dominator_[n]) post_dominator_[n] = common, changed = true;
      }
    }
  }

  const ptx::Function& function_;
  const std::vector<uint32_t>& starts_;
  std::map<uint32_t, Node> node_;  // by the block's first instruction
  std::vector<Place> places_;      // by node: blocks in the order of the text, the end, the others
  Node end_ = 0;
  std::vector<std::vector<Node>> after_;
  std::vector<Node> post_dominator_;
};

}  // namespace

void find_reconvergence(const ptx::Function& function, const std::vector<uint32_t>& starts,
                        std::vector<InstructionClass>& classes) {
  const std::set<ptx::RegisterId> varying = varying_registers(function);
  std::set<uint32_t> predicated;
  const Predication predication(function, starts, classes);
  for (uint32_t block = 0; block < starts.size(); block = end_of(starts, block))
    if (const auto branch = predication.branch_around(block)) predicated.insert(*branch);
  const auto diverges = [&](uint32_t n) {
    const ptx::Instruction& i = function.instructions[n];
    // What a function's caller passes to it may be anything.
    if (i.spec().opcode == "bra")
      return i.guard.present && !predicated.contains(n) && (!function.is_entry || varying.contains(i.guard.reg));
    bool differs = i.spec().opcode == "brx" && !function.is_entry;
    if (i.spec().opcode == "brx")
      for_each_register_read(i, [&](ptx::RegisterId reg) { differs |= varying.contains(reg); });
    return differs;
  };
  std::vector<uint32_t> branches;
  for (uint32_t n = 0; n < starts.size(); ++n)
    if (diverges(n)) branches.push_back(n);
  if (branches.empty()) return;

  const Flow flow(function, starts);
  constexpr uint8_t kSetAndWait = 2;
  std::set<Node> known;
  for (uint32_t branch : branches) {
    const std::optional<Node> place_of = flow.post_dominator(branch);
    if (!place_of) continue;
    ++classes[branch].reconvergence.per_divergence;
    if (!known.insert(*place_of).second) continue;
    const Flow::Place& place = flow.place(*place_of);
    // Before a loop or at the end of its turns it is known by the branch: where lanes diverge, they reconverge as
    // often.
    const uint32_t there = place.kind == Flow::Kind::Block ? place.first : branch;
    classes[there].reconvergence.per_warp += kSetAndWait;
    ++classes[starts[there]].reconvergence.waits;
  }
}

}  // namespace warpwise::perf
