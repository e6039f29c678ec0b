// What a program tells of its own memory: that it divides an allocation itself (a pool and its suballocations), what it
// calls a piece of it, what kernels are allowed to do there, that it counts as written. Said through NVTX's memory
// extension (cuda/runtime/nvtx/nvtx_memory.cpp), for whoever checks the program; it changes nothing that the device
// does.
//
//     Pool           0x…000  4096 bytes    from now on kernels may touch only suballocations of it
//     Suballocation  0x…010    63 bytes    this one
//     Permission     0x…010  Read          which they may read and not write
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpwise::device {

struct MemoryAnnotation {
  enum class Kind : uint8_t {
    Pool,           // `bytes` from `base` are divided by the program
    PoolReset,      // it has no suballocations any more
    PoolEnds,       // nobody may use its memory before it is freed
    Suballocation,  // `bytes` from `base` are in use, with contents that nobody has written
    Resize,         // the suballocation at `base` has `bytes` now
    SuballocationEnds,
    Name,                  // the allocation or suballocation at `base` is called `name`
    Initialised,           // `bytes` from `base` count as written
    Permission,            // kernels may do what `allowed` says to the allocation or suballocation at `base`
    PermissionReset,       // ... whatever they like
    PermissionsForgotten,  // no permission was ever given in this scope
  } kind;
  // Those of the device count where both were given.
  enum class Scope : uint8_t { Process, Device } scope = Scope::Process;
  static constexpr uint8_t kRead = 1, kWrite = 2, kAtomic = 4;
  uint64_t base = 0;
  size_t bytes = 0;
  uint8_t allowed = 0;
  std::string name;
};

}  // namespace warpwise::device
