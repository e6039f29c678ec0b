// Graphs: nodes, their work and their order. These are the objects behind cudaGraph_t and cudaGraphNode_t, which are
// the driver's CUgraph and CUgraphNode as well.
//
// The work of a kernel, copy or memset node is kept as the commands that a stream would receive. They are made and
// checked when the node is made, and kernel parameters are copied then, as CUDA promises. The program's own description
// is kept with them, for calls that ask for it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "cuda/runtime/error.h"
#include "cuda/runtime/types.h"
#include "device/device.h"

namespace warpwise::cuda {

class Process;
class UserObjects;

// Memory of an allocation node. It exists from the creation of the node. For the program it is in use from the launch
// of the node until the launch of a free node or until the program frees it.
struct GraphMemory {
  device::Address address = 0;
  size_t size = 0;
  bool in_use = false;
};

struct KernelWork {
  const void* function = nullptr;  // a host stub or a cudaKernel_t
  device::Launch command;
  std::vector<void*> pointers;  // into command.parameters, for cudaGraphKernelNodeGetParams
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
};
struct CopyWork {
  std::vector<device::Command> commands;
  cudaMemcpy3DParms description{};
};
struct FillWork {
  std::vector<device::Command> commands;
  cudaMemsetParams description{};
};
struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
  std::function<void()> call;  // alternatively: what cudaStreamAddCallback captured
};
// Waits for values in memory, and writes of values. Only the driver makes such nodes (cuda/driver/stream_memory.cpp).
struct ValueWork {
  std::vector<device::Command> commands;
  std::shared_ptr<void> description;  // the driver's structure; null until a call asks a captured node for it
};
struct ChildWork {
  std::shared_ptr<CUgraph_st> graph;
};
struct EmptyWork {};
struct WaitWork {
  cudaEvent_t event = nullptr;
};
struct RecordWork {
  cudaEvent_t event = nullptr;
};
struct AllocateWork {
  cudaMemAllocNodeParams description{};
  std::vector<cudaMemAccessDesc> access;
  std::shared_ptr<GraphMemory> memory;
};
struct FreeWork {
  void* pointer = nullptr;
};
struct ConditionalWork {
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies;
  std::vector<cudaGraph_t> handles;  // of the bodies: what cudaConditionalNodeParams points to
};

// A conditional's variable: kernels write it through the handle, which is its address (cudaGraphSetConditional).
struct Condition {
  cudaGraphConditionalHandle handle = 0;
  unsigned value = 0;            // at each launch,
  bool assign_default = false;   // if so
  std::shared_ptr<void> memory;  // behind the handle
};

using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, ValueWork, ChildWork, EmptyWork, WaitWork,
                          RecordWork, AllocateWork, FreeWork, ConditionalWork>;

// CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, for which the runtime has no name.
inline constexpr cudaGraphNodeType kGraphNodeTypeValues{12};
cudaGraphNodeType type_of(const Work& work);

}  // namespace warpwise::cuda

struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  warpwise::cuda::Work work;
  std::vector<CUgraphNode_st*> dependencies, dependents;
  std::vector<cudaGraphEdgeData> edges;  // of the dependencies
  // In a copy of a graph: the node of which it is a copy. Compared, never dereferenced.
  const CUgraphNode_st* origin = nullptr;
  bool enabled = true;  // in the copy of an executable graph
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in the order of creation
  const CUgraph_st* origin = nullptr;                  // of a clone
  CUgraphNode_st* parent = nullptr;                    // the node that has this graph as its child or body
  std::vector<warpwise::cuda::Condition> conditions;
  std::vector<std::pair<cudaUserObject_t, unsigned>> user_objects;  // and how many references it holds

  ~CUgraph_st();
};

namespace warpwise::cuda {

using Graph = CUgraph_st;
using GraphNode = CUgraphNode_st;

// Adds a node after `dependencies`. Errors: cudaErrorInvalidValue for nodes of other graphs and repeated ones.
cudaError_t add_node(Graph& graph, std::span<const cudaGraphNode_t> dependencies, const cudaGraphEdgeData* edges,
                     Work work, GraphNode** out);
void connect(GraphNode& from, GraphNode& to, const cudaGraphEdgeData& edge = {});
bool disconnect(GraphNode& from, GraphNode& to);
void remove_node(GraphNode& node);

// A copy in which each node names its origin. Children and bodies are copied, too.
std::unique_ptr<Graph> copy_graph(const Graph& graph);

// The nodes in the order of creation, except that each comes after its dependencies. False when there is a cycle.
bool sort_nodes(const Graph& graph, std::vector<GraphNode*>* sorted);

// The graphs, nodes and executable graphs that exist. CUDA's graph objects are not safe for use by several threads; the
// mutex keeps these consistent nevertheless.
class Graphs {
 public:
  std::recursive_mutex mutex;  // held by all graph functions

  cudaGraph_t add(std::shared_ptr<Graph> graph);
  cudaError_t destroy(cudaGraph_t graph);
  // The graph behind a handle, for a capture that adds to it; end_capture gives it back.
  std::shared_ptr<Graph> share(Graph& graph);
  cudaGraph_t adopt(std::shared_ptr<Graph> graph);
  // Handles of a graph that a node holds: its child, a conditional's body.
  void note(const Graph& graph);
  void forget(const Graph& graph);
  void note_node(const GraphNode* node) { nodes_.insert(node); }
  void forget_node(const GraphNode* node) { nodes_.erase(node); }

  cudaError_t check(cudaGraph_t graph) const;
  cudaError_t check(cudaGraphNode_t node) const;

  // Memory of allocation nodes, by address, as long as the program can name it.
  std::shared_ptr<GraphMemory> allocate(device::Device& gpu, size_t size, cudaError_t* error);
  std::shared_ptr<GraphMemory> find_memory(device::Address address) const;
  // The program frees it directly. Null when the memory does not belong to a graph.
  std::shared_ptr<GraphMemory> freed_by_program(device::Address address);
  // Releases memory that no graph names and the program does not use.
  void trim(device::Device& gpu);
  void memory_figures(uint64_t* used, uint64_t* reserved) const;
  uint64_t used_high = 0, reserved_high = 0;

  void forget_all();

 private:
  std::unordered_map<const Graph*, std::shared_ptr<Graph>> owned_;
  std::unordered_set<const Graph*> graphs_;
  std::unordered_set<const GraphNode*> nodes_;
  std::map<device::Address, std::shared_ptr<GraphMemory>> memory_;
};

}  // namespace warpwise::cuda
