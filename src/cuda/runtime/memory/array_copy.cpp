#include "cuda/runtime/memory/array_copy.h"

#include <algorithm>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

namespace warpwise::cuda {

namespace {

cudaError_t no_array(cudaArray_const_t array, const char* what) {
  return fail(cudaErrorInvalidResourceHandle, "{}: {} is not an array", what, static_cast<const void*>(array));
}

// A box that starts at a byte of a row.
cudaError_t locate_bytes(const cudaArray& array, const cudaPos& at, const cudaExtent& bytes, const char* what,
                         ArrayBox* box) {
  const device::ImageLevel& level = array.image.levels[0];
  auto fits = [](size_t from, size_t count, size_t size) { return count <= size && from <= size - count; };
  const size_t row = size_t{level.width} * array.image.format.bytes(), slices = std::max<size_t>(array.extent.depth, 1);
  if (!fits(at.x, bytes.width, row) || !fits(at.y, bytes.height, level.height) || !fits(at.z, bytes.depth, slices))
    return fail(cudaErrorInvalidValue, "{}: {} bytes x {} x {} from ({}, {}, {}) do not fit an array of {} x {} x {}",
                what, bytes.width, bytes.height, bytes.depth, at.x, at.y, at.z, row, level.height, slices);
  box->pitch = level.pitch;
  box->slice = level.slice;
  box->first = reinterpret_cast<void*>(level.base + at.z * level.slice + at.y * level.pitch + at.x);
  return cudaSuccess;
}

}  // namespace

cudaError_t texel_bytes(Process& process, cudaArray_const_t array, size_t* bytes) {
  auto found = process.arrays.find(array);
  if (!found) return no_array(array, "a side of the copy");
  *bytes = found->image.format.bytes();
  return cudaSuccess;
}

cudaError_t locate_in_array(Process& process, cudaArray_const_t array, const cudaPos& at, const cudaExtent& texels,
                            const char* what, ArrayBox* box) {
  auto found = process.arrays.find(array);
  if (!found) return no_array(array, what);
  const size_t texel = found->image.format.bytes();
  return locate_bytes(*found, {at.x * texel, at.y, at.z}, {texels.width * texel, texels.height, texels.depth}, what,
                      box);
}

namespace {

// One end of a 2-D copy: an array from (x bytes, y rows), or memory.
struct End {
  cudaArray_const_t array = nullptr;
  size_t x = 0, y = 0;
  const void* memory = nullptr;
  size_t pitch = 0;
  bool is_array = false;
};

End array_end(cudaArray_const_t array, size_t x, size_t y) { return {array, x, y, nullptr, 0, true}; }
End memory_end(const void* memory, size_t pitch) { return {nullptr, 0, 0, memory, pitch, false}; }

cudaError_t resolve(Process& process, const End& end, size_t width, size_t height, const char* what, void** first,
                    size_t* pitch) {
  if (!end.is_array) {
    if (!end.memory) return fail(cudaErrorInvalidValue, "{} is null", what);
    if (width > end.pitch)
      return fail(cudaErrorInvalidPitchValue, "{}: rows of {} bytes do not fit the pitch {}", what, width, end.pitch);
    *first = const_cast<void*>(end.memory);
    *pitch = end.pitch;
    return cudaSuccess;
  }
  auto found = process.arrays.find(end.array);
  if (!found) return no_array(end.array, what);
  ArrayBox box;
  CUDA_TRY(locate_bytes(*found, {end.x, end.y, 0}, {width, height, 1}, what, &box));
  *first = box.first;
  *pitch = box.pitch;
  return cudaSuccess;
}

struct Request2D {
  End dst, src;
  size_t width, height;
  cudaMemcpyKind kind;
  cudaStream_t stream = nullptr;
  CopyMode mode = CopyMode::Blocking;
};

// An array counts as device memory, whatever memory it lies in.
cudaError_t check_sides(const Request2D& r) {
  const bool to_device =
      r.kind == cudaMemcpyHostToDevice || r.kind == cudaMemcpyDeviceToDevice || r.kind == cudaMemcpyDefault;
  const bool from_device =
      r.kind == cudaMemcpyDeviceToHost || r.kind == cudaMemcpyDeviceToDevice || r.kind == cudaMemcpyDefault;
  if ((r.dst.is_array && !to_device) || (r.src.is_array && !from_device))
    return fail(cudaErrorInvalidMemcpyDirection, "the kind of copy puts an array on the host");
  return cudaSuccess;
}

cudaError_t copy_2d(Process& process, device::Device& gpu, const Request2D& r) {
  CUDA_TRY(check_kind(r.kind));
  CUDA_TRY(check_sides(r));
  if (r.width == 0 || r.height == 0) return cudaSuccess;
  void *dst = nullptr, *src = nullptr;
  device::CopyShape shape{.width = r.width, .height = r.height};
  // The array is checked first: a box that does not fit is reported before a pitch that is too small (cudaMemcpy3D
  // checks in the opposite order).
  if (!r.src.is_array) CUDA_TRY(resolve(process, r.dst, r.width, r.height, "dst", &dst, &shape.dst_pitch));
  CUDA_TRY(resolve(process, r.src, r.width, r.height, "src", &src, &shape.src_pitch));
  if (r.src.is_array) CUDA_TRY(resolve(process, r.dst, r.width, r.height, "dst", &dst, &shape.dst_pitch));
  return copy(process, gpu, {dst, src, shape, r.kind, r.stream, r.mode});
}

cudaError_t run_2d(const char* function, const Request2D& r) {
  return call(function, [&](Process& process, device::Device& gpu) { return copy_2d(process, gpu, r); });
}

// cudaMemcpyToArray and similar functions copy `count` bytes row after row: the rest of a first row, whole rows, the
// start of a last row.
template <class Piece>
cudaError_t in_rows(size_t width, size_t x, size_t y, size_t count, Piece&& piece) {
  if (width == 0) return cudaSuccess;
  size_t done = 0;
  while (done < count) {
    size_t bytes = std::min(width - x, count - done), rows = 1;
    if (x == 0 && count - done >= width) rows = (count - done) / width;
    CUDA_TRY(piece(x, y, done, bytes, rows));
    done += bytes * rows;
    y += rows;
    x = 0;
  }
  return cudaSuccess;
}

cudaError_t copy_run(const char* function, cudaArray_const_t array, size_t x, size_t y, void* memory, size_t count,
                     bool to_array, cudaMemcpyKind kind, cudaStream_t stream, CopyMode mode) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    auto found = process.arrays.find(array);
    if (!found) return fail(cudaErrorInvalidResourceHandle, "{} is not an array", static_cast<const void*>(array));
    const size_t width = found->image.levels[0].width * found->image.format.bytes();
    if (x >= width && count != 0) return fail(cudaErrorInvalidValue, "byte {} of rows of {}", x, width);
    return in_rows(width, x, y, count, [&](size_t px, size_t py, size_t done, size_t bytes, size_t rows) {
      const End inside = array_end(array, px, py), outside = memory_end(static_cast<char*>(memory) + done, bytes);
      return copy_2d(process, gpu,
                     {to_array ? inside : outside, to_array ? outside : inside, bytes, rows, kind, stream, mode});
    });
  });
}

}  // namespace

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return run_2d("cudaMemcpy2DToArray", {array_end(dst, x, y), memory_end(src, pitch), width, height, kind});
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return run_2d("cudaMemcpy2DToArrayAsync",
                {array_end(dst, x, y), memory_end(src, pitch), width, height, kind, stream, CopyMode::Async});
}

cudaError_t cudaMemcpy2DFromArray(void* dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return run_2d("cudaMemcpy2DFromArray", {memory_end(dst, pitch), array_end(src, x, y), width, height, kind});
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return run_2d("cudaMemcpy2DFromArrayAsync",
                {memory_end(dst, pitch), array_end(src, x, y), width, height, kind, stream, CopyMode::Async});
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src, size_t src_x,
                                     size_t src_y, size_t width, size_t height, cudaMemcpyKind kind) {
  return run_2d("cudaMemcpy2DArrayToArray",
                {array_end(dst, dst_x, dst_y), array_end(src, src_x, src_y), width, height, kind});
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t count, cudaMemcpyKind kind) {
  return copy_run("cudaMemcpyToArray", dst, x, y, const_cast<void*>(src), count, true, kind, nullptr,
                  CopyMode::Blocking);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run("cudaMemcpyToArrayAsync", dst, x, y, const_cast<void*>(src), count, true, kind, stream,
                  CopyMode::Async);
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return copy_run("cudaMemcpyFromArray", src, x, y, dst, count, false, kind, nullptr, CopyMode::Blocking);
}

cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run("cudaMemcpyFromArrayAsync", src, x, y, dst, count, false, kind, stream, CopyMode::Async);
}
