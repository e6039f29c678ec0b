// cudaMemset and its family. Fills of pinned and managed memory have run when cudaMemset returns; fills
// of device memory are only submitted (CUDA runtime API, "API synchronization behavior").
#include "cuda/runtime/memory/fill.h"

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph/submission.h"

namespace warpwise::cuda {

cudaError_t fill(Process& process, device::Device& gpu, const FillRequest& request) {
  device::StreamId stream;
  CUDA_TRY(process.streams.find(gpu, request.stream, &stream));
  const BoxShape& shape = request.shape;
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0) return cudaSuccess;
  if ((shape.height > 1 || shape.depth > 1) && shape.width > shape.pitch)
    return fail(cudaErrorInvalidValue, "rows of {} bytes do not fit the pitch {}", shape.width, shape.pitch);
  Place dst = locate(process, gpu, request.dst);
  if (!dst.allocation)
    return process.checks.misused("C0506", request.dst,
                                  fail(cudaErrorInvalidValue, "{} is not an address of device memory", request.dst));
  CUDA_TRY(check_fits(dst, shape, "dst"));
  for (size_t slice = 0; slice < shape.depth; ++slice) {
    device::Fill command{
        dst.address + slice * shape.slice, request.value, request.value_bytes, shape.width, shape.height, shape.pitch};
    CUDA_TRY(submit(process, gpu, stream, command));
  }
  bool wait = request.mode == CopyMode::Blocking && dst.allocation->kind != device::MemoryKind::Device;
  return wait ? wait_for_submitted(process, gpu, stream) : cudaSuccess;
}

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

cudaError_t fill_bytes(const char* function, void* dst, int value, const BoxShape& shape, cudaStream_t stream = nullptr,
                       CopyMode mode = CopyMode::Blocking) {
  return call(function, [&](Process& process, device::Device& gpu) {
    return fill(process, gpu, {dst, static_cast<uint8_t>(value), 1, shape, stream, mode});
  });
}

BoxShape box(const cudaPitchedPtr& memory, const cudaExtent& extent) {
  return {extent.width, extent.height, extent.depth, memory.pitch, memory.pitch * memory.ysize};
}

}  // namespace

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  return fill_bytes("cudaMemset", pointer, value, {.width = count, .pitch = count});
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return fill_bytes("cudaMemsetAsync", pointer, value, {.width = count, .pitch = count}, stream, CopyMode::Async);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill_bytes("cudaMemset2D", pointer, value, {width, height, 1, pitch});
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill_bytes("cudaMemset2DAsync", pointer, value, {width, height, 1, pitch}, stream, CopyMode::Async);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return fill_bytes("cudaMemset3D", pitched.ptr, value, box(pitched, extent));
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_bytes("cudaMemset3DAsync", pitched.ptr, value, box(pitched, extent), stream, CopyMode::Async);
}
