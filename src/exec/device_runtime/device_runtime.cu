// The functions that kernels call for launches, copies, fills, memory, streams and events (device_runtime.h says how
// they work). nvcc and our headers for device code (include/cuda/warpwise/device_runtime.h) write calls of these names.
//
// The build compiles this file to PTX and embeds it. It includes no CUDA header, so it declares what it needs of them;
// layouts and numbers are those of the CUDA Runtime API reference.
#include "records.h"

#define DEVICE __attribute__((device))
#define API extern "C" DEVICE

using namespace warpwise::exec;

// --- what CUDA's headers declare
using cudaError_t = unsigned;
constexpr cudaError_t cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorLaunchPendingCountExceeded = 69,
                      cudaErrorNotSupported = 801;

struct dim3 {
  unsigned x, y, z;
};
struct cudaExtent {
  uint64_t width, height, depth;
};
struct cudaPos {
  uint64_t x, y, z;
};
struct cudaPitchedPtr {
  uint64_t ptr, pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
  uint64_t src_array;
  cudaPos src_pos;
  cudaPitchedPtr src;
  uint64_t dst_array;
  cudaPos dst_pos;
  cudaPitchedPtr dst;
  cudaExtent extent;
  unsigned kind;
};

API void* malloc(uint64_t bytes);
API void free(void* memory);

// --- the list of records, and the error of a record that found no room (kLaunchList, kLaunchError)
API uint64_t __warpwise_launches = 0;
API cudaError_t __warpwise_launch_error = cudaSuccess;

// A record of the block that runs; null: the heap is full.
static DEVICE Record* new_record() {
  auto* record = static_cast<Record*>(malloc(kRecordBytes));
  if (!record) {
    __warpwise_launch_error = cudaErrorLaunchPendingCountExceeded;
    return nullptr;
  }
  const uint64_t x = __nvvm_read_ptx_sreg_ctaid_x(), y = __nvvm_read_ptx_sreg_ctaid_y(),
                 z = __nvvm_read_ptx_sreg_ctaid_z(), columns = __nvvm_read_ptx_sreg_nctaid_x(),
                 rows = __nvvm_read_ptx_sreg_nctaid_y();
  record->parent_block = (z * rows + y) * columns + x;
  return record;
}

static DEVICE void push(Record* record, uint64_t stream) {
  record->stream = stream;
  record->next = __atomic_exchange_n(&__warpwise_launches, reinterpret_cast<uint64_t>(record), __ATOMIC_RELAXED);
}

template <class Box>
static DEVICE cudaError_t push_box(uint64_t function, const Box& box, uint64_t stream) {
  Record* record = new_record();
  if (!record) return cudaErrorLaunchPendingCountExceeded;
  record->function = function;
  *reinterpret_cast<Box*>(record + 1) = box;
  push(record, stream);
  return cudaSuccess;
}

static DEVICE void describe_launch(Record* record, uint64_t function, dim3 grid, dim3 block, unsigned shared) {
  record->function = function;
  record->grid[0] = grid.x, record->grid[1] = grid.y, record->grid[2] = grid.z;
  record->block[0] = block.x, record->block[1] = block.y, record->block[2] = block.z;
  record->dynamic_shared_bytes = shared;
}

// --- launches: a kernel asks for room for the parameters, fills it and launches
API void* __cudaCDP2GetParameterBufferV2(uint64_t function, dim3 grid, dim3 block, unsigned shared) {
  Record* record = new_record();
  if (!record) return nullptr;
  describe_launch(record, function, grid, block, shared);
  return record + 1;
}
API void* __cudaCDP2GetParameterBuffer(uint64_t, uint64_t) {
  Record* record = new_record();
  return record ? record + 1 : nullptr;
}
API cudaError_t __cudaCDP2LaunchDeviceV2(void* parameters, uint64_t stream) {
  push(static_cast<Record*>(parameters) - 1, stream);
  return cudaSuccess;
}
API cudaError_t __cudaCDP2LaunchDevice(uint64_t function, void* parameters, dim3 grid, dim3 block, unsigned shared,
                                       uint64_t stream) {
  Record* record = static_cast<Record*>(parameters) - 1;
  describe_launch(record, function, grid, block, shared);
  push(record, stream);
  return cudaSuccess;
}

