#include "cuda/runtime/batch.h"

#include <cstdint>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/copy.h"

namespace warpwise::cuda {

cudaError_t check_batch_stream(Process& process, device::Device& gpu, cudaStream_t stream) {
  device::StreamId id = 0;
  CUDA_TRY(process.streams.find(gpu, stream, &id));
  return id == 0 ? fail(cudaErrorInvalidValue, "a batch does not go to the legacy default stream; create a stream") : cudaSuccess;
}

cudaError_t check_runs(const Runs& runs, size_t operations) {
  if (!runs.values || !runs.first || runs.count == 0) return fail(cudaErrorInvalidValue, "every operation wants its {}", runs.what);
  if (runs.count > operations) return fail(cudaErrorInvalidValue, "{} {} for {} operations", runs.count, runs.what, operations);
  for (size_t k = 0; k < runs.count; ++k) {
    if (k == 0 ? runs.first[0] == 0 : runs.first[k] > runs.first[k - 1] && runs.first[k] < operations) continue;
    return fail(cudaErrorInvalidValue, "{} number {} begin at operation {}: the first begin at 0, the others behind those before, within {}", runs.what, k,
                runs.first[k], operations);
  }
  return cudaSuccess;
}

namespace {

// `failed`: which copy, or SIZE_MAX; may be null.
cudaError_t copy_batch(void* const* dsts, const void* const* srcs, const size_t* sizes, size_t count, const cudaMemcpyAttributes* attributes,
                       const size_t* first, size_t runs, size_t* failed, cudaStream_t stream) {
  return call("cudaMemcpyBatchAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (failed) *failed = SIZE_MAX;
    if (!dsts || !srcs || !sizes || count == 0) return fail(cudaErrorInvalidValue, "an empty batch");
    CUDA_TRY(check_batch_stream(process, gpu, stream));
    CUDA_TRY(check_runs({"attributes", attributes, first, runs}, count));
    for (size_t k = 0; k < runs; ++k) {
      const cudaMemcpySrcAccessOrder order = attributes[k].srcAccessOrder;
      if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny)
        return fail(cudaErrorInvalidValue, "attributes number {} have {} for the order of accesses to the source", k, static_cast<unsigned>(order));
    }
    // The order of the stream is one that all three orders allow: pageable sources have been read when the call returns.
    for (size_t k = 0; k < count; ++k) {
      if (failed) *failed = k;
      CUDA_TRY(copy(process, gpu, {dsts[k], srcs[k], {.width = sizes[k], .dst_pitch = sizes[k], .src_pitch = sizes[k]}, cudaMemcpyDefault, stream, CopyMode::Async}));
    }
    if (failed) *failed = SIZE_MAX;
    return cudaSuccess;
  });
}

}  // namespace

}  // namespace warpwise::cuda

using namespace warpwise::cuda;

cudaError_t cudaMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count, cudaMemcpyAttributes* attrs, size_t* attrs_idxs, size_t num_attrs,
                                 size_t* fail_idx, cudaStream_t stream) {
  return copy_batch(dsts, srcs, sizes, count, attrs, attrs_idxs, num_attrs, fail_idx, stream);
}

cudaError_t cudaMemcpyBatchAsync_cuda13(void* const* dsts, const void* const* srcs, const size_t* sizes, size_t count, cudaMemcpyAttributes* attrs,
                                        size_t* attrs_idxs, size_t num_attrs, cudaStream_t stream) {
  return copy_batch(dsts, srcs, sizes, count, attrs, attrs_idxs, num_attrs, nullptr, stream);
}
