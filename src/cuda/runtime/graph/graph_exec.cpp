#include "cuda/runtime/graph/graph_exec.h"

#include "cuda/runtime/call.h"
#include "cuda/runtime/graph/submission.h"
#include "cuda/runtime/memory/places.h"

namespace warpwise::cuda {

cudaGraphExec_t GraphExecs::add(std::unique_ptr<GraphExec> exec) {
  GraphExec* handle = exec.get();
  execs_.emplace(handle, std::move(exec));
  return handle;
}

cudaError_t GraphExecs::check(cudaGraphExec_t exec) const {
  if (exec && execs_.contains(exec)) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "the executable graph is null, was never made, or has been destroyed");
}

cudaError_t GraphExecs::destroy(cudaGraphExec_t exec) {
  CUDA_TRY(check(exec));
  execs_.erase(exec);
  return cudaSuccess;
}

namespace {

constexpr unsigned long long kAutoFreeOnLaunch = 1, kUpload = 2, kDeviceLaunch = 4, kUseNodePriority = 8;

// Appends the nodes that run; false when there is a cycle.
bool flatten(Graph& graph, std::vector<GraphNode*>* order) {
  std::vector<GraphNode*> sorted;
  if (!sort_nodes(graph, &sorted)) return false;
  for (GraphNode* node : sorted) {
    if (auto* child = std::get_if<ChildWork>(&node->work)) {
      if (!flatten(*child->graph, order)) return false;
    } else {
      order->push_back(node);
    }
  }
  return true;
}

void pair_with_origins(Graph& graph, std::unordered_map<const GraphNode*, GraphNode*>* copies) {
  for (auto& node : graph.nodes) {
    (*copies)[node->origin] = node.get();
    if (auto* child = std::get_if<ChildWork>(&node->work)) pair_with_origins(*child->graph, copies);
    if (auto* conditional = std::get_if<ConditionalWork>(&node->work))
      for (auto& body : conditional->bodies) pair_with_origins(*body, copies);
  }
}

}  // namespace

cudaError_t instantiate(Process& process, Graph& graph, unsigned long long flags, cudaGraphInstantiateResult* result,
                        GraphNode** failing, cudaGraphExec_t* out) {
  *result = cudaGraphInstantiateError;
  *failing = nullptr;
  if (flags & ~(kAutoFreeOnLaunch | kUpload | kDeviceLaunch | kUseNodePriority))
    return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
  if ((flags & kDeviceLaunch) && (flags & kAutoFreeOnLaunch))
    return fail(cudaErrorInvalidValue, "a graph launched by the device cannot free its memory at each launch");
  auto exec = std::make_unique<GraphExec>();
  exec->flags = flags;
  exec->graph = copy_graph(graph);
  for (auto [object, count] : graph.user_objects) {
    CUDA_TRY(process.user_objects.retain(object, count));
    exec->graph->user_objects.push_back({object, count});
  }
  if (!flatten(*exec->graph, &exec->order)) {
    *result = cudaGraphInstantiateInvalidStructure;
    return fail(cudaErrorInvalidValue, "the dependencies of the nodes form a cycle");
  }
  pair_with_origins(*exec->graph, &exec->copies);
  *result = cudaGraphInstantiateSuccess;
  *out = process.graph_execs.add(std::move(exec));
  return cudaSuccess;
}

// --- launching --------------------------------------------------------------------------------------------

namespace {

device::Command command_of(const HostWork& host) {
  if (host.call) return device::HostFunction{host.call};
  return device::HostFunction{[function = host.function, data = host.data] {
    InsideHostFunction scope;
    function(data);
  }};
}

// Executes a node of a conditional's body, in the middle of the device's work.
device::Status run_nodes(device::Device& gpu, const std::vector<GraphNode*>& order);

device::Status run_conditional(device::Device& gpu, const ConditionalWork& work) {
  std::vector<std::vector<GraphNode*>> bodies(work.bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i)
    if (!flatten(*work.bodies[i], &bodies[i]))
      return {device::Failure::InvalidValue, "the dependencies of a body's nodes form a cycle"};
  auto& value = *reinterpret_cast<const volatile unsigned*>(work.handle);
  switch (work.type) {
    case cudaGraphCondTypeIf:
      if (value != 0) return run_nodes(gpu, bodies[0]);
      return bodies.size() > 1 ? run_nodes(gpu, bodies[1]) : device::Status::success();
    case cudaGraphCondTypeWhile:
      while (value != 0)
        if (device::Status status = run_nodes(gpu, bodies[0]); !status.ok()) return status;
      return {};
    case cudaGraphCondTypeSwitch:
      return value < bodies.size() ? run_nodes(gpu, bodies[value]) : device::Status::success();
  }
  return {};
}

device::Status run_nodes(device::Device& gpu, const std::vector<GraphNode*>& order) {
  for (GraphNode* node : order) {
    if (!node->enabled) continue;
    device::Status status;
    auto run = [&](const std::vector<device::Command>& commands) {
      for (const device::Command& command : commands)
        if (status.ok()) status = gpu.run_inside(command);
    };
    if (auto* kernel = std::get_if<KernelWork>(&node->work))
      status = gpu.run_inside(kernel->command);
    else if (auto* copy = std::get_if<CopyWork>(&node->work))
      run(copy->commands);
    else if (auto* fill = std::get_if<FillWork>(&node->work))
      run(fill->commands);
    else if (auto* values = std::get_if<ValueWork>(&node->work))
      run(values->commands);
    else if (auto* conditional = std::get_if<ConditionalWork>(&node->work))
      status = run_conditional(gpu, *conditional);
    if (!status.ok()) return status;
  }
  return {};
}

struct Launcher {
  Process& process;
  device::Device& gpu;
  device::StreamId stream;
  std::shared_ptr<Graph> graph;

