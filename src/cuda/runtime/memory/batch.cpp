#include "cuda/runtime/memory/batch.h"

#include <cstdint>
#include <vector>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory/array_copy.h"
#include "cuda/runtime/memory/copy.h"

namespace warpwise::cuda {

cudaError_t check_batch_stream(Process& process, device::Device& gpu, cudaStream_t stream) {
  device::StreamId id = 0;
  CUDA_TRY(process.streams.find(gpu, stream, &id));
  return id == 0 ? fail(cudaErrorInvalidValue, "a batch does not go to the legacy default stream; create a stream")
                 : cudaSuccess;
}

cudaError_t check_runs(const Runs& runs, size_t operations) {
  if (!runs.values || !runs.first || runs.count == 0)
    return fail(cudaErrorInvalidValue, "every operation needs its {}", runs.what);
  if (runs.count > operations)
    return fail(cudaErrorInvalidValue, "{} {} for {} operations", runs.count, runs.what, operations);
  for (size_t k = 0; k < runs.count; ++k) {
    if (k == 0 ? runs.first[0] == 0 : runs.first[k] > runs.first[k - 1] && runs.first[k] < operations) continue;
    return fail(cudaErrorInvalidValue,
                "{} number {} begin at operation {}: the first begin at 0, the others in ascending order below {}",
                runs.what, k, runs.first[k], operations);
  }
  return cudaSuccess;
}

namespace {

// `failed` receives the number of the failing copy, or SIZE_MAX; it may be null.
cudaError_t copy_batch(void* const* dsts, const void* const* srcs, const size_t* sizes, size_t count,
                       const cudaMemcpyAttributes* attributes, const size_t* first, size_t runs, size_t* failed,
                       cudaStream_t stream) {
  return call("cudaMemcpyBatchAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (failed) *failed = SIZE_MAX;
    if (!dsts || !srcs || !sizes || count == 0) return fail(cudaErrorInvalidValue, "an empty batch");
    CUDA_TRY(check_batch_stream(process, gpu, stream));
    CUDA_TRY(check_runs({"attributes", attributes, first, runs}, count));
    for (size_t k = 0; k < runs; ++k) {
      const cudaMemcpySrcAccessOrder order = attributes[k].srcAccessOrder;
      if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny)
        return fail(cudaErrorInvalidValue, "attributes number {} have {} for the order of accesses to the source", k,
                    static_cast<unsigned>(order));
    }
    // Stream order satisfies all three access orders: pageable sources have been read when the call returns.
    for (size_t k = 0; k < count; ++k) {
      if (failed) *failed = k;
      CUDA_TRY(copy(process, gpu,
                    {dsts[k],
                     srcs[k],
                     {.width = sizes[k], .dst_pitch = sizes[k], .src_pitch = sizes[k]},
                     cudaMemcpyDefault,
                     stream,
                     CopyMode::Async}));
    }
    if (failed) *failed = SIZE_MAX;
    return cudaSuccess;
  });
}

// One side of a box. `texel`: the bytes of an element. A length of 0 means as tight as the copy.
cudaError_t place_operand(const cudaMemcpy3DOperand& operand, const char* what, const cudaExtent& extent, size_t texel,
                          cudaArray_t* array, cudaPos* at, cudaPitchedPtr* memory) {
  switch (operand.type) {
    case cudaMemcpyOperandTypePointer: {
      const auto& p = operand.op.ptr;
      const size_t row = p.rowLength ? p.rowLength : extent.width, rows = p.layerHeight ? p.layerHeight : extent.height;
      if (!p.ptr) return fail(cudaErrorInvalidValue, "{} is null", what);
      if (row < extent.width || rows < extent.height)
        return fail(cudaErrorInvalidValue, "{}: rows of {} and layers of {} rows for a copy of {} by {}", what, row,
                    rows, extent.width, extent.height);
      *memory = {p.ptr, row * texel, row * texel, rows};
      return cudaSuccess;
    }
    case cudaMemcpyOperandTypeArray:
      *array = operand.op.array.array;
      *at = {operand.op.array.offset.x, operand.op.array.offset.y, operand.op.array.offset.z};
      return *array ? cudaSuccess : fail(cudaErrorInvalidValue, "{}: the array is null", what);
  }
  return fail(cudaErrorInvalidValue, "{}: {} is neither a pointer (1) nor an array (2)", what,
              static_cast<unsigned>(operand.type));
}

