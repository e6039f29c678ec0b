#include "cuda/runtime/graph/user_object.h"

#include <algorithm>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

namespace warpwise::cuda {

cudaUserObject_t UserObjects::create(void* pointer, cudaHostFn_t destroy, unsigned references) {
  std::lock_guard lock(mutex_);
  auto handle = reinterpret_cast<cudaUserObject_t>(next_++ * 16);
  objects_[handle] = {pointer, destroy, references};
  return handle;
}

cudaError_t UserObjects::check(cudaUserObject_t object) const {
  std::lock_guard lock(mutex_);
  return objects_.contains(object) ? cudaSuccess : fail(cudaErrorInvalidValue, "there is no such user object");
}

cudaError_t UserObjects::retain(cudaUserObject_t object, unsigned count) {
  std::lock_guard lock(mutex_);
  auto found = objects_.find(object);
  if (found == objects_.end() || count == 0)
    return fail(cudaErrorInvalidValue, "there is no such user object, or nothing to retain");
  found->second.references += count;
  return cudaSuccess;
}

cudaError_t UserObjects::release(cudaUserObject_t object, unsigned count) {
  Object last{};
  {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(object);
    if (found == objects_.end() || count == 0 || count > found->second.references)
      return fail(cudaErrorInvalidValue, "there is no such user object, or it has fewer references");
    found->second.references -= count;
    if (found->second.references != 0) return cudaSuccess;
    last = found->second;
    objects_.erase(found);
  }
  last.destroy(last.pointer);
  return cudaSuccess;
}

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy, unsigned references,
                                 unsigned flags) {
  return call("cudaUserObjectCreate", [&](Process& process, device::Device&) -> cudaError_t {
    if (!object || !destroy || references == 0) return fail(cudaErrorInvalidValue, "an argument is null");
    if (flags != 1)
      return fail(cudaErrorInvalidValue, "flags {:#x}: must be cudaUserObjectNoDestructorSync (1)", flags);
    *object = process.user_objects.create(pointer, destroy, references);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return call("cudaUserObjectRetain",
              [&](Process& process, device::Device&) { return process.user_objects.retain(object, count); });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return call("cudaUserObjectRelease",
              [&](Process& process, device::Device&) { return process.user_objects.release(object, count); });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  return call("cudaGraphRetainUserObject", [&](Process& process, device::Device&) -> cudaError_t {
    constexpr unsigned kMove = 1;
    std::lock_guard lock(process.graphs.mutex);
    CUDA_TRY(process.graphs.check(graph));
    CUDA_TRY(process.user_objects.check(object));
    if (count == 0 || (flags & ~kMove))
      return fail(cudaErrorInvalidValue, "no reference, or flags {:#x} that are not defined", flags);
    if (!(flags & kMove)) CUDA_TRY(process.user_objects.retain(object, count));
    graph->user_objects.push_back({object, count});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return call("cudaGraphReleaseUserObject", [&](Process& process, device::Device&) -> cudaError_t {
    std::lock_guard lock(process.graphs.mutex);
    CUDA_TRY(process.graphs.check(graph));
    auto found = std::find_if(graph->user_objects.begin(), graph->user_objects.end(),
                              [&](auto& held) { return held.first == object && held.second >= count; });
    if (found == graph->user_objects.end())
      return fail(cudaErrorInvalidValue, "the graph does not hold that many references");
    found->second -= count;
    if (found->second == 0) graph->user_objects.erase(found);
    return process.user_objects.release(object, count);
  });
}