  cudaError_t submit_all(const std::vector<device::Command>& commands) {
    for (const device::Command& command : commands) CUDA_TRY(fail(gpu.submit(stream, command)));
    return cudaSuccess;
  }
  cudaError_t operator()(const KernelWork& work) { return fail(gpu.submit(stream, work.command)); }
  cudaError_t operator()(const CopyWork& work) { return submit_all(work.commands); }
  cudaError_t operator()(const FillWork& work) { return submit_all(work.commands); }
  cudaError_t operator()(const HostWork& work) { return fail(gpu.submit(stream, command_of(work))); }
  cudaError_t operator()(const ValueWork& work) { return submit_all(work.commands); }
  cudaError_t operator()(const ChildWork&) { return cudaSuccess; }
  cudaError_t operator()(const EmptyWork&) { return cudaSuccess; }
  cudaError_t operator()(const WaitWork& work) {
    CUevent_st event;
    CUDA_TRY(process.events.find(work.event, &event));
    return submit_wait(gpu, stream, event);
  }
  cudaError_t operator()(const RecordWork& work) {
    CUevent_st event;
    CUDA_TRY(process.events.find(work.event, &event));
    return submit_record(gpu, stream, event);
  }
  cudaError_t operator()(const AllocateWork& work) {
    work.memory->in_use = true;
    uint64_t used, reserved;
    process.graphs.memory_figures(&used, &reserved);
    process.graphs.used_high = std::max(process.graphs.used_high, used);
    return report_lifetime(*work.memory, false);
  }
  cudaError_t operator()(const FreeWork& work) {
    auto memory = process.graphs.freed_by_program(reinterpret_cast<device::Address>(work.pointer));
    return memory ? report_lifetime(*memory, true) : cudaSuccess;
  }
  cudaError_t report_lifetime(const GraphMemory& memory, bool ends) {
    return process.checks.on() ? fail(gpu.submit(stream, device::Lifetime{memory.address, memory.size, ends}))
                               : cudaSuccess;
  }
  // The device's own thread evaluates the condition when it gets there; the graph stays alive until then.
  cudaError_t operator()(const ConditionalWork& work) {
    auto evaluate = [&gpu = gpu, &work, keep = graph] { gpu.fail_inside(run_conditional(gpu, work)); };
    return fail(gpu.submit(stream, device::HostFunction{.call = std::move(evaluate), .runs_commands = true}));
  }
};

// Host memory that CUDA does not know may change, or be read, once the call that copies has returned: for a copy on a
// stream (memory/copy.h), and for one in a graph. (Programs read what such a graph has copied behind cudaGraphLaunch.)
bool touches_pageable_memory(Process& process, device::Device& gpu, const GraphNode& node) {
  const auto* copy = std::get_if<CopyWork>(&node.work);
  if (!copy || !node.enabled) return false;
  const auto is_pageable = [&](const void* host) { return locate(process, gpu, host).pageable; };
  return std::any_of(copy->commands.begin(), copy->commands.end(), [&](const device::Command& command) {
    if (auto* to_device = std::get_if<device::CopyToDevice>(&command)) return is_pageable(to_device->src);
    if (auto* from_device = std::get_if<device::CopyFromDevice>(&command)) return is_pageable(from_device->dst);
    return std::holds_alternative<device::CopyOnHost>(command);
  });
}

}  // namespace

