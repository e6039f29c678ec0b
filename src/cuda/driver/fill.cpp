// Filling memory with a pattern of one, two or four bytes; counts are in patterns, pitches in bytes.
#include "cuda/runtime/memory/fill.h"

#include "cuda/driver/call.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

CUresult fill_rows(const char* function, CUdeviceptr dst, uint32_t value, uint8_t value_bytes, size_t width,
                   size_t height, size_t pitch, CUstream stream, CopyMode mode) {
  return call(function, Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t {
    size_t bytes = 0;
    if (__builtin_mul_overflow(width, size_t{value_bytes}, &bytes))
      return fail(cudaErrorInvalidValue, "{} patterns of {} bytes are more than there are addresses", width,
                  value_bytes);
    if (dst % value_bytes || (height > 1 && pitch % value_bytes))
      return fail(cudaErrorInvalidValue, "address and pitch must be multiples of the pattern's {} bytes", value_bytes);
    return fill(process, gpu, {pointer_of(dst), value, value_bytes, {bytes, height, 1, pitch}, stream, mode});
  });
}

}  // namespace

#define FILL(bits, type)                                                                                            \
  CUresult cuMemsetD##bits##_v2(CUdeviceptr dst, type value, size_t count) {                                        \
    return fill_rows("cuMemsetD" #bits, dst, value, bits / 8, count, 1, 0, nullptr, CopyMode::Blocking);            \
  }                                                                                                                 \
  CUresult cuMemsetD##bits##Async(CUdeviceptr dst, type value, size_t count, CUstream stream) {                     \
    return fill_rows("cuMemsetD" #bits "Async", dst, value, bits / 8, count, 1, 0, stream, CopyMode::Async);        \
  }                                                                                                                 \
  CUresult cuMemsetD2D##bits##_v2(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height) {         \
    return fill_rows("cuMemsetD2D" #bits, dst, value, bits / 8, width, height, pitch, nullptr, CopyMode::Blocking); \
  }                                                                                                                 \
  CUresult cuMemsetD2D##bits##Async(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height,         \
                                    CUstream stream) {                                                              \
    return fill_rows("cuMemsetD2D" #bits "Async", dst, value, bits / 8, width, height, pitch, stream,               \
                     CopyMode::Async);                                                                              \
  }

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)
