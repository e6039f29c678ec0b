// The host arrays of a call, in memory that the function can use.
//
//     x      [-----------)                 read                 one copy, since they overlap:
//     x[2:]      [-------)                 read and written     [-----------)  copied in, and out again
//     n          a value                   as it is
//     pages  memory of ww_pages_allocate   as it is: host and kernels use the same pages
//     table  addresses of x and x[2:]      a copy that has those of the copies; afterwards those of x and x[2:] again
//     map    a tensor of an array          the array as above, and 128 bytes that describe it by its address there
//
// Why arrays are copied. A kernel has no bounds but those of pages: memory of its own faults where it ends, and a
// kernel that writes past its end harms nothing. An ordinary array shares its pages with other objects of the process.
// Used in place, such a kernel could break them, and the pages would have to be moved while other threads use them
// (exec/memory/adopted_pages.h).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "capi/library.h"
#include "cuda/runtime/process.h"
#include "warpwise/capi.h"

namespace warpwise::capi {

// Whether an argument is memory of the host: WW_READ and the like.
bool names_array(const ww_argument& argument);

class Arrays {
 public:
  explicit Arrays(device::Device& gpu) : gpu_(gpu) {}
  ~Arrays();
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  // Submits the copies. Afterwards pointers()[i] is where the function finds argument i.
  device::Status bring(std::span<const ww_argument> arguments, const LibraryFunction& function);
  std::vector<void*>& pointers() { return pointers_; }
  // Submits the copies back, waits for all that was submitted, and gives arrays of addresses those of the host again.
  device::Status take_back();
  // The GPU has been replaced, and the copies with it.
  void forget() { copies_.clear(); }

 private:
  struct Copied {
    uint64_t host = 0, end = 0;
    bool written = false;
    device::Address address = 0;
  };

  // Words of 8 bytes, some of which are addresses; of the host, in memory that is copied.
  struct Table {
    uint64_t host = 0, end = 0;
  };

  struct alignas(64) EncodedMap {
    std::array<std::byte, 128> bytes;
  };

  device::Status bring_arrays(std::span<const ww_argument> arguments, const LibraryFunction& function);
  device::Status encode(const ww_tensor_map& map, uint64_t address);
  device::Status copy_in(const Copied& copied);
  // Turns the addresses in `bytes`, a copy of what begins at `host`, into those of the GPU.
  void translate_tables(uint64_t host, std::span<std::byte> bytes) const;
  uint64_t on_gpu(uint64_t host) const;  // the same value where it is in no copied array
  uint64_t on_host(uint64_t address) const;

  device::Device& gpu_;
  std::vector<uint64_t> values_;  // of the arguments; of tensor maps, the address
  std::deque<EncodedMap> maps_;
  std::vector<void*> pointers_;
  std::vector<Copied> copies_;  // by host address; disjoint
  std::vector<Table> tables_;
  std::deque<std::vector<std::byte>>
      translated_;  // what is copied in their place, until the device has been waited for
};

}  // namespace warpwise::capi
