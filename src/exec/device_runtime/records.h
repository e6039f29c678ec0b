// What kernels leave for the device when they launch, copy or fill: a list of records, newest first, on the device
// heap. device_runtime.cu writes them, device_runtime.cpp reads them; this file is compiled for both.
#pragma once

#include <stdint.h>

namespace warpwise::exec {

constexpr uint64_t kChildParameterBytes = 4096;  // room for those of a kernel
constexpr uint64_t kTailLaunchStream = 3;        // cudaStreamTailLaunch

// Record::function of what is no kernel; a kernel's is its ptx::function_address.
constexpr uint64_t kCopyFunction = 0, kFillFunction = ~uint64_t{0};

// Widths, pitches (distances of rows) and slices (distances of layers) are in bytes, heights in rows, depths in layers.
struct CopyBox {
  uint64_t dst = 0, src = 0, width = 0, height = 1, depth = 1, dst_pitch = 0, src_pitch = 0, dst_slice = 0,
           src_slice = 0;
};
struct FillBox {
  uint64_t dst = 0, value = 0, width = 0, height = 1, depth = 1, pitch = 0, slice = 0;
};

struct Record {
  uint64_t next;  // device address; 0: the last
  uint64_t function;
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared_bytes;
  uint32_t unused;
  uint64_t parent_block;  // linear index of the block that wrote it
  uint64_t stream;
};
static_assert(sizeof(Record) == 64);
// A record is followed by the kernel's parameters, a CopyBox or a FillBox.
constexpr uint64_t kRecordBytes = sizeof(Record) + kChildParameterBytes;

}  // namespace warpwise::exec
