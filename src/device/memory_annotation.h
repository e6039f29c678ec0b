// Annotations of a program's own memory: it subdivides an allocation itself (a pool and its suballocations), names a
// piece of it, restricts what kernels may do there, or declares it as written. They come from NVTX's memory extension
// (cuda/runtime/nvtx/nvtx_memory.cpp) and serve the checkers; they do not change what the device does.
//
//     Pool           0x…000  4096 bytes    from now on kernels may only access suballocations of it
//     Suballocation  0x…010    63 bytes    this one
//     Permission     0x…010  Read          kernels may read and not write it
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpwise::device {

struct MemoryAnnotation {
  enum class Kind : uint8_t {
    Pool,           // the program subdivides `bytes` from `base`
    PoolReset,      // all its suballocations end
    PoolEnds,       // its memory must not be used before it is freed
    Suballocation,  // `bytes` from `base` are in use, with uninitialised contents
    Resize,         // the suballocation at `base` now has `bytes`
    SuballocationEnds,
    Name,                  // the allocation or suballocation at `base` gets the name `name`
    Initialised,           // `bytes` from `base` count as written
    Permission,            // kernels may do what `allowed` says to the allocation or suballocation at `base`
    PermissionReset,       // ... every access is allowed again
    PermissionsForgotten,  // removes all permissions of this scope
  } kind;
  // Where both were given, those of the device count.
  enum class Scope : uint8_t { Process, Device } scope = Scope::Process;
  static constexpr uint8_t kRead = 1, kWrite = 2, kAtomic = 4;
  uint64_t base = 0;
  size_t bytes = 0;
  uint8_t allowed = 0;
  std::string name;
};

}  // namespace warpwise::device
