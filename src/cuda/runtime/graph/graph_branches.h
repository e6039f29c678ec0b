// The order that a graph's edges promise, for the checkers: nodes that no path connects may run at the same time.
//
// A launch submits its nodes to one stream, one after the other, which puts all of them in order. While a program is
// checked, each node goes to a stream that is ordered only after the node's dependencies:
//
//        A            A, B    in the launch's own stream: a node continues a stream in which one of its dependencies
//        was last
//       / \           C       in another stream, which waits for an event behind A
//      B   C          D       in B's stream, which waits for an event behind C
//       \ /
//        D            Roots wait for the earlier work of the launch's stream, and that stream waits for the last node
//        of each other stream.
//
// Streams and events belong to the executable graph, whose launches are in order anyway.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "cuda/runtime/graph/graph.h"
#include "device/device.h"

namespace warpwise::cuda {

class GraphBranches {
 public:
  // `order`: the nodes of `graph` that run, those of child graphs included, each after its dependencies.
  GraphBranches(device::Device& gpu, const Graph& graph, const std::vector<GraphNode*>& order);
  ~GraphBranches();
  GraphBranches(const GraphBranches&) = delete;
  GraphBranches& operator=(const GraphBranches&) = delete;

  // Called around a launch in `stream`, and around each of its nodes in order. Gives the stream that the node goes to,
  // and the event that marks its end.
  device::Status begin(device::StreamId stream);
  device::Status enter(const GraphNode& node, device::StreamId* stream);
  device::Status leave(const GraphNode& node);
  device::Status end();

 private:
  struct Place {
    size_t branch = 0;
    std::vector<device::EventId> waits;   // for nodes of other branches
    std::optional<device::EventId> done;  // empty: no other branch waits for it
  };
  device::EventId done(const GraphNode* node);

  device::Device& gpu_;
  std::vector<device::StreamId> branches_ = {0};  // the first is the launch's own
  std::optional<device::EventId> begin_;          // where there are other branches
  std::vector<device::EventId> ends_;             // of the other branches
  std::unordered_map<const GraphNode*, Place> places_;
};

}  // namespace warpwise::cuda
