#include "cuda/driver/box.h"

#include "cuda/driver/arrays.h"

namespace warpwise::cuda::driver {
namespace {

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
    if (side.x % bytes)
      return fail(cudaErrorInvalidValue, "{}: byte {} is inside an element of {}", what, side.x, bytes);
    out->at.x = side.x / bytes;
    *element = bytes;
    return cudaSuccess;
  }
  const void* pointer = nullptr;
  switch (side.type) {
    case CU_MEMORYTYPE_HOST:
      pointer = side.host;
      break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      pointer = pointer_of(side.device);
      break;
    default:
      return fail(cudaErrorInvalidValue, "{}: {} is no CUmemorytype", what, static_cast<int>(side.type));
  }
  // A pitch of 0 stands for rows without gaps, a height of 0 for slices without gaps.
  size_t pitch = side.pitch ? side.pitch : side.x + row_bytes;
  if (pitch < side.x + row_bytes && rows > 1)
    return fail(cudaErrorInvalidValue, "{}: rows of {} bytes from byte {} do not fit the pitch {}", what, row_bytes,
                side.x, pitch);
  out->memory = {const_cast<void*>(pointer), pitch, pitch, side.height ? side.height : side.y + rows};
  return cudaSuccess;
}

cudaError_t write_side(cudaArray_t array, const cudaPos& at, const cudaPitchedPtr& memory, size_t element, Side* out) {
  *out = {.type = CU_MEMORYTYPE_ARRAY,
          .host = nullptr,
          .device = 0,
          .array = nullptr,
          .x = at.x,
          .y = at.y,
          .z = at.z,
          .pitch = 0,
          .height = 0};
  if (array) {
    out->array = driver_array(array);
    out->x *= element;
    return cudaSuccess;
  }
  cudaPointerAttributes attributes{};
  CUDA_TRY(cudaPointerGetAttributes(&attributes, memory.ptr));
  bool on_device = attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
  out->type = on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  if (on_device)
    out->device = address_of(memory.ptr);
  else
    out->host = memory.ptr;
  out->pitch = memory.pitch;
  out->height = memory.ysize;
  return cudaSuccess;
}

// An address that the caller declares as a device address must be one: the runtime would take an unknown address for
// host memory.
cudaMemcpyKind kind_of(CUmemorytype src, CUmemorytype dst) {
  if (src == CU_MEMORYTYPE_UNIFIED || dst == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (src == CU_MEMORYTYPE_HOST) return dst == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return dst == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

}  // namespace

cudaError_t runtime_box(const BoxRequest& box, cudaMemcpy3DParms* out) {
  RuntimeSide src, dst;
  size_t element = 1;
  CUDA_TRY(read_side(box.src, box.width, box.height, "src", &src, &element));
  CUDA_TRY(read_side(box.dst, box.width, box.height, "dst", &dst, &element));
  if (box.width % element)
    return fail(cudaErrorInvalidValue, "rows of {} bytes are not made of whole elements of {}", box.width, element);
  *out = {src.array,
          src.at,
          src.memory,
          dst.array,
          dst.at,
          dst.memory,
          {box.width / element, box.height, box.depth},
          kind_of(box.src.type, box.dst.type)};
  return cudaSuccess;
}

cudaError_t driver_box(const cudaMemcpy3DParms& box, CUDA_MEMCPY3D* out) {
  size_t element = 1;
  if (box.srcArray)
    CUDA_TRY(element_bytes(box.srcArray, &element));
  else if (box.dstArray)
    CUDA_TRY(element_bytes(box.dstArray, &element));
  Side src{}, dst{};
  CUDA_TRY(write_side(box.srcArray, box.srcPos, box.srcPtr, element, &src));
  CUDA_TRY(write_side(box.dstArray, box.dstPos, box.dstPtr, element, &dst));
  *out = {src.x,
          src.y,
          src.z,
          0,
          src.type,
          src.host,
          src.device,
          src.array,
          nullptr,
          src.pitch,
          src.height,
          dst.x,
          dst.y,
          dst.z,
          0,
          dst.type,
          const_cast<void*>(dst.host),
          dst.device,
          dst.array,
          nullptr,
          dst.pitch,
          dst.height,
          box.extent.width * element,
          box.extent.height,
          box.extent.depth};
  return cudaSuccess;
}

}  // namespace warpwise::cuda::driver
