// Streams: the runtime's, under the driver's names.
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaLaunchAttributeValue));

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return forward("cuStreamCreate", [&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return forward("cuStreamCreateWithPriority", [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  return forward("cuStreamDestroy", [&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return forward("cuStreamGetPriority", [&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return forward("cuStreamGetFlags", [&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return forward("cuStreamGetId", [&] { return cudaStreamGetId(stream, id); });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return forward("cuStreamGetDevice", [&] { return cudaStreamGetDevice(stream, device); });
}

// Streams belong to devices here, so the stream's context is the current one if that is on the stream's device.
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return forward("cuStreamGetCtx", [&]() -> cudaError_t {
    CUDA_TRY(check_out(context));
    int device = 0;
    CUDA_TRY(cudaStreamGetDevice(stream, &device));
    *context = Contexts::instance().current();
    return cudaSuccess;
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return forward("cuStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return forward("cuStreamQuery", [&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return forward("cuStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event, flags); });
}

// The status of a callback is an int in both APIs, and its only possible value is the same.
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data, unsigned flags) {
  return forward("cuStreamAddCallback", [&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), user_data, flags);
  });
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return forward("cuStreamGetAttribute", [&] {
    return cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<cudaLaunchAttributeValue*>(value));
  });
}
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
  return forward("cuStreamSetAttribute", [&] {
    return cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<const cudaLaunchAttributeValue*>(value));
  });
}
CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
  return forward("cuStreamCopyAttributes", [&] { return cudaStreamCopyAttributes(dst, src); });
}

// --- capture --------------------------------------------------------------------------------------
namespace {

cudaStreamCaptureMode runtime_mode(CUstreamCaptureMode mode) { return static_cast<cudaStreamCaptureMode>(mode); }
const cudaGraphEdgeData* runtime_edges(const CUgraphEdgeData* edges) {
  return reinterpret_cast<const cudaGraphEdgeData*>(edges);
}

CUresult capture_info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                      const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count) {
  return forward("cuStreamGetCaptureInfo", [&]() -> cudaError_t {
    unsigned long long number = 0;
    CUDA_TRY(cudaStreamGetCaptureInfo_v3(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status), &number, graph,
                                         dependencies, reinterpret_cast<const cudaGraphEdgeData**>(edges), count));
    if (id && *status == CU_STREAM_CAPTURE_STATUS_ACTIVE) *id = number;
    return cudaSuccess;
  });
}

CUresult update_dependencies(CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* edges, size_t count,
                             unsigned flags) {
  return forward("cuStreamUpdateCaptureDependencies", [&] {
    return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, runtime_edges(edges), count, flags);
  });
}

}  // namespace

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return forward("cuStreamBeginCapture", [&] { return cudaStreamBeginCapture(stream, runtime_mode(mode)); });
}
// CUDA 10.0's form has no mode; it uses the strictest one.
CUresult cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies,
                                     const CUgraphEdgeData* edges, size_t count, CUstreamCaptureMode mode) {
  return forward("cuStreamBeginCaptureToGraph", [&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, runtime_edges(edges), count, runtime_mode(mode));
  });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return forward("cuStreamEndCapture", [&] { return cudaStreamEndCapture(stream, graph); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return forward("cuStreamIsCapturing",
                 [&] { return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status)); });
}
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return capture_info(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, nullptr, count);
}
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, edges, count);
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count, unsigned flags) {
  return update_dependencies(stream, dependencies, nullptr, count, flags);
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                              size_t count, unsigned flags) {
  return update_dependencies(stream, dependencies, edges, count, flags);
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return forward("cuThreadExchangeStreamCaptureMode",
                 [&] { return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode)); });
}
