// Stream capture: each command that is submitted to a capturing stream becomes a node of a graph.
//
//     cudaStreamBeginCapture(s) ── s: nodes, one after another ─────────────┬─ cudaStreamEndCapture(s, &graph)
//            cudaEventRecord(e, s) ─ cudaStreamWaitEvent(t, e) ─ t: nodes ──┘ joined by an event of t
//
// Each capturing stream has the set of nodes on which its next node depends. An event recorded in it carries that set.
// A stream that waits for the event takes part in the capture from there on, and must be joined with the origin before
// the end. A mistake invalidates the capture: all further calls return cudaErrorStreamCaptureInvalidated until it is
// ended.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cuda/runtime/graph/graph.h"
#include "cuda/runtime/stream/streams.h"

namespace warpwise::cuda {

struct Capture {
  unsigned long long id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  device::StreamId origin = 0;
  std::shared_ptr<Graph> graph;
  bool own_graph = true;  // false: cudaStreamBeginCaptureToGraph
  bool valid = true;
  struct Member {
    std::vector<GraphNode*> dependencies;
    std::vector<cudaGraphEdgeData> edges;
    bool blocking = true;
  };
  std::map<device::StreamId, Member> members;
};

class Captures {
 public:
  bool any() const { return count_.load(std::memory_order_acquire) != 0; }
  bool is_capturing(device::StreamId stream) const { return any() && find(stream) != nullptr; }

  cudaError_t begin(const CUstream_st& stream, cudaStreamCaptureMode mode, std::shared_ptr<Graph> into,
                    std::vector<GraphNode*> dependencies, std::vector<cudaGraphEdgeData> edges);
  // Null for an invalidated capture, in addition to its error.
  cudaError_t end(device::StreamId stream, std::shared_ptr<Graph>* graph);

  // For a command that is submitted to a stream: makes a node if the stream is being captured. Errors: the capture is
  // invalid; the legacy stream would have to wait for a capturing one.
  cudaError_t add(device::StreamId stream, const device::Command& command, const void* function, bool* captured);
  cudaError_t add(device::StreamId stream, Work work, GraphNode** node);

  cudaError_t record(device::StreamId stream, cudaEvent_t event, bool* captured);
  cudaError_t wait(const CUstream_st& stream, cudaEvent_t event, bool recorded_outside, bool* captured);
  // cudaErrorCapturedEvent for an event that was recorded in a capture.
  cudaError_t check_event(cudaEvent_t event) const;
  void forget_event(cudaEvent_t event);

  // For calls on this stream that a capture cannot contain, because they wait or query whether work is done.
  cudaError_t refuse(device::StreamId stream);
  // For calls that wait for all streams: no capture mode allows them.
  cudaError_t refuse_all();
  // For calls that may be unsafe during a capture (CUDA runtime API, cudaThreadExchangeStreamCaptureMode).
  cudaError_t allow_unsafe() { return any() ? check_unsafe() : cudaSuccess; }

  cudaStreamCaptureStatus status(device::StreamId stream, Capture* out = nullptr) const;
  cudaError_t set_dependencies(device::StreamId stream, std::vector<GraphNode*> nodes,
                               std::vector<cudaGraphEdgeData> edges, bool replace);
  // What cudaStreamGetCaptureInfo points to; valid until the next call for the stream.
  const cudaGraphNode_t* dependencies_of(device::StreamId stream, size_t* count);
  const cudaGraphEdgeData* edges_of(device::StreamId stream);

  void forget_all();

 private:
  struct CapturedEvent {
    unsigned long long capture = 0;
    std::vector<GraphNode*> dependencies;
    device::StreamId stream = 0;
  };

  Capture* find(device::StreamId stream) const;
  Capture* capture_of(const CapturedEvent& event) const;  // null: it has ended
  cudaError_t stale_event() const;
  cudaError_t check_unsafe();
  cudaError_t check_valid(const Capture& capture) const;
  cudaError_t check_legacy(device::StreamId stream);

  mutable std::recursive_mutex mutex_;
  std::atomic<size_t> count_{0};  // of captures, and of events that remember one
  std::map<unsigned long long, std::unique_ptr<Capture>> captures_;
  std::map<device::StreamId, Capture*> by_stream_;
  std::map<cudaEvent_t, CapturedEvent> events_;
  unsigned long long next_id_ = 1;
};

// How the calling thread treats unsafe calls (cudaThreadExchangeStreamCaptureMode).
cudaStreamCaptureMode& capture_mode_of_thread();

}  // namespace warpwise::cuda
