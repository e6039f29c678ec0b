// CUDA_MEMCPY3D and the runtime's cudaMemcpy3DParms describe the same box of rows. The driver counts bytes everywhere.
// The runtime counts elements as soon as an array takes part, for positions in the array and for the width of the box.
#pragma once

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

// One side of a CUDA_MEMCPY2D or CUDA_MEMCPY3D.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

struct BoxRequest {
  Side src, dst;
  size_t width, height, depth;  // bytes, rows, slices
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

inline BoxRequest request_of(const CUDA_MEMCPY2D& c) {
  return {{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, 0, c.srcPitch, 0},
          {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, 0, c.dstPitch, 0},
          c.WidthInBytes,
          c.Height,
          1};
}
// The structures for one device and for two devices share the members that are read here.
template <class Memcpy3D>
BoxRequest request_of(const Memcpy3D& c) {
  return {{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight},
          {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight},
          c.WidthInBytes,
          c.Height,
          c.Depth};
}

// The runtime's request for a box that is not empty.
cudaError_t runtime_box(const BoxRequest& box, cudaMemcpy3DParms* out);
// The opposite conversion, for queries of what a node copies.
cudaError_t driver_box(const cudaMemcpy3DParms& box, CUDA_MEMCPY3D* out);

}  // namespace warpwise::cuda::driver
