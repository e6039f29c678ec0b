// cudaMemcpy and its family.
#include "cuda/runtime/memory/copy.h"

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph/submission.h"
#include "cuda/runtime/memory/array_copy.h"
#include "cuda/runtime/memory/places.h"

namespace warpwise::cuda {

cudaError_t check_kind(cudaMemcpyKind kind) {
  if (kind <= cudaMemcpyDefault) return cudaSuccess;
  return fail(cudaErrorInvalidMemcpyDirection, "{} is not a cudaMemcpyKind", static_cast<unsigned>(kind));
}

namespace {

bool only_on_device(const Place& place) {
  return place.allocation && place.allocation->kind == device::MemoryKind::Device;
}

// Page-locked host memory has an address of the device, too, and the driver copies from src to dst.
void note_contradiction(ApiChecks& checks, const Place& dst, const Place& src, cudaMemcpyKind kind) {
  const bool reads_host = kind == cudaMemcpyDeviceToHost && only_on_device(dst) && !src.on_device();
  const bool writes_host = kind == cudaMemcpyHostToDevice && only_on_device(src) && !dst.on_device();
  if (reads_host)
    checks.contradicted("C0514", dst.host(), src.host(), "from pinned to device memory with cudaMemcpyDeviceToHost");
  if (writes_host)
    checks.contradicted("C0514", src.host(), dst.host(), "from device to pinned memory with cudaMemcpyHostToDevice");
}

// Whether the pointers are where the kind says. With one address space for host and device the real directions follow
// from the pointers. A kind that contradicts them is refused, except that two device pointers, and one and a pointer to
// pinned or registered memory, are accepted with any kind but host-to-host. Managed memory is on both sides.
cudaError_t check_direction(ApiChecks& checks, const Place& dst, const Place& src, cudaMemcpyKind kind) {
  auto not_on_device = [&](const Place& place, cudaError_t error) {
    return checks.misused("C0506", place.host(), error);
  };
  auto not_on_host = [&](const Place& place, cudaError_t error) {
    return checks.misused("C0507", place.host(), error);
  };
  bool dst_on_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool src_on_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  // Registered host memory is pinned, though no allocation of ours.
  if (dst_on_device && dst.pageable)
    return not_on_device(dst, fail(cudaErrorInvalidValue,
                                   "dst {} is not an address of the device, as the kind of copy says", dst.host()));
  if (src_on_device && src.pageable)
    return not_on_device(src, fail(cudaErrorInvalidValue,
                                   "src {} is not an address of the device, as the kind of copy says", src.host()));
  if (kind != cudaMemcpyHostToHost && !dst.pageable && !src.pageable) {
    note_contradiction(checks, dst, src, kind);
    return cudaSuccess;
  }
  if (!dst_on_device && only_on_device(dst))
    return not_on_host(
        dst, fail(cudaErrorInvalidValue, "dst {} is device memory, contrary to the kind of copy", dst.host()));
  if (!src_on_device && only_on_device(src))
    return not_on_host(
        src, fail(cudaErrorInvalidValue, "src {} is device memory, contrary to the kind of copy", src.host()));
  return cudaSuccess;
}

device::Command command_for(const Place& dst, const Place& src, const device::CopyShape& shape) {
  if (dst.on_device() && src.on_device()) return device::CopyOnDevice{dst.address, src.address, shape};
  if (dst.on_device()) return device::CopyToDevice{dst.address, src.host(), shape};
  if (src.on_device()) return device::CopyFromDevice{dst.host(), src.address, shape};
  return device::CopyOnHost{dst.host(), src.host(), shape};
}

}  // namespace

cudaError_t copy(Process& process, device::Device& gpu, const Copy& request) {
  device::StreamId stream;
  CUDA_TRY(process.streams.find(gpu, request.stream, &stream));
  const device::CopyShape& shape = request.shape;
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0) return cudaSuccess;  // nothing to copy
  CUDA_TRY(check_kind(request.kind));
  if (!request.dst || !request.src) return fail(cudaErrorInvalidValue, "{} is null", request.dst ? "src" : "dst");

