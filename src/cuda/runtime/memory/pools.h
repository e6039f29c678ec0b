// Memory pools, as far as programs can observe them: handles, attributes, usage figures.
//
// All memory comes from the device's one allocator, so pools only account. Allocation and release happen when the calls
// are made, not when the stream reaches them: a release therefore waits for the work submitted before it. Programs can
// observe this only by time. The order that streams promise is reported to the checkers (device::Lifetime), which find
// uses before the allocation and after the release.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "cuda/runtime/memory/imported_files.h"
#include "cuda/runtime/types.h"
#include "device/device.h"

struct CUmemPoolHandle_st {
  // Indexed by cudaMemPoolAttr; reuse is allowed, the release threshold is 0.
  std::array<uint64_t, 9> attributes = {0, 1, 1, 1};
  uint64_t used = 0;
  uint64_t max_size = 0;          // 0: none
  bool shareable = false;         // made with a type of handle
  bool imported = false;          // belongs to another process
  warpwise::cuda::OpenFile file;  // represents a shareable pool to other processes; it contains nothing but its type
  uint64_t inode = 0;             // of that file, imported or not
  // Destroyed while allocations live: it is deleted with the last of them.
  bool condemned = false;
};

namespace warpwise::cuda {

inline constexpr uint64_t kPoolFileWord = 0x6c6f6f7077777700;  // "\0wwpool"

class Pools {
 public:
  Pools();
  cudaMemPool_t default_pool() const { return default_.get(); }
  cudaMemPool_t current() const;

  cudaMemPool_t create(uint64_t max_size, bool shareable);
  // A pool that another process has shared as a file.
  cudaMemPool_t import(uint64_t inode);
  bool is_imported(cudaMemPool_t pool) const;
  // The file of a shareable pool; the pool keeps ownership.
  cudaError_t file_of(cudaMemPool_t pool, int* file);
  // 0: not shared.
  uint64_t inode_of(cudaMemPool_t pool) const;
  cudaError_t destroy(cudaMemPool_t pool);
  cudaError_t make_current(cudaMemPool_t pool);
  cudaError_t get(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) const;
  cudaError_t set(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value);
  cudaError_t check(cudaMemPool_t pool) const;

  cudaError_t allocate(device::Device& gpu, cudaMemPool_t pool, size_t size, device::StreamId stream, void** pointer);
  // Frees device memory when `stream` reaches the free. Without a stream (cudaFree), only memory of a pool.
  cudaError_t free(device::Device& gpu, void* pointer, std::optional<device::StreamId> stream);
  // The pool that memory belongs to, or null; and memory of another process's pool.
  cudaMemPool_t owner(device::Address base) const;
  void add_imported(cudaMemPool_t pool, device::Address base, size_t size);
  // cudaFree released it: memory of a pool may be freed like any other.
  void note_freed(device::Address base);
  void forget_all();

 private:
  struct Allocation {
    cudaMemPool_t pool;
    size_t size;
    unsigned imports = 0;  // how often it was imported; 0: it belongs to this process
  };
  bool known(cudaMemPool_t pool) const;  // with mutex_ held
  void account(cudaMemPool_t pool, uint64_t used);

  mutable std::mutex mutex_;
  std::unique_ptr<CUmemPoolHandle_st> default_;
  std::unordered_map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> created_;
  std::unordered_map<device::Address, Allocation> allocations_;
  cudaMemPool_t current_;
};

}  // namespace warpwise::cuda
