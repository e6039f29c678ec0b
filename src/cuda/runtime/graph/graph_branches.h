// The order that a graph's edges promise, for the checkers: nodes that no path connects may run at the same time.
//
// A launch hands its nodes to one stream, one after the other, which puts all of them in order. While a program is
// checked each node goes to a stream that is behind those it depends on alone:
//
//        A            A, B    in the launch's own stream: a node continues what one of its dependencies was the last in
//       / \           C       in another, which waits for an event behind A
//      B   C          D       in B's, which waits for an event behind C
//       \ /
//        D            Roots wait for what the launch's stream was asked before, and that stream for the last node of
//        each other one.
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
  // `order`: the nodes of `graph` that run, each behind what it depends on, those of child graphs included.
  GraphBranches(device::Device& gpu, const Graph& graph, const std::vector<GraphNode*>& order);
  ~GraphBranches();
  GraphBranches(const GraphBranches&) = delete;
  GraphBranches& operator=(const GraphBranches&) = delete;

  // Around a launch in `stream`, and around each of its nodes in their order: the stream that it goes to, and what
  // tells that it is done.
  device::Status begin(device::StreamId stream);
  device::Status come_to(const GraphNode& node, device::StreamId* stream);
  device::Status leave(const GraphNode& node);
  device::Status end();

 private:
  struct Place {
    size_t branch = 0;
    std::vector<device::EventId> waits;   // for nodes of other branches
    std::optional<device::EventId> done;  // nothing: nobody waits for it
  };
  device::EventId done(const GraphNode* node);

  device::Device& gpu_;
  std::vector<device::StreamId> branches_ = {0};  // the first is the launch's own
  std::optional<device::EventId> begin_;          // where there are others
  std::vector<device::EventId> ends_;             // of the others
  std::unordered_map<const GraphNode*, Place> places_;
};

}  // namespace warpwise::cuda