// --- copies and fills
API cudaError_t __cudaCDP2MemcpyAsync(uint64_t dst, uint64_t src, uint64_t bytes, unsigned, uint64_t stream) {
  return push_box(kCopyFunction, CopyBox{.dst = dst, .src = src, .width = bytes}, stream);
}
API cudaError_t __cudaCDP2Memcpy2DAsync(uint64_t dst, uint64_t dst_pitch, uint64_t src, uint64_t src_pitch,
                                        uint64_t width, uint64_t height, unsigned, uint64_t stream) {
  return push_box(
      kCopyFunction,
      CopyBox{.dst = dst, .src = src, .width = width, .height = height, .dst_pitch = dst_pitch, .src_pitch = src_pitch},
      stream);
}
// Copies of arrays are for the host alone.
API cudaError_t __cudaCDP2Memcpy3DAsync(const cudaMemcpy3DParms* p, uint64_t stream) {
  if (p->src_array || p->dst_array) return cudaErrorNotSupported;
  CopyBox box{.width = p->extent.width,
              .height = p->extent.height,
              .depth = p->extent.depth,
              .dst_pitch = p->dst.pitch,
              .src_pitch = p->src.pitch,
              .dst_slice = p->dst.pitch * p->dst.ysize,
              .src_slice = p->src.pitch * p->src.ysize};
  box.dst = p->dst.ptr + p->dst_pos.x + p->dst_pos.y * box.dst_pitch + p->dst_pos.z * box.dst_slice;
  box.src = p->src.ptr + p->src_pos.x + p->src_pos.y * box.src_pitch + p->src_pos.z * box.src_slice;
  return push_box(kCopyFunction, box, stream);
}
API cudaError_t __cudaCDP2MemsetAsync(uint64_t dst, unsigned value, uint64_t bytes, uint64_t stream) {
  return push_box(kFillFunction, FillBox{.dst = dst, .value = value, .width = bytes}, stream);
}
API cudaError_t __cudaCDP2Memset2DAsync(uint64_t dst, uint64_t pitch, unsigned value, uint64_t width, uint64_t height,
                                        uint64_t stream) {
  return push_box(kFillFunction, FillBox{.dst = dst, .value = value, .width = width, .height = height, .pitch = pitch},
                  stream);
}
API cudaError_t __cudaCDP2Memset3DAsync(cudaPitchedPtr dst, unsigned value, cudaExtent extent, uint64_t stream) {
  return push_box(kFillFunction,
                  FillBox{.dst = dst.ptr,
                          .value = value,
                          .width = extent.width,
                          .height = extent.height,
                          .depth = extent.depth,
                          .pitch = dst.pitch,
                          .slice = dst.pitch * dst.ysize},
                  stream);
}

// --- errors
API cudaError_t __cudaCDP2GetLastError() { return __warpwise_launch_error; }
API cudaError_t __cudaCDP2PeekAtLastError() { return __warpwise_launch_error; }
// Of the errors that this file's functions return from a launch.
API const char* __cudaCDP2GetErrorString(cudaError_t error) {
  if (error == cudaSuccess) return "no error";
  if (error == cudaErrorLaunchPendingCountExceeded)
    return "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount";
  return "unrecognized error code";
}
API const char* __cudaCDP2GetErrorName(cudaError_t error) {
  if (error == cudaSuccess) return "cudaSuccess";
  if (error == cudaErrorLaunchPendingCountExceeded) return "cudaErrorLaunchPendingCountExceeded";
  return "unrecognized error code";
}

// --- streams and events: everything runs in the order of its launch, so a handle only has to differ from null and from
// the streams that CUDA names (1 to 4)
constexpr uint64_t kHandle = 16;
API cudaError_t __cudaCDP2StreamCreateWithFlags(uint64_t* stream, unsigned) {
  *stream = kHandle;
  return cudaSuccess;
}
API cudaError_t __cudaCDP2StreamDestroy(uint64_t) { return cudaSuccess; }
API cudaError_t __cudaCDP2StreamWaitEvent(uint64_t, uint64_t, unsigned) { return cudaSuccess; }
API cudaError_t __cudaCDP2EventCreateWithFlags(uint64_t* event, unsigned) {
  *event = kHandle;
  return cudaSuccess;
}
API cudaError_t __cudaCDP2EventRecord(uint64_t, uint64_t) { return cudaSuccess; }
API cudaError_t __cudaCDP2EventDestroy(uint64_t) { return cudaSuccess; }

// --- the device and its heap
API cudaError_t __cudaCDP2GetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
API cudaError_t __cudaCDP2GetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
API cudaError_t __cudaCDP2Malloc(void** pointer, uint64_t bytes) {
  *pointer = malloc(bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
API cudaError_t __cudaCDP2Free(void* pointer) {
  free(pointer);
  return cudaSuccess;
}

// --- graphs: the handle of a conditional node is the address of its value
API void cudaGraphSetConditional(uint64_t handle, unsigned value) {
  *reinterpret_cast<volatile unsigned*>(handle) = value;
}
