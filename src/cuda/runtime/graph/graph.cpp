#include "cuda/runtime/graph/graph.h"

#include <algorithm>

#include "cuda/runtime/process.h"

CUgraph_st::~CUgraph_st() {
  auto& process = warpwise::cuda::Process::instance();
  process.graphs.forget(*this);
  for (auto [object, count] : user_objects) (void)process.user_objects.release(object, count);
}

namespace warpwise::cuda {

cudaGraphNodeType type_of(const Work& work) {
  struct Type {
    cudaGraphNodeType operator()(const KernelWork&) const { return cudaGraphNodeTypeKernel; }
    cudaGraphNodeType operator()(const CopyWork&) const { return cudaGraphNodeTypeMemcpy; }
    cudaGraphNodeType operator()(const FillWork&) const { return cudaGraphNodeTypeMemset; }
    cudaGraphNodeType operator()(const HostWork&) const { return cudaGraphNodeTypeHost; }
    cudaGraphNodeType operator()(const ValueWork&) const { return kGraphNodeTypeValues; }
    cudaGraphNodeType operator()(const ChildWork&) const { return cudaGraphNodeTypeGraph; }
    cudaGraphNodeType operator()(const EmptyWork&) const { return cudaGraphNodeTypeEmpty; }
    cudaGraphNodeType operator()(const WaitWork&) const { return cudaGraphNodeTypeWaitEvent; }
    cudaGraphNodeType operator()(const RecordWork&) const { return cudaGraphNodeTypeEventRecord; }
    cudaGraphNodeType operator()(const AllocateWork&) const { return cudaGraphNodeTypeMemAlloc; }
    cudaGraphNodeType operator()(const FreeWork&) const { return cudaGraphNodeTypeMemFree; }
    cudaGraphNodeType operator()(const ConditionalWork&) const { return cudaGraphNodeTypeConditional; }
  };
  return std::visit(Type{}, work);
}

void connect(GraphNode& from, GraphNode& to, const cudaGraphEdgeData& edge) {
  to.dependencies.push_back(&from);
  to.edges.push_back(edge);
  from.dependents.push_back(&to);
}

bool disconnect(GraphNode& from, GraphNode& to) {
  auto found = std::find(to.dependencies.begin(), to.dependencies.end(), &from);
  if (found == to.dependencies.end()) return false;
  to.edges.erase(to.edges.begin() + (found - to.dependencies.begin()));
  to.dependencies.erase(found);
  from.dependents.erase(std::find(from.dependents.begin(), from.dependents.end(), &to));
  return true;
}

namespace {

// Graphs inside a node are registered, and their handles are valid.
void adopt(GraphNode& node) {
  Graphs& graphs = Process::instance().graphs;
  auto adopt_graph = [&](Graph& graph) {
    graph.parent = &node;
    graphs.note(graph);
  };
  if (auto* child = std::get_if<ChildWork>(&node.work)) adopt_graph(*child->graph);
  if (auto* conditional = std::get_if<ConditionalWork>(&node.work))
    for (auto& body : conditional->bodies) adopt_graph(*body);
}

}  // namespace

cudaError_t add_node(Graph& graph, std::span<const cudaGraphNode_t> dependencies, const cudaGraphEdgeData* edges,
                     Work work, GraphNode** out) {
  std::unordered_set<const GraphNode*> seen;
  for (size_t i = 0; i < dependencies.size(); ++i) {
    CUDA_TRY(Process::instance().graphs.check(dependencies[i]));
    if (dependencies[i]->graph != &graph)
      return fail(cudaErrorInvalidValue, "dependency {} is a node of another graph", i);
    if (!seen.insert(dependencies[i]).second) return fail(cudaErrorInvalidValue, "dependency {} is named twice", i);
  }
  GraphNode* node = graph.nodes.emplace_back(std::make_unique<GraphNode>()).get();
  node->graph = &graph;
  node->work = std::move(work);
  for (size_t i = 0; i < dependencies.size(); ++i)
    connect(*dependencies[i], *node, edges ? edges[i] : cudaGraphEdgeData{});
  Process::instance().graphs.note_node(node);
  adopt(*node);
  *out = node;
  return cudaSuccess;
}

void remove_node(GraphNode& node) {
  for (GraphNode* from : std::vector(node.dependencies)) disconnect(*from, node);
  for (GraphNode* to : std::vector(node.dependents)) disconnect(node, *to);
  Process::instance().graphs.forget_node(&node);
  std::erase_if(node.graph->nodes, [&](const auto& owned) { return owned.get() == &node; });
}

std::unique_ptr<Graph> copy_graph(const Graph& graph) {
  auto copy = std::make_unique<Graph>();
  copy->origin = &graph;
  copy->conditions = graph.conditions;
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : graph.nodes) {
    GraphNode* twin = copy->nodes.emplace_back(std::make_unique<GraphNode>()).get();
    twin->graph = copy.get();
    twin->work = node->work;
    twin->origin = node.get();
    if (auto* child = std::get_if<ChildWork>(&twin->work)) child->graph = copy_graph(*child->graph);
    if (auto* conditional = std::get_if<ConditionalWork>(&twin->work)) {
      conditional->handles.clear();
      for (auto& body : conditional->bodies) {
        body = copy_graph(*body);
        conditional->handles.push_back(body.get());
      }
    }
    copies[node.get()] = twin;
  }
  for (const auto& node : graph.nodes)
    for (size_t i = 0; i < node->dependencies.size(); ++i)
      connect(*copies[node->dependencies[i]], *copies[node.get()], node->edges[i]);
  return copy;
}

