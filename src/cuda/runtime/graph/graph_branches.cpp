#include "cuda/runtime/graph/graph_branches.h"

#include <algorithm>

namespace warpwise::cuda {

namespace {

// Which nodes must be complete before which. A child graph's node stands for the nodes of that graph.
class Edges {
 public:
  explicit Edges(const Graph& graph) { enter(graph, nullptr); }

  void add_nodes_before(const GraphNode& node, std::vector<const GraphNode*>* found) const {
    for (const GraphNode* dependency : node.dependencies) add_last_nodes(*dependency, found);
    const GraphNode* parent = parents_.at(node.graph);
    if (node.dependencies.empty() && parent) add_nodes_before(*parent, found);
  }

 private:
  void enter(const Graph& graph, const GraphNode* parent) {
    parents_[&graph] = parent;
    for (const auto& node : graph.nodes)
      if (const auto* child = std::get_if<ChildWork>(&node->work)) enter(*child->graph, node.get());
  }
  void add_last_nodes(const GraphNode& node, std::vector<const GraphNode*>* found) const {
    const auto* child = std::get_if<ChildWork>(&node.work);
    if (!child) return found->push_back(&node);
    if (child->graph->nodes.empty()) return add_nodes_before(node, found);
    for (const auto& inner : child->graph->nodes)
      if (inner->dependents.empty()) add_last_nodes(*inner, found);
  }

  std::unordered_map<const Graph*, const GraphNode*> parents_;  // the node that stands for it; null: the whole graph
};

}  // namespace

GraphBranches::GraphBranches(device::Device& gpu, const Graph& graph, const std::vector<GraphNode*>& order)
    : gpu_(gpu) {
  const Edges edges(graph);
  std::vector<const GraphNode*> last(1, nullptr);  // of each branch
  for (const GraphNode* node : order) {
    std::vector<const GraphNode*> before;
    edges.add_nodes_before(*node, &before);
    size_t branch = last[0] ? last.size() : 0;
    for (const GraphNode* dependency : before)
      if (const size_t theirs = places_[dependency].branch; last[theirs] == dependency)
        branch = std::min(branch, theirs);
    if (branch == last.size()) last.push_back(nullptr);
    Place place{branch, {}, {}};
    for (const GraphNode* dependency : before)
      if (places_[dependency].branch != branch) place.waits.push_back(done(dependency));
    if (before.empty() && branch != 0) {
      if (!begin_) begin_ = gpu_.create_event();
      place.waits.push_back(*begin_);
    }
    last[branch] = node;
    places_[node] = std::move(place);
  }
  for (size_t branch = 1; branch < last.size(); ++branch) {
    branches_.push_back(gpu_.create_stream(false, 0));
    ends_.push_back(done(last[branch]));
  }
}

GraphBranches::~GraphBranches() {
  for (size_t branch = 1; branch < branches_.size(); ++branch) (void)gpu_.destroy_stream(branches_[branch]);
  if (begin_) (void)gpu_.destroy_event(*begin_);
  for (const auto& [node, place] : places_)
    if (place.done) (void)gpu_.destroy_event(*place.done);
}

device::EventId GraphBranches::done(const GraphNode* node) {
  Place& place = places_[node];
  if (!place.done) place.done = gpu_.create_event();
  return *place.done;
}

device::Status GraphBranches::begin(device::StreamId stream) {
  branches_[0] = stream;
  return begin_ ? gpu_.submit(stream, device::RecordEvent{*begin_, false}) : device::Status::success();
}

device::Status GraphBranches::enter(const GraphNode& node, device::StreamId* stream) {
  const Place& place = places_.at(&node);
  *stream = branches_[place.branch];
  for (device::EventId event : place.waits)
    if (device::Status status = gpu_.submit(*stream, device::WaitEvent{event}); !status.ok()) return status;
  return {};
}

device::Status GraphBranches::leave(const GraphNode& node) {
  const Place& place = places_.at(&node);
  return place.done ? gpu_.submit(branches_[place.branch], device::RecordEvent{*place.done, false})
                    : device::Status::success();
}

device::Status GraphBranches::end() {
  for (device::EventId event : ends_)
    if (device::Status status = gpu_.submit(branches_[0], device::WaitEvent{event}); !status.ok()) return status;
  return {};
}

}  // namespace warpwise::cuda