cudaError_t describe(Process& process, const cudaMemcpy3DBatchOp& operation, cudaMemcpy3DParms* out) {
  if (operation.srcAccessOrder < cudaMemcpySrcAccessOrderStream ||
      operation.srcAccessOrder > cudaMemcpySrcAccessOrderAny)
    return fail(cudaErrorInvalidValue, "{} for the order of accesses to the source",
                static_cast<unsigned>(operation.srcAccessOrder));
  const cudaExtent& extent = operation.extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0)
    return fail(cudaErrorInvalidValue, "a copy of {} by {} by {}", extent.width, extent.height, extent.depth);
  size_t texel = 0;  // of the array, if one takes part
  for (const cudaMemcpy3DOperand* operand : {&operation.src, &operation.dst}) {
    if (operand->type != cudaMemcpyOperandTypeArray || !operand->op.array.array) continue;
    size_t bytes = 0;
    CUDA_TRY(texel_bytes(process, operand->op.array.array, &bytes));
    if (texel != 0 && bytes != texel)
      return fail(cudaErrorInvalidValue, "arrays with elements of {} and of {} bytes", texel, bytes);
    texel = bytes;
  }
  if (texel == 0) texel = 1;
  *out = {};
  CUDA_TRY(place_operand(operation.src, "src", extent, texel, &out->srcArray, &out->srcPos, &out->srcPtr));
  CUDA_TRY(place_operand(operation.dst, "dst", extent, texel, &out->dstArray, &out->dstPos, &out->dstPtr));
  out->extent = extent;
  out->kind = cudaMemcpyDefault;
  return cudaSuccess;
}

// All operations are checked before the first is submitted.
cudaError_t copy_boxes(size_t count, const cudaMemcpy3DBatchOp* operations, size_t* failed, unsigned long long flags,
                       cudaStream_t stream) {
  return call("cudaMemcpy3DBatchAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (failed) *failed = SIZE_MAX;
    if (!operations || count == 0) return fail(cudaErrorInvalidValue, "an empty batch");
    if (flags != 0) return fail(cudaErrorInvalidValue, "the flags of a batch must be 0, not {:#x}", flags);
    CUDA_TRY(check_batch_stream(process, gpu, stream));
    std::vector<cudaMemcpy3DParms> boxes(count);
    for (size_t k = 0; k < count; ++k) {
      if (failed) *failed = k;
      CUDA_TRY(describe(process, operations[k], &boxes[k]));
    }
    for (size_t k = 0; k < count; ++k) {
      if (failed) *failed = k;
      CUDA_TRY(cudaMemcpy3DAsync(&boxes[k], stream));
    }
    if (failed) *failed = SIZE_MAX;
    return cudaSuccess;
  });
}

}  // namespace

}  // namespace warpwise::cuda

using namespace warpwise::cuda;

cudaError_t cudaMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count, cudaMemcpyAttributes* attrs,
                                 size_t* attrs_idxs, size_t num_attrs, size_t* fail_idx, cudaStream_t stream) {
  return copy_batch(dsts, srcs, sizes, count, attrs, attrs_idxs, num_attrs, fail_idx, stream);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* operations, size_t* fail_idx,
                                   unsigned long long flags, cudaStream_t stream) {
  return copy_boxes(count, operations, fail_idx, flags, stream);
}

cudaError_t cudaMemcpy3DBatchAsync_cuda13(size_t count, cudaMemcpy3DBatchOp* operations, unsigned long long flags,
                                          cudaStream_t stream) {
  return copy_boxes(count, operations, nullptr, flags, stream);
}

cudaError_t cudaMemcpyBatchAsync_cuda13(void* const* dsts, const void* const* srcs, const size_t* sizes, size_t count,
                                        cudaMemcpyAttributes* attrs, size_t* attrs_idxs, size_t num_attrs,
                                        cudaStream_t stream) {
  return copy_batch(dsts, srcs, sizes, count, attrs, attrs_idxs, num_attrs, nullptr, stream);
}