bool sort_nodes(const Graph& graph, std::vector<GraphNode*>* sorted) {
  std::unordered_map<const GraphNode*, size_t> number, missing;
  std::map<size_t, GraphNode*> ready;  // keyed by the order of creation
  for (const auto& node : graph.nodes) {
    size_t at = number.size();
    number[node.get()] = at;
    missing[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) ready[at] = node.get();
  }
  sorted->clear();
  while (!ready.empty()) {
    GraphNode* node = ready.begin()->second;
    ready.erase(ready.begin());
    sorted->push_back(node);
    for (GraphNode* dependent : node->dependents)
      if (--missing[dependent] == 0) ready[number[dependent]] = dependent;
  }
  return sorted->size() == graph.nodes.size();
}

// --- which exist ------------------------------------------------------------------------------------------

cudaGraph_t Graphs::add(std::shared_ptr<Graph> graph) {
  std::lock_guard lock(mutex);
  cudaGraph_t handle = graph.get();
  note(*graph);
  owned_.emplace(handle, std::move(graph));
  return handle;
}

cudaError_t Graphs::destroy(cudaGraph_t graph) {
  CUDA_TRY(check(graph));
  auto found = owned_.find(graph);
  if (found == owned_.end())
    return fail(cudaErrorInvalidValue, "the graph belongs to a node of another graph, which destroys it");
  auto last = std::move(found->second);
  owned_.erase(found);
  return cudaSuccess;
}

std::shared_ptr<Graph> Graphs::share(Graph& graph) {
  if (auto found = owned_.find(&graph); found != owned_.end()) return found->second;
  return {std::shared_ptr<void>(), &graph};  // a node owns it
}

cudaGraph_t Graphs::adopt(std::shared_ptr<Graph> graph) {
  if (owned_.contains(graph.get()) || graph->parent) return graph.get();
  return add(std::move(graph));
}

void Graphs::note(const Graph& graph) {
  graphs_.insert(&graph);
  for (const auto& node : graph.nodes) {
    nodes_.insert(node.get());
    if (auto* child = std::get_if<ChildWork>(&node->work)) {
      child->graph->parent = node.get();
      note(*child->graph);
    }
    if (auto* conditional = std::get_if<ConditionalWork>(&node->work))
      for (auto& body : conditional->bodies) {
        body->parent = node.get();
        note(*body);
      }
  }
}

void Graphs::forget(const Graph& graph) {
  std::lock_guard lock(mutex);
  graphs_.erase(&graph);
  for (const auto& node : graph.nodes) nodes_.erase(node.get());
}

cudaError_t Graphs::check(cudaGraph_t graph) const {
  if (graph && graphs_.contains(graph)) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "the graph is null, was never made, or has been destroyed");
}

cudaError_t Graphs::check(cudaGraphNode_t node) const {
  if (node && nodes_.contains(node)) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "the node is null, was never made, or has been destroyed");
}

void Graphs::forget_all() {
  std::lock_guard lock(mutex);
  auto graphs = std::exchange(owned_, {});
  graphs.clear();
  memory_.clear();
  used_high = reserved_high = 0;
}

// --- memory -----------------------------------------------------------------------------------------------

std::shared_ptr<GraphMemory> Graphs::allocate(device::Device& gpu, size_t size, cudaError_t* error) {
  auto memory = std::make_shared<GraphMemory>();
  memory->size = size;
  *error = fail(gpu.allocate(size, device::MemoryKind::Device, &memory->address));
  if (*error != cudaSuccess) return nullptr;
  memory_[memory->address] = memory;
  uint64_t used, reserved;
  memory_figures(&used, &reserved);
  return memory;
}

std::shared_ptr<GraphMemory> Graphs::find_memory(device::Address address) const {
  auto found = memory_.find(address);
  return found == memory_.end() ? nullptr : found->second;
}

std::shared_ptr<GraphMemory> Graphs::freed_by_program(device::Address address) {
  std::lock_guard lock(mutex);
  auto memory = find_memory(address);
  if (memory) memory->in_use = false;
  return memory;
}

void Graphs::trim(device::Device& gpu) {
  std::erase_if(memory_, [&](const auto& entry) {
    bool named = entry.second.use_count() > 1;
    if (named || entry.second->in_use) return false;
    (void)gpu.free(entry.first);
    return true;
  });
}

void Graphs::memory_figures(uint64_t* used, uint64_t* reserved) const {
  *used = *reserved = 0;
  for (const auto& [address, memory] : memory_) {
    *reserved += memory->size;
    if (memory->in_use) *used += memory->size;
  }
}

}  // namespace warpwise::cuda
