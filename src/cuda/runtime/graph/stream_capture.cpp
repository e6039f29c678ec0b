// The API functions of stream capture (capture.h).
#include "cuda/runtime/api.h"
#include "cuda/runtime/graph/graph_call.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

cudaError_t check_mode(cudaStreamCaptureMode mode) {
  return mode <= cudaStreamCaptureModeRelaxed
             ? cudaSuccess
             : fail(cudaErrorInvalidValue, "{} is not a capture mode", static_cast<unsigned>(mode));
}

cudaError_t collect(Process& process, const cudaGraphNode_t* nodes, const cudaGraphEdgeData* data, size_t count,
                    std::vector<GraphNode*>* out, std::vector<cudaGraphEdgeData>* edges) {
  if (count && !nodes) return fail(cudaErrorInvalidValue, "the list of nodes is null");
  for (size_t i = 0; i < count; ++i) CUDA_TRY(process.graphs.check(nodes[i]));
  out->assign(nodes, nodes + count);
  if (data) edges->assign(data, data + count);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return graph_call("cudaStreamBeginCapture", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_mode(mode));
    CUstream_st found;
    CUDA_TRY(process.streams.find(gpu, stream, &found));
    return process.captures.begin(found, mode, nullptr, {}, {});
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* data, size_t count, cudaStreamCaptureMode mode) {
  return graph_call("cudaStreamBeginCaptureToGraph", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_mode(mode));
    CUDA_TRY(process.graphs.check(graph));
    CUstream_st found;
    CUDA_TRY(process.streams.find(gpu, stream, &found));
    std::vector<GraphNode*> nodes;
    std::vector<cudaGraphEdgeData> edges;
    CUDA_TRY(collect(process, dependencies, data, count, &nodes, &edges));
    for (GraphNode* node : nodes)
      if (node->graph != graph) return fail(cudaErrorInvalidValue, "a dependency is a node of another graph");
    return process.captures.begin(found, mode, process.graphs.share(*graph), std::move(nodes), std::move(edges));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return graph_call("cudaStreamEndCapture", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (graph) *graph = nullptr;
    CUstream_st found;
    CUDA_TRY(process.streams.find(gpu, stream, &found));
    Capture capture;
    process.captures.status(found.id, &capture);
    if (!graph && capture.own_graph) return fail(cudaErrorInvalidValue, "the pointer for the graph is null");
    std::shared_ptr<Graph> captured;
    CUDA_TRY(process.captures.end(found.id, &captured));
    // A capture into an existing graph need not return the graph.
    if (graph) *graph = process.graphs.adopt(std::move(captured));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return graph_call("cudaStreamIsCapturing", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!status) return fail(cudaErrorInvalidValue, "the result pointer is null");
    CUstream_st found;
    CUDA_TRY(process.streams.find(gpu, stream, &found));
    *status = process.captures.status(found.id);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo_cuda13(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                            size_t* count) {
  return graph_call("cudaStreamGetCaptureInfo", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!status) return fail(cudaErrorInvalidValue, "the pointer for the status is null");
    CUstream_st found;
    CUDA_TRY(process.streams.find(gpu, stream, &found));
    Capture capture;
    *status = process.captures.status(found.id, &capture);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = capture.id;
    if (graph) {
      process.graphs.note(*capture.graph);
      *graph = capture.graph.get();
    }
    size_t number = 0;
    const cudaGraphNode_t* nodes = process.captures.dependencies_of(found.id, &number);
    if (dependencies) *dependencies = nodes;
    if (edges) *edges = process.captures.edges_of(found.id);
    if (count) *count = number;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id) {
  return cudaStreamGetCaptureInfo_cuda13(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count) {
  return cudaStreamGetCaptureInfo_cuda13(stream, status, id, graph, dependencies, nullptr, count);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                        const cudaGraphEdgeData** edges, size_t* count) {
  return cudaStreamGetCaptureInfo_cuda13(stream, status, id, graph, dependencies, edges, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies_cuda13(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                       const cudaGraphEdgeData* data, size_t count, unsigned flags) {
  return graph_call("cudaStreamUpdateCaptureDependencies", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (flags > 1)
      return fail(cudaErrorInvalidValue, "flags {:#x}: cudaStreamAddCaptureDependencies (0) or Set (1)", flags);
    CUstream_st found;
    CUDA_TRY(process.streams.find(gpu, stream, &found));
    std::vector<GraphNode*> nodes;
    std::vector<cudaGraphEdgeData> edges;
    CUDA_TRY(collect(process, dependencies, data, count, &nodes, &edges));
    return process.captures.set_dependencies(found.id, std::move(nodes), std::move(edges), flags == 1);
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, size_t count,
                                                unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_cuda13(stream, dependencies, nullptr, count, flags);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                   const cudaGraphEdgeData* data, size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_cuda13(stream, dependencies, data, count, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call_without_device("cudaThreadExchangeStreamCaptureMode", [&]() -> cudaError_t {
    if (!mode) return fail(cudaErrorInvalidValue, "the pointer for the mode is null");
    CUDA_TRY(check_mode(*mode));
    std::swap(*mode, capture_mode_of_thread());
    return cudaSuccess;
  });
}
