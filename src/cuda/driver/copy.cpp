// Copies in all directions and shapes.
#include "cuda/runtime/memory/copy.h"

#include "cuda/driver/box.h"
#include "cuda/driver/contexts.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

CUresult copy_bytes(const char* function, void* dst, const void* src, size_t bytes, cudaMemcpyKind kind) {
  return forward(function, [&] { return cudaMemcpy(dst, src, bytes, kind); });
}
CUresult copy_bytes_async(const char* function, void* dst, const void* src, size_t bytes, cudaMemcpyKind kind,
                          CUstream stream) {
  return forward(function, [&] { return cudaMemcpyAsync(dst, src, bytes, kind, stream); });
}

}  // namespace

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return copy_bytes("cuMemcpy", pointer_of(dst), pointer_of(src), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copy_bytes_async("cuMemcpyAsync", pointer_of(dst), pointer_of(src), bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void* src, size_t bytes) {
  return copy_bytes("cuMemcpyHtoD", pointer_of(dst), src, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, size_t bytes, CUstream stream) {
  return copy_bytes_async("cuMemcpyHtoDAsync", pointer_of(dst), src, bytes, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoH_v2(void* dst, CUdeviceptr src, size_t bytes) {
  return copy_bytes("cuMemcpyDtoH", dst, pointer_of(src), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copy_bytes_async("cuMemcpyDtoHAsync", dst, pointer_of(src), bytes, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return copy_bytes("cuMemcpyDtoD", pointer_of(dst), pointer_of(src), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copy_bytes_async("cuMemcpyDtoDAsync", pointer_of(dst), pointer_of(src), bytes, cudaMemcpyDeviceToDevice,
                          stream);
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes) {
  return forward("cuMemcpyPeer", [&]() -> cudaError_t {
    CUDA_TRY(Contexts::instance().check(dst_context));
    CUDA_TRY(Contexts::instance().check(src_context));
    return cudaMemcpyPeer(pointer_of(dst), dst_context->device, pointer_of(src), src_context->device, bytes);
  });
}
CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes,
                           CUstream stream) {
  return forward("cuMemcpyPeerAsync", [&]() -> cudaError_t {
    CUDA_TRY(Contexts::instance().check(dst_context));
    CUDA_TRY(Contexts::instance().check(src_context));
    return cudaMemcpyPeerAsync(pointer_of(dst), dst_context->device, pointer_of(src), src_context->device, bytes,
                               stream);
  });
}

// --- boxes --------------------------------------------------------------------------------------------
namespace {

cudaError_t copy_box(const BoxRequest& box, CUstream stream, CopyMode mode) {
  if (box.empty()) return cudaSuccess;
  cudaMemcpy3DParms parameters{};
  CUDA_TRY(runtime_box(box, &parameters));
  return mode == CopyMode::Async ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters);
}

template <class Parameters>
CUresult copy_box(const char* function, const Parameters* parameters, CUstream stream, CopyMode mode) {
  return forward(function, [&]() -> cudaError_t {
    if (!parameters) return fail(cudaErrorInvalidValue, "the parameters are null");
    return copy_box(request_of(*parameters), stream, mode);
  });
}

}  // namespace

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_box("cuMemcpy2D", copy, nullptr, CopyMode::Blocking); }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_box("cuMemcpy2DUnaligned", copy, nullptr, CopyMode::Blocking);
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_box("cuMemcpy2DAsync", copy, stream, CopyMode::Async);
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) { return copy_box("cuMemcpy3D", copy, nullptr, CopyMode::Blocking); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_box("cuMemcpy3DAsync", copy, stream, CopyMode::Async);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  return copy_box("cuMemcpy3DPeer", copy, nullptr, CopyMode::Blocking);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return copy_box("cuMemcpy3DPeerAsync", copy, stream, CopyMode::Async);
}

// --- linear memory and arrays: one row ------------------------------------------------------------------
namespace {

Side in_array(CUarray array, size_t at) { return {CU_MEMORYTYPE_ARRAY, nullptr, 0, array, at, 0, 0, 0, 0}; }
Side in_host(const void* pointer) { return {CU_MEMORYTYPE_HOST, pointer, 0, nullptr, 0, 0, 0, 0, 0}; }
Side in_device(CUdeviceptr address) { return {CU_MEMORYTYPE_DEVICE, nullptr, address, nullptr, 0, 0, 0, 0, 0}; }

CUresult copy_row(const char* function, const Side& dst, const Side& src, size_t bytes, CUstream stream = nullptr,
                  CopyMode mode = CopyMode::Blocking) {
  return forward(function, [&] { return copy_box({src, dst, bytes, 1, 1}, stream, mode); });
}

}  // namespace

CUresult cuMemcpyDtoA_v2(CUarray dst, size_t at, CUdeviceptr src, size_t bytes) {
  return copy_row("cuMemcpyDtoA", in_array(dst, at), in_device(src), bytes);
}
CUresult cuMemcpyAtoD_v2(CUdeviceptr dst, CUarray src, size_t at, size_t bytes) {
  return copy_row("cuMemcpyAtoD", in_device(dst), in_array(src, at), bytes);
}
CUresult cuMemcpyHtoA_v2(CUarray dst, size_t at, const void* src, size_t bytes) {
  return copy_row("cuMemcpyHtoA", in_array(dst, at), in_host(src), bytes);
}
CUresult cuMemcpyAtoH_v2(void* dst, CUarray src, size_t at, size_t bytes) {
  return copy_row("cuMemcpyAtoH", in_host(dst), in_array(src, at), bytes);
}
CUresult cuMemcpyAtoA_v2(CUarray dst, size_t dst_at, CUarray src, size_t src_at, size_t bytes) {
  return copy_row("cuMemcpyAtoA", in_array(dst, dst_at), in_array(src, src_at), bytes);
}
CUresult cuMemcpyHtoAAsync_v2(CUarray dst, size_t at, const void* src, size_t bytes, CUstream stream) {
  return copy_row("cuMemcpyHtoAAsync", in_array(dst, at), in_host(src), bytes, stream, CopyMode::Async);
}
CUresult cuMemcpyAtoHAsync_v2(void* dst, CUarray src, size_t at, size_t bytes, CUstream stream) {
  return copy_row("cuMemcpyAtoHAsync", in_host(dst), in_array(src, at), bytes, stream, CopyMode::Async);
}
