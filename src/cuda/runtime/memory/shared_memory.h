// Device memory that other processes have shared with this one (cudaIpcOpenMemHandle, cudaMemPoolImportPointer), and
// the contents of a handle to such memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "cuda/runtime/error.h"
#include "cuda/runtime/memory/imported_files.h"
#include "device/device.h"

namespace warpwise::cuda {

struct MemoryHandle {
  static constexpr uint64_t kWord = 0x6d656d6577777700;  // "\0wwmemem"
  uint64_t word = kWord;
  FileName name;
  uint64_t offset = 0, bytes = 0;
  uint64_t pool = 0;  // the inode of the file that stands for its pool; 0: none
};

// Of the allocation around `address`.
cudaError_t lend_memory(device::Device& gpu, device::Address address, MemoryHandle* out);

class BorrowedMemory {
 public:
  // A handle that is already open gives the same address again, which must then be closed as often.
  cudaError_t open(device::Device& gpu, const MemoryHandle& handle, device::Address* out);
  cudaError_t close(device::Device& gpu, device::Address base);
  void forget_all();

 private:
  struct Opened {
    uint64_t inode, offset;
    unsigned times;
  };
  std::mutex mutex_;
  std::map<device::Address, Opened> opened_;
};

}  // namespace warpwise::cuda