  Place dst = locate(process, gpu, request.dst), src = locate(process, gpu, request.src);
  CUDA_TRY(check_direction(process.checks, dst, src, request.kind));
  CUDA_TRY(check_fits(dst, {shape.width, shape.height, shape.depth, shape.dst_pitch, shape.dst_slice}, "dst"));
  CUDA_TRY(check_fits(src, {shape.width, shape.height, shape.depth, shape.src_pitch, shape.src_slice}, "src"));
  CUDA_TRY(submit(process, gpu, stream, command_for(dst, src, shape)));

  bool touches_host = !dst.on_device() || !src.on_device();
  bool host_only = !dst.on_device() && !src.on_device();
  bool wait = request.mode == CopyMode::Blocking ? touches_host || dst.managed() || src.managed()
                                                 : dst.pageable || src.pageable || host_only;
  return wait ? wait_for_submitted(process, gpu, stream) : cudaSuccess;
}

namespace {

device::CopyShape row(size_t count) { return {.width = count, .dst_pitch = count, .src_pitch = count}; }

cudaError_t run_copy(const char* function, const Copy& request) {
  return call(function, [&](Process& process, device::Device& gpu) { return copy(process, gpu, request); });
}

cudaError_t copy_2d(const char* function, size_t dst_pitch, size_t src_pitch, Copy request) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    bool nothing = request.shape.width == 0 || request.shape.height == 0;
    if (!nothing) CUDA_TRY(check_kind(request.kind));
    if (!nothing && (request.shape.width > dst_pitch || request.shape.width > src_pitch))
      return fail(cudaErrorInvalidPitchValue, "rows of {} bytes do not fit the pitches {} (dst) and {} (src)",
                  request.shape.width, dst_pitch, src_pitch);
    request.shape.dst_pitch = dst_pitch;
    request.shape.src_pitch = src_pitch;
    return copy(process, gpu, request);
  });
}

// The first byte of a box in pitched memory, and its row and slice distances.
struct Box {
  char* first;
  size_t pitch, slice;
};

cudaError_t locate_box(const cudaPitchedPtr& memory, const cudaPos& at, const cudaExtent& extent, const char* what,
                       Box* box) {
  if (!memory.ptr) return fail(cudaErrorInvalidValue, "{} is null", what);
  bool one_row = extent.height <= 1 && extent.depth <= 1 && at.y == 0 && at.z == 0;
  if (!one_row && extent.width + at.x > memory.pitch)
    return fail(cudaErrorInvalidPitchValue, "{}: rows of {} bytes from byte {} do not fit the pitch {}", what,
                extent.width, at.x, memory.pitch);
  if (extent.depth > 1 && at.y + extent.height > memory.ysize)
    return fail(cudaErrorInvalidPitchValue, "{}: {} rows from row {} do not fit slices of {} rows", what, extent.height,
                at.y, memory.ysize);
  box->pitch = memory.pitch;
  box->slice = memory.pitch * memory.ysize;
  box->first = static_cast<char*>(memory.ptr) + at.z * box->slice + at.y * box->pitch + at.x;
  return cudaSuccess;
}

cudaError_t locate_side(Process& process, cudaArray_t array, const cudaPitchedPtr& memory, const cudaPos& at,
                        const cudaExtent& texels, const cudaExtent& bytes, const char* what, Box* box) {
  if (!array) return locate_box(memory, at, bytes, what, box);
  if (memory.ptr) return fail(cudaErrorInvalidValue, "{} is both an array and memory", what);
  ArrayBox found;
  CUDA_TRY(locate_in_array(process, array, at, texels, what, &found));
  *box = {static_cast<char*>(found.first), found.pitch, found.slice};
  return cudaSuccess;
}

