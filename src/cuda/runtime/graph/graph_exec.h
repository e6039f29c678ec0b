// Executable graphs: a copy of a graph, with its nodes in an order that honours their dependencies, ready to be
// submitted. A launch submits the commands to one stream, in that order (to several where the program is checked:
// graph_branches.h).
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cuda/runtime/graph/graph.h"
#include "cuda/runtime/graph/graph_branches.h"

struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;
  unsigned long long flags = 0;
  // All nodes that run. The nodes of child graphs stand in their place; conditionals stand for their bodies.
  std::vector<CUgraphNode_st*> order;
  // Keyed by the nodes of the instantiated graph, those of its children included.
  std::unordered_map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  // Made by the first launch of a program that is checked.
  std::unique_ptr<warpwise::cuda::GraphBranches> branches;
};

namespace warpwise::cuda {

using GraphExec = CUgraphExec_st;

class GraphExecs {
 public:
  cudaGraphExec_t add(std::unique_ptr<GraphExec> exec);
  cudaError_t check(cudaGraphExec_t exec) const;
  cudaError_t destroy(cudaGraphExec_t exec);
  void forget_all() { execs_.clear(); }

 private:
  std::unordered_map<const GraphExec*, std::unique_ptr<GraphExec>> execs_;
};

// `failing` receives the offending node, or null.
cudaError_t instantiate(Process& process, Graph& graph, unsigned long long flags, cudaGraphInstantiateResult* result,
                        GraphNode** failing, cudaGraphExec_t* out);
cudaError_t launch_graph(Process& process, device::Device& gpu, GraphExec& exec, device::StreamId stream);
// Takes over the parameters of a graph with the same topology.
cudaError_t update(GraphExec& exec, Graph& graph, cudaGraphExecUpdateResultInfo* info);

// The copy of a node of the instantiated graph.
cudaError_t find_copy(Process& process, cudaGraphExec_t exec, cudaGraphNode_t node, GraphNode** out);

}  // namespace warpwise::cuda
