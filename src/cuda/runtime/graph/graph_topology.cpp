// Graphs as wholes: making, copying and destroying them, their nodes and edges, and a picture of them.
#include <cstdio>

#include "cuda/runtime/api.h"
#include "cuda/runtime/graph/graph_call.h"
#include "cuda/runtime/graph/graph_exec.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// How CUDA returns lists: without an array it returns only the length; the unused end of a longer array is filled with
// nulls.
template <class Item>
void return_list(const std::vector<Item>& items, Item* out, size_t* count) {
  if (out)
    for (size_t i = 0; i < *count; ++i) out[i] = i < items.size() ? items[i] : Item{};
  *count = out ? std::min(*count, items.size()) : items.size();
}

cudaError_t check_count(const size_t* count) {
  return count ? cudaSuccess : fail(cudaErrorInvalidValue, "the pointer for the number is null");
}

bool is_plain(const cudaGraphEdgeData& edge) { return edge.from_port == 0 && edge.to_port == 0 && edge.type == 0; }

// Functions of CUDA 12 have no parameter for edge data: they cannot return edges that have some.
cudaError_t return_edges(const std::vector<cudaGraphEdgeData>& edges, cudaGraphEdgeData* out, const void* nodes,
                         size_t count) {
  if (out)
    return_list(edges, out, &count);
  else if (nodes && !std::all_of(edges.begin(), edges.end(), is_plain))
    return fail(cudaErrorLossyQuery, "an edge has data, which this function cannot return");
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return graph_call("cudaGraphCreate", [&](Process& process, device::Device&) -> cudaError_t {
    if (!graph) return fail(cudaErrorInvalidValue, "the pointer for the graph is null");
    if (flags) return fail(cudaErrorInvalidValue, "flags {:#x}: must be 0", flags);
    *graph = process.graphs.add(std::make_shared<Graph>());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return graph_call("cudaGraphDestroy",
                    [&](Process& process, device::Device&) { return process.graphs.destroy(graph); });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return graph_call("cudaGraphClone", [&](Process& process, device::Device&) -> cudaError_t {
    if (!clone) return fail(cudaErrorInvalidValue, "the pointer for the graph is null");
    CUDA_TRY(process.graphs.check(original));
    for (const auto& node : original->nodes)
      if (std::holds_alternative<ConditionalWork>(node->work) || std::holds_alternative<AllocateWork>(node->work) ||
          std::holds_alternative<FreeWork>(node->work))
        return fail(cudaErrorNotSupported, "graphs with conditionals or memory nodes cannot be cloned");
    *clone = process.graphs.add(copy_graph(*original));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  return graph_call("cudaGraphNodeFindInClone", [&](Process& process, device::Device&) -> cudaError_t {
    if (!node) return fail(cudaErrorInvalidValue, "the pointer for the node is null");
    CUDA_TRY(process.graphs.check(original));
    CUDA_TRY(process.graphs.check(clone));
    for (const auto& candidate : clone->nodes)
      if (candidate->origin == original) {
        *node = candidate.get();
        return cudaSuccess;
      }
    return fail(cudaErrorInvalidValue,
                "the graph is not a clone of the node's graph, or the node has been removed from it");
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return graph_call("cudaGraphNodeGetType", [&](Process& process, device::Device&) -> cudaError_t {
    if (!type) return fail(cudaErrorInvalidValue, "the pointer for the type is null");
    CUDA_TRY(process.graphs.check(node));
    *type = type_of(node->work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return graph_call("cudaGraphGetNodes", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_count(count));
    CUDA_TRY(process.graphs.check(graph));
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return_list(all, nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return graph_call("cudaGraphGetRootNodes", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_count(count));
    CUDA_TRY(process.graphs.check(graph));
    std::vector<cudaGraphNode_t> roots;
    for (const auto& node : graph->nodes)
      if (node->dependencies.empty()) roots.push_back(node.get());
    return_list(roots, nodes, count);
    return cudaSuccess;
  });
}

// --- edges ------------------------------------------------------------------------------------------------

cudaError_t cudaGraphGetEdges_cuda13(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* data, size_t* count) {
  return graph_call("cudaGraphGetEdges", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_count(count));
    if ((from == nullptr) != (to == nullptr))
      return fail(cudaErrorInvalidValue, "one list of nodes is null, the other is not");
    CUDA_TRY(process.graphs.check(graph));
    std::vector<cudaGraphNode_t> sources, targets;
    std::vector<cudaGraphEdgeData> edges;
    for (const auto& node : graph->nodes)
      for (size_t i = 0; i < node->dependencies.size(); ++i) {
        sources.push_back(node->dependencies[i]);
        targets.push_back(node.get());
        edges.push_back(node->edges[i]);
      }
    CUDA_TRY(return_edges(edges, data, from, *count));
    size_t places = *count;
    return_list(sources, from, &places);
    return_list(targets, to, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return cudaGraphGetEdges_cuda13(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                                 size_t* count) {
  return cudaGraphGetEdges_cuda13(graph, from, to, data, count);
}

cudaError_t cudaGraphNodeGetDependencies_cuda13(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                cudaGraphEdgeData* data, size_t* count) {
  return graph_call("cudaGraphNodeGetDependencies", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_count(count));
    CUDA_TRY(process.graphs.check(node));
    CUDA_TRY(return_edges(node->edges, data, dependencies, *count));
    return_list(node->dependencies, dependencies, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count) {
  return cudaGraphNodeGetDependencies_cuda13(node, dependencies, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                            cudaGraphEdgeData* data, size_t* count) {
  return cudaGraphNodeGetDependencies_cuda13(node, dependencies, data, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_cuda13(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                                  cudaGraphEdgeData* data, size_t* count) {
  return graph_call("cudaGraphNodeGetDependentNodes", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_count(count));
    CUDA_TRY(process.graphs.check(node));
    std::vector<cudaGraphEdgeData> edges;
    for (GraphNode* dependent : node->dependents) {
      auto at = std::find(dependent->dependencies.begin(), dependent->dependencies.end(), node) -
                dependent->dependencies.begin();
      edges.push_back(dependent->edges[static_cast<size_t>(at)]);
    }
    CUDA_TRY(return_edges(edges, data, dependents, *count));
    return_list(node->dependents, dependents, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, size_t* count) {
  return cudaGraphNodeGetDependentNodes_cuda13(node, dependents, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                              cudaGraphEdgeData* data, size_t* count) {
  return cudaGraphNodeGetDependentNodes_cuda13(node, dependents, data, count);
}

namespace {

template <class Change>
cudaError_t change_edges(const char* function, cudaGraph_t graph, const cudaGraphNode_t* from,
                         const cudaGraphNode_t* to, size_t count, Change&& change) {
  return graph_call(function, [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(process.graphs.check(graph));
    if (count && (!from || !to)) return fail(cudaErrorInvalidValue, "a list of nodes is null");
    for (size_t i = 0; i < count; ++i) {
      CUDA_TRY(process.graphs.check(from[i]));
      CUDA_TRY(process.graphs.check(to[i]));
      if (from[i]->graph != graph || to[i]->graph != graph)
        return fail(cudaErrorInvalidValue, "edge {} has a node of another graph", i);
      if (from[i] == to[i]) return fail(cudaErrorInvalidValue, "edge {} leads from a node to itself", i);
      CUDA_TRY(change(i));
    }
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGraphAddDependencies_cuda13(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            const cudaGraphEdgeData* data, size_t count) {
  return change_edges("cudaGraphAddDependencies", graph, from, to, count, [&](size_t i) -> cudaError_t {
    const auto& known = to[i]->dependencies;
    if (std::find(known.begin(), known.end(), from[i]) != known.end())
      return fail(cudaErrorInvalidValue, "edge {} exists already", i);
    connect(*from[i], *to[i], data ? data[i] : cudaGraphEdgeData{});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
  return cudaGraphAddDependencies_cuda13(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* data, size_t count) {
  return cudaGraphAddDependencies_cuda13(graph, from, to, data, count);
}

cudaError_t cudaGraphRemoveDependencies_cuda13(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
  return change_edges("cudaGraphRemoveDependencies", graph, from, to, count, [&](size_t i) -> cudaError_t {
    return disconnect(*from[i], *to[i]) ? cudaSuccess : fail(cudaErrorInvalidValue, "edge {} does not exist", i);
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        size_t count) {
  return cudaGraphRemoveDependencies_cuda13(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           const cudaGraphEdgeData* data, size_t count) {
  return cudaGraphRemoveDependencies_cuda13(graph, from, to, data, count);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return graph_call("cudaGraphDestroyNode", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(process.graphs.check(node));
    if (std::holds_alternative<AllocateWork>(node->work) || std::holds_alternative<FreeWork>(node->work))
      return fail(cudaErrorNotSupported, "allocation and free nodes cannot be removed");
    remove_node(*node);
    return cudaSuccess;
  });
}

// --- a picture ----------------------------------------------------------------------------------------------

namespace {

const char* name_of(cudaGraphNodeType type) {
  if (type == kGraphNodeTypeValues) return "BATCH_MEM_OP";
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "GRAPH";
    case cudaGraphNodeTypeEmpty:
      return "EMPTY";
    case cudaGraphNodeTypeWaitEvent:
      return "EVENT_WAIT";
    case cudaGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return "SEMAPHORE_SIGNAL";
    case cudaGraphNodeTypeExtSemaphoreWait:
      return "SEMAPHORE_WAIT";
    case cudaGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree:
      return "MEM_FREE";
    case cudaGraphNodeTypeConditional:
      return "CONDITIONAL";
  }
  return "?";
}

std::string label_of(Process& process, const GraphNode& node) {
  std::string label = name_of(type_of(node.work));
  if (auto* kernel = std::get_if<KernelWork>(&node.work)) {
    const Kernel* known = process.modules.find_kernel(kernel->function);
    const auto& launch = kernel->command;
    label +=
        fmt::format("\\n{}\\n<<<({},{},{}), ({},{},{}), {}>>>", known ? known->name : "?", launch.grid.x, launch.grid.y,
                    launch.grid.z, launch.block.x, launch.block.y, launch.block.z, launch.dynamic_shared_bytes);
  } else if (auto* copy = std::get_if<CopyWork>(&node.work)) {
    label += fmt::format("\\n{} x {} x {} bytes", copy->description.extent.width, copy->description.extent.height,
                         copy->description.extent.depth);
  } else if (auto* fill = std::get_if<FillWork>(&node.work)) {
    label += fmt::format("\\n{} = {:#x}, {} x {}", fill->description.dst, fill->description.value,
                         fill->description.width, fill->description.height);
  }
  return label;
}

void draw(Process& process, const Graph& graph, const std::string& prefix, FILE* out) {
  std::unordered_map<const GraphNode*, std::string> names;
  for (const auto& node : graph.nodes) names[node.get()] = fmt::format("{}node_{}", prefix, names.size());
  fmt::print(out, "subgraph cluster_{} {{\nlabel=\"graph{}\" graph[style=\"dashed\"];\n", prefix.empty() ? "0" : prefix,
             prefix.empty() ? "" : " of " + prefix);
  for (const auto& node : graph.nodes) {
    fmt::print(out, "\"{}\"[style=\"solid\" shape=\"rectangle\" label=\"{}\"];\n", names[node.get()],
               label_of(process, *node));
    if (auto* child = std::get_if<ChildWork>(&node->work)) draw(process, *child->graph, names[node.get()] + "_", out);
    if (auto* conditional = std::get_if<ConditionalWork>(&node->work))
      for (size_t i = 0; i < conditional->bodies.size(); ++i)
        draw(process, *conditional->bodies[i], fmt::format("{}_body{}_", names[node.get()], i), out);
  }
  for (const auto& node : graph.nodes)
    for (const GraphNode* from : node->dependencies)
      fmt::print(out, "\"{}\" -> \"{}\";\n", names[from], names[node.get()]);
  fmt::print(out, "}}\n");
}

}  // namespace

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return graph_call("cudaGraphDebugDotPrint", [&](Process& process, device::Device&) -> cudaError_t {
    if (!path) return fail(cudaErrorInvalidValue, "the path is null");
    CUDA_TRY(process.graphs.check(graph));
    FILE* out = std::fopen(path, "w");
    if (!out) return fail(cudaErrorOperatingSystem, "{} cannot be written", path);
    fmt::print(out, "digraph dot {{\n");
    draw(process, *graph, "", out);
    fmt::print(out, "}}\n");
    std::fclose(out);
    return cudaSuccess;
  });
}
