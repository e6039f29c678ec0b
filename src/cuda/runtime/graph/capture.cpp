#include "cuda/runtime/graph/capture.h"

#include <algorithm>

#include "cuda/runtime/process.h"

namespace warpwise::cuda {

cudaStreamCaptureMode& capture_mode_of_thread() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

Capture* Captures::find(device::StreamId stream) const {
  std::lock_guard lock(mutex_);
  auto found = by_stream_.find(stream);
  return found == by_stream_.end() ? nullptr : found->second;
}

cudaError_t Captures::check_valid(const Capture& capture) const {
  if (capture.valid) return cudaSuccess;
  return fail(cudaErrorStreamCaptureInvalidated,
              "the capture was invalidated by an earlier error; end it with cudaStreamEndCapture");
}

cudaError_t Captures::begin(const CUstream_st& stream, cudaStreamCaptureMode mode, std::shared_ptr<Graph> into,
                            std::vector<GraphNode*> dependencies, std::vector<cudaGraphEdgeData> edges) {
  if (stream.id == 0)
    return fail(cudaErrorStreamCaptureUnsupported, "the legacy default stream cannot be captured; create a stream");
  std::lock_guard lock(mutex_);
  if (find(stream.id)) return fail(cudaErrorIllegalState, "the stream is being captured already");
  auto capture = std::make_unique<Capture>();
  capture->id = next_id_++;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream.id;
  capture->own_graph = !into;
  capture->graph = into ? std::move(into) : std::make_shared<Graph>();
  edges.resize(dependencies.size());
  capture->members[stream.id] = {std::move(dependencies), std::move(edges), (stream.flags & kStreamNonBlocking) == 0};
  by_stream_[stream.id] = capture.get();
  captures_[capture->id] = std::move(capture);
  count_ = captures_.size() + events_.size();
  return cudaSuccess;
}

cudaError_t Captures::end(device::StreamId stream, std::shared_ptr<Graph>* graph) {
  std::lock_guard lock(mutex_);
  *graph = nullptr;
  Capture* capture = find(stream);
  if (!capture) return fail(cudaErrorIllegalState, "the stream is not being captured");
  if (capture->origin != stream) {
    capture->valid = false;
    return fail(cudaErrorStreamCaptureUnmatched, "the capture was begun on another stream and must be ended there");
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    capture->valid = false;
    return fail(cudaErrorStreamCaptureWrongThread,
                "the capture was begun by another thread; only relaxed captures may be ended elsewhere");
  }
  // A stream that took part has been joined when the origin depends, directly or indirectly, on its last nodes.
  cudaError_t error = check_valid(*capture);
  if (error == cudaSuccess) {
    std::unordered_set<const GraphNode*> reached;
    std::vector<GraphNode*> open = capture->members[stream].dependencies;
    while (!open.empty()) {
      GraphNode* node = open.back();
      open.pop_back();
      if (!reached.insert(node).second) continue;
      open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
    }
    for (const auto& [id, member] : capture->members)
      for (GraphNode* last : member.dependencies)
        if (id != stream && !reached.contains(last) && error == cudaSuccess)
          error = fail(cudaErrorStreamCaptureUnjoined,
                       "a stream that waited for an event of the capture was not joined: record an event in it and let "
                       "the origin wait for it");
  }
  for (const auto& [id, member] : capture->members) by_stream_.erase(id);
  for (auto& [event, captured] : events_)  // of no use until they are recorded again
    if (captured.capture == capture->id) captured = {};
  if (error == cudaSuccess) *graph = capture->graph;
  captures_.erase(capture->id);
  count_ = captures_.size() + events_.size();
  return error;
}

// Work of the legacy stream waits for all blocking streams, which a capture cannot express.
cudaError_t Captures::check_legacy(device::StreamId stream) {
  if (stream != 0) return cudaSuccess;
  for (auto& [id, capture] : captures_)
    for (auto& [member_id, member] : capture->members)
      if (member.blocking) {
        capture->valid = false;
        return fail(cudaErrorStreamCaptureImplicit,
                    "work of the legacy default stream would have to wait for a stream that is being captured; use "
                    "another stream, or capture one made with cudaStreamNonBlocking");
      }
  return cudaSuccess;
}

cudaError_t Captures::add(device::StreamId stream, Work work, GraphNode** node) {
  Capture* capture = find(stream);
  CUDA_TRY(check_valid(*capture));
  Capture::Member& member = capture->members[stream];
  std::lock_guard graphs(Process::instance().graphs.mutex);
  CUDA_TRY(add_node(*capture->graph, member.dependencies, member.edges.data(), std::move(work), node));
  member.dependencies = {*node};
  member.edges = {cudaGraphEdgeData{}};
  return cudaSuccess;
}

namespace {

// The node work that does what the command does.
Work work_of(const device::Command& command, const void* function) {
  if (auto* launch = std::get_if<device::Launch>(&command)) {
    KernelWork work;
    work.function = function;
    work.command = *launch;
    if (launch->cooperative) work.attributes[cudaLaunchAttributeCooperative].cooperative = 1;
    return work;
  }
  if (auto* fill = std::get_if<device::Fill>(&command)) {
    return FillWork{{command},
                    {reinterpret_cast<void*>(fill->dst), fill->pitch, fill->value, fill->value_bytes,
                     fill->width / fill->value_bytes, fill->height}};
  }
  if (auto* host = std::get_if<device::HostFunction>(&command)) return HostWork{nullptr, nullptr, host->call};
  if (std::holds_alternative<device::WaitValue>(command) || std::holds_alternative<device::WriteValue>(command))
    return ValueWork{{command}, {}};
  CopyWork work{{command}, {}};
  auto say = [&](const void* dst, const void* src, const device::CopyShape& shape, cudaMemcpyKind kind) {
    auto rows = [](size_t slice, size_t pitch, size_t height) {
      return pitch ? std::max(slice / pitch, height) : height;
    };
    work.description.dstPtr = {const_cast<void*>(dst), shape.dst_pitch, shape.width,
                               rows(shape.dst_slice, shape.dst_pitch, shape.height)};
    work.description.srcPtr = {const_cast<void*>(src), shape.src_pitch, shape.width,
                               rows(shape.src_slice, shape.src_pitch, shape.height)};
    work.description.extent = {shape.width, shape.height, shape.depth};
    work.description.kind = kind;
  };
  auto pointer = [](device::Address address) { return reinterpret_cast<const void*>(address); };
  if (auto* copy = std::get_if<device::CopyToDevice>(&command))
    say(pointer(copy->dst), copy->src, copy->shape, cudaMemcpyHostToDevice);
  if (auto* copy = std::get_if<device::CopyFromDevice>(&command))
    say(copy->dst, pointer(copy->src), copy->shape, cudaMemcpyDeviceToHost);
  if (auto* copy = std::get_if<device::CopyOnDevice>(&command))
    say(pointer(copy->dst), pointer(copy->src), copy->shape, cudaMemcpyDeviceToDevice);
  if (auto* copy = std::get_if<device::CopyOnHost>(&command))
    say(copy->dst, copy->src, copy->shape, cudaMemcpyHostToHost);
  return work;
}

}  // namespace

cudaError_t Captures::add(device::StreamId stream, const device::Command& command, const void* function,
                          bool* captured) {
  std::lock_guard lock(mutex_);
  if (!find(stream)) return check_legacy(stream);
  *captured = true;
  GraphNode* node = nullptr;
  return add(stream, work_of(command, function), &node);
}

// --- events -----------------------------------------------------------------------------------------------

cudaError_t Captures::record(device::StreamId stream, cudaEvent_t event, bool* captured) {
  std::lock_guard lock(mutex_);
  Capture* capture = find(stream);
  if (!capture) {
    forget_event(event);
    return check_legacy(stream);
  }
  *captured = true;
  CUDA_TRY(check_valid(*capture));
  events_[event] = {capture->id, capture->members[stream].dependencies, stream};
  count_ = captures_.size() + events_.size();
  return cudaSuccess;
}

cudaError_t Captures::wait(const CUstream_st& stream, cudaEvent_t event, bool recorded_outside, bool* captured) {
  std::lock_guard lock(mutex_);
  Capture* capture = find(stream.id);
  auto found = events_.find(event);
  if (found == events_.end()) {
    if (!capture) return check_legacy(stream.id);
    *captured = true;
    CUDA_TRY(check_valid(*capture));
    if (!recorded_outside) return cudaSuccess;
    capture->valid = false;
    return fail(cudaErrorStreamCaptureIsolation,
                "the event was recorded outside the capture (cudaEventWaitExternal allows it)");
  }
  *captured = true;
  Capture* theirs = capture_of(found->second);
  if (!theirs) return stale_event();
  if (capture && capture != theirs) {
    capture->valid = theirs->valid = false;
    return fail(cudaErrorStreamCaptureMerge, "the event belongs to another capture; two captures cannot be joined");
  }
  CUDA_TRY(check_valid(*theirs));
  if (!capture) {
    if (stream.id == 0) {
      theirs->valid = false;
      return fail(cudaErrorStreamCaptureImplicit, "the legacy default stream cannot take part in a capture");
    }
    by_stream_[stream.id] = theirs;
    theirs->members[stream.id].blocking = (stream.flags & kStreamNonBlocking) == 0;
  }
  Capture::Member& member = theirs->members[stream.id];
  for (GraphNode* node : found->second.dependencies)
    if (std::find(member.dependencies.begin(), member.dependencies.end(), node) == member.dependencies.end()) {
      member.dependencies.push_back(node);
      member.edges.push_back({});
    }
  return cudaSuccess;
}

cudaError_t Captures::check_event(cudaEvent_t event) const {
  if (!any()) return cudaSuccess;
  std::lock_guard lock(mutex_);
  auto found = events_.find(event);
  if (found == events_.end()) return cudaSuccess;
  Capture* capture = capture_of(found->second);
  if (!capture || !capture->valid) return stale_event();
  capture->valid = false;
  return fail(cudaErrorCapturedEvent,
              "the event was last recorded in a capture; there is nothing to wait for or to query");
}

void Captures::forget_event(cudaEvent_t event) {
  std::lock_guard lock(mutex_);
  events_.erase(event);
  count_ = captures_.size() + events_.size();
}

Capture* Captures::capture_of(const CapturedEvent& event) const {
  auto found = captures_.find(event.capture);
  return found == captures_.end() ? nullptr : found->second.get();
}

cudaError_t Captures::stale_event() const {
  return fail(cudaErrorInvalidValue,
              "the event was last recorded in a capture that has ended or failed; record it again");
}

// --- what must not be called ------------------------------------------------------------------------------

cudaError_t Captures::refuse(device::StreamId stream) {
  if (!any()) return cudaSuccess;
  std::lock_guard lock(mutex_);
  Capture* capture = find(stream);
  if (!capture) {
    CUDA_TRY(check_legacy(stream));
    return check_unsafe();
  }
  capture->valid = false;
  return fail(cudaErrorStreamCaptureUnsupported, "a stream that is being captured cannot be waited for or queried");
}

cudaError_t Captures::refuse_all() {
  if (!any()) return cudaSuccess;
  std::lock_guard lock(mutex_);
  if (captures_.empty()) return cudaSuccess;
  for (auto& [id, capture] : captures_) capture->valid = false;
  return fail(cudaErrorStreamCaptureUnsupported, "the device cannot be waited for while a stream is being captured");
}

cudaError_t Captures::check_unsafe() {
  std::lock_guard lock(mutex_);
  cudaStreamCaptureMode own = capture_mode_of_thread();
  if (own == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  bool refused = false;
  for (auto& [id, capture] : captures_) {
    bool ours = capture->thread == std::this_thread::get_id() && capture->mode != cudaStreamCaptureModeRelaxed;
    bool theirs = own == cudaStreamCaptureModeGlobal && capture->mode == cudaStreamCaptureModeGlobal;
    if (!ours && !theirs) continue;
    capture->valid = false;
    refused = true;
  }
  if (!refused) return cudaSuccess;
  return fail(cudaErrorStreamCaptureUnsupported,
              "the call is not allowed while a stream is being captured (cudaStreamCaptureModeRelaxed allows it)");
}

// --- what programs ask ------------------------------------------------------------------------------------

cudaStreamCaptureStatus Captures::status(device::StreamId stream, Capture* out) const {
  if (!any()) return cudaStreamCaptureStatusNone;
  std::lock_guard lock(mutex_);
  Capture* capture = find(stream);
  if (!capture) return cudaStreamCaptureStatusNone;
  if (out) *out = *capture;
  return capture->valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
}

cudaError_t Captures::set_dependencies(device::StreamId stream, std::vector<GraphNode*> nodes,
                                       std::vector<cudaGraphEdgeData> edges, bool replace) {
  std::lock_guard lock(mutex_);
  Capture* capture = find(stream);
  if (!capture) return fail(cudaErrorIllegalState, "the stream is not being captured");
  CUDA_TRY(check_valid(*capture));
  Capture::Member& member = capture->members[stream];
  if (replace) member = {{}, {}, member.blocking};
  edges.resize(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i]->graph != capture->graph.get())
      return fail(cudaErrorInvalidValue, "node {} belongs to another graph", i);
    if (std::find(member.dependencies.begin(), member.dependencies.end(), nodes[i]) != member.dependencies.end())
      continue;
    member.dependencies.push_back(nodes[i]);
    member.edges.push_back(edges[i]);
  }
  return cudaSuccess;
}

const cudaGraphNode_t* Captures::dependencies_of(device::StreamId stream, size_t* count) {
  std::lock_guard lock(mutex_);
  Capture::Member& member = find(stream)->members[stream];
  *count = member.dependencies.size();
  return member.dependencies.data();
}

const cudaGraphEdgeData* Captures::edges_of(device::StreamId stream) {
  std::lock_guard lock(mutex_);
  return find(stream)->members[stream].edges.data();
}

void Captures::forget_all() {
  std::lock_guard lock(mutex_);
  captures_.clear();
  by_stream_.clear();
  events_.clear();
  count_ = 0;
}

}  // namespace warpwise::cuda