cudaError_t launch_graph(Process& process, device::Device& gpu, GraphExec& exec, device::StreamId stream) {
  for (GraphNode* node : exec.order)
    if (auto* work = std::get_if<AllocateWork>(&node->work); work && work->memory->in_use) {
      if (!(exec.flags & kAutoFreeOnLaunch))
        return fail(cudaErrorInvalidValue,
                    "memory that the last launch allocated has not been freed "
                    "(cudaGraphInstantiateFlagAutoFreeOnLaunch would)");
      work->memory->in_use = false;
    }
  Launcher launcher{process, gpu, stream, exec.graph};
  for (const Condition& condition : exec.graph->conditions)
    if (condition.assign_default)
      CUDA_TRY(fail(gpu.submit(stream, device::Fill{condition.handle, condition.value, 4, 4, 1, 4})));
  // In a single stream a node that waits would block the node that writes the awaited value.
  const bool waits = std::any_of(exec.order.begin(), exec.order.end(),
                                 [](const GraphNode* node) { return std::holds_alternative<ValueWork>(node->work); });
  if (process.checks.on() || waits) {
    if (!exec.branches) exec.branches = std::make_unique<GraphBranches>(gpu, *exec.graph, exec.order);
    CUDA_TRY(fail(exec.branches->begin(stream)));
  }
  for (GraphNode* node : exec.order) {
    if (exec.branches) CUDA_TRY(fail(exec.branches->enter(*node, &launcher.stream)));
    if (node->enabled) CUDA_TRY(std::visit(launcher, node->work));
    if (exec.branches) CUDA_TRY(fail(exec.branches->leave(*node)));
  }
  if (exec.branches) CUDA_TRY(fail(exec.branches->end()));
  const bool waits_for_host = std::any_of(exec.order.begin(), exec.order.end(), [&](const GraphNode* node) {
    return touches_pageable_memory(process, gpu, *node);
  });
  // The checkers are not told: what else the graph does is not ordered before the host by this.
  return waits_for_host ? fail(gpu.wait(stream)) : cudaSuccess;
}

// --- updating ---------------------------------------------------------------------------------------------

namespace {

cudaError_t update_nodes(Graph& mine, Graph& theirs, cudaGraphExecUpdateResultInfo* info) {
  auto differs = [&](cudaGraphExecUpdateResult result, cudaGraphNode_t node, cudaGraphNode_t from, const char* why) {
    *info = {result, node, from};
    return fail(cudaErrorGraphExecUpdateFailure, "{}", why);
  };
  if (mine.nodes.size() != theirs.nodes.size())
    return differs(cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr,
                   "the graphs have different numbers of nodes");
  std::unordered_map<const GraphNode*, const GraphNode*> pairs;  // theirs to mine
  for (size_t i = 0; i < mine.nodes.size(); ++i) pairs[theirs.nodes[i].get()] = mine.nodes[i].get();
  for (size_t i = 0; i < mine.nodes.size(); ++i) {
    GraphNode &old = *mine.nodes[i], &fresh = *theirs.nodes[i];
    if (old.dependencies.size() != fresh.dependencies.size())
      return differs(cudaGraphExecUpdateErrorTopologyChanged, &fresh, nullptr,
                     "a node has another number of dependencies");
    for (size_t d = 0; d < old.dependencies.size(); ++d)
      if (std::find(old.dependencies.begin(), old.dependencies.end(), pairs[fresh.dependencies[d]]) ==
          old.dependencies.end())
        return differs(cudaGraphExecUpdateErrorTopologyChanged, &fresh, fresh.dependencies[d],
                       "a node depends on another node");
    if (type_of(old.work) != type_of(fresh.work))
      return differs(cudaGraphExecUpdateErrorNodeTypeChanged, &fresh, nullptr, "a node has another type");
    if (std::holds_alternative<AllocateWork>(old.work) || std::holds_alternative<ConditionalWork>(old.work))
      if (fresh.graph != old.graph->origin)
        return differs(cudaGraphExecUpdateErrorNotSupported, &fresh, nullptr,
                       "allocations and conditionals cannot be updated");
    if (auto *kernel = std::get_if<KernelWork>(&old.work), *other = std::get_if<KernelWork>(&fresh.work);
        kernel && kernel->command.cooperative != other->command.cooperative)
      return differs(cudaGraphExecUpdateErrorAttributesChanged, &fresh, nullptr,
                     "a kernel is cooperative in one graph only");
    if (auto* child = std::get_if<ChildWork>(&old.work))
      CUDA_TRY(update_nodes(*child->graph, *std::get<ChildWork>(fresh.work).graph, info));
  }
  return cudaSuccess;
}

void take_over(Graph& mine, Graph& theirs) {
  for (size_t i = 0; i < mine.nodes.size(); ++i) {
    GraphNode &old = *mine.nodes[i], &fresh = *theirs.nodes[i];
    if (auto* child = std::get_if<ChildWork>(&old.work))
      take_over(*child->graph, *std::get<ChildWork>(fresh.work).graph);
    else if (!std::holds_alternative<AllocateWork>(old.work) && !std::holds_alternative<ConditionalWork>(old.work))
      old.work = fresh.work;
  }
}

}  // namespace

cudaError_t update(GraphExec& exec, Graph& graph, cudaGraphExecUpdateResultInfo* info) {
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  CUDA_TRY(update_nodes(*exec.graph, graph, info));
  take_over(*exec.graph, graph);
  return cudaSuccess;
}

cudaError_t find_copy(Process& process, cudaGraphExec_t exec, cudaGraphNode_t node, GraphNode** out) {
  CUDA_TRY(process.graph_execs.check(exec));
  auto found = exec->copies.find(node);
  if (found == exec->copies.end())
    return fail(cudaErrorInvalidValue, "the node does not belong to the instantiated graph");
  *out = found->second;
  return cudaSuccess;
}

}  // namespace warpwise::cuda
