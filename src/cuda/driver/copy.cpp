// Copies in all directions and shapes, and the structures that describe boxes.
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/runtime/copy.h"

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
  return copy_bytes_async("cuMemcpyDtoDAsync", pointer_of(dst), pointer_of(src), bytes, cudaMemcpyDeviceToDevice, stream);
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
    return cudaMemcpyPeerAsync(pointer_of(dst), dst_context->device, pointer_of(src), src_context->device, bytes, stream);
  });
}

// --- boxes --------------------------------------------------------------------------------------------
//
// Both APIs describe a box of rows. The driver counts bytes everywhere; the runtime counts elements as soon as an array
// takes part, in positions in the array and in the box's width.
namespace {

cudaArray_t runtime_array(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

// One side of a CUDA_MEMCPY2D or CUDA_MEMCPY3D.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

struct RuntimeSide {
  cudaArray_t array = nullptr;
  cudaPitchedPtr memory{};
  cudaPos at{};
};

cudaError_t element_bytes(cudaArray_t array, size_t* bytes) {
  cudaChannelFormatDesc format{};
  CUDA_TRY(cudaArrayGetInfo(&format, nullptr, nullptr, array));
  *bytes = static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
  return *bytes ? cudaSuccess : fail(cudaErrorInvalidValue, "the array has no element size");
}

cudaError_t read_side(const Side& side, size_t row_bytes, size_t rows, const char* what, RuntimeSide* out,
                      size_t* element) {
  out->at = {side.x, side.y, side.z};
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    out->array = runtime_array(side.array);
    size_t bytes = 0;
    CUDA_TRY(element_bytes(out->array, &bytes));
    if (side.x % bytes) return fail(cudaErrorInvalidValue, "{}: byte {} is inside an element of {}", what, side.x, bytes);
    out->at.x = side.x / bytes;
    *element = bytes;
    return cudaSuccess;
  }
  const void* pointer = nullptr;
  switch (side.type) {
    case CU_MEMORYTYPE_HOST: pointer = side.host; break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: pointer = pointer_of(side.device); break;
    default: return fail(cudaErrorInvalidValue, "{}: {} is no CUmemorytype", what, static_cast<int>(side.type));
  }
  // A pitch of 0 stands for rows without gaps, a height of 0 for slices without gaps.
  size_t pitch = side.pitch ? side.pitch : side.x + row_bytes;
  if (pitch < side.x + row_bytes && rows > 1)
    return fail(cudaErrorInvalidValue, "{}: rows of {} bytes from byte {} do not fit the pitch {}", what, row_bytes,
                side.x, pitch);
  out->memory = {const_cast<void*>(pointer), pitch, pitch, side.height ? side.height : side.y + rows};
  return cudaSuccess;
}

struct BoxRequest {
  Side src, dst;
  size_t width, height, depth;
};

cudaError_t copy_box(const BoxRequest& box, CUstream stream, CopyMode mode) {
  if (box.width == 0 || box.height == 0 || box.depth == 0) return cudaSuccess;
  RuntimeSide src, dst;
  size_t element = 1;
  CUDA_TRY(read_side(box.src, box.width, box.height, "src", &src, &element));
  CUDA_TRY(read_side(box.dst, box.width, box.height, "dst", &dst, &element));
  if (box.width % element)
    return fail(cudaErrorInvalidValue, "rows of {} bytes are not made of whole elements of {}", box.width, element);
  cudaMemcpy3DParms parameters{src.array,  src.at, src.memory, dst.array, dst.at,
                               dst.memory, {box.width / element, box.height, box.depth}, cudaMemcpyDefault};
  return mode == CopyMode::Async ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters);
}

BoxRequest request_of(const CUDA_MEMCPY2D& c) {
  return {{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, 0, c.srcPitch, 0},
          {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, 0, c.dstPitch, 0},
          c.WidthInBytes, c.Height, 1};
}
// The structures for one device and for two have the same members where we look.
template <class Memcpy3D>
BoxRequest request_of(const Memcpy3D& c) {
  return {{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight},
          {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight},
          c.WidthInBytes, c.Height, c.Depth};
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