struct Copy3D {
  cudaArray_t dst_array, src_array;
  cudaPitchedPtr dst, src;
  cudaPos dst_at, src_at;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

cudaError_t copy_3d(Process& process, device::Device& gpu, const Copy3D& box, cudaStream_t stream, CopyMode mode) {
  CUDA_TRY(check_kind(box.kind));
  if (box.extent.width == 0 || box.extent.height == 0 || box.extent.depth == 0) return cudaSuccess;
  // If either side is an array, the extent counts its texels; memory counts bytes.
  Box dst{}, src{};
  cudaExtent bytes = box.extent;
  size_t texel = 1;
  if (box.dst_array || box.src_array)
    CUDA_TRY(texel_bytes(process, box.dst_array ? box.dst_array : box.src_array, &texel));
  bytes.width *= texel;
  // Memory is checked first: a pitch that is too small is reported before a box that does not fit.
  if (box.src_array) CUDA_TRY(locate_side(process, box.dst_array, box.dst, box.dst_at, box.extent, bytes, "dst", &dst));
  CUDA_TRY(locate_side(process, box.src_array, box.src, box.src_at, box.extent, bytes, "src", &src));
  if (!box.src_array)
    CUDA_TRY(locate_side(process, box.dst_array, box.dst, box.dst_at, box.extent, bytes, "dst", &dst));
  device::CopyShape shape{bytes.width, box.extent.height, box.extent.depth, dst.pitch, src.pitch, dst.slice, src.slice};
  return copy(process, gpu, {dst.first, src.first, shape, box.kind, stream, mode});
}

cudaError_t copy_3d(const char* function, const cudaMemcpy3DParms* p, cudaStream_t stream, CopyMode mode) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!p) return fail(cudaErrorInvalidValue, "the parameters are null");
    return copy_3d(process, gpu,
                   {p->dstArray, p->srcArray, p->dstPtr, p->srcPtr, p->dstPos, p->srcPos, p->extent, p->kind}, stream,
                   mode);
  });
}

cudaError_t check_devices(int dst, int src) {
  CUDA_TRY(require_device(dst));
  return require_device(src);
}

cudaError_t copy_3d_peer(const char* function, const cudaMemcpy3DPeerParms* p, cudaStream_t stream, CopyMode mode) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!p) return fail(cudaErrorInvalidValue, "the parameters are null");
    CUDA_TRY(check_devices(p->dstDevice, p->srcDevice));
    return copy_3d(process, gpu,
                   {p->dstArray, p->srcArray, p->dstPtr, p->srcPtr, p->dstPos, p->srcPos, p->extent, cudaMemcpyDefault},
                   stream, mode);
  });
}

cudaError_t copy_peer(const char* function, int dst_device, int src_device, const Copy& request) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_devices(dst_device, src_device));
    return copy(process, gpu, request);
  });
}

}  // namespace

}  // namespace warpwise::cuda

using namespace warpwise::cuda;

cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return run_copy("cudaMemcpy", {dst, src, row(count), kind});
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return run_copy("cudaMemcpyAsync", {dst, src, row(count), kind, stream, CopyMode::Async});
}

cudaError_t cudaMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_2d("cudaMemcpy2D", dst_pitch, src_pitch, {dst, src, {.width = width, .height = height}, kind});
}

cudaError_t cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_2d("cudaMemcpy2DAsync", dst_pitch, src_pitch,
                 {dst, src, {.width = width, .height = height}, kind, stream, CopyMode::Async});
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* params) {
  return copy_3d("cudaMemcpy3D", params, nullptr, CopyMode::Blocking);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return copy_3d("cudaMemcpy3DAsync", params, stream, CopyMode::Async);
}

cudaError_t cudaMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t count) {
  return copy_peer("cudaMemcpyPeer", dst_device, src_device, {dst, src, row(count)});
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t count,
                                cudaStream_t stream) {
  return copy_peer("cudaMemcpyPeerAsync", dst_device, src_device,
                   {dst, src, row(count), cudaMemcpyDefault, stream, CopyMode::Async});
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* params) {
  return copy_3d_peer("cudaMemcpy3DPeer", params, nullptr, CopyMode::Blocking);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* params, cudaStream_t stream) {
  return copy_3d_peer("cudaMemcpy3DPeerAsync", params, stream, CopyMode::Async);
}
