// A kernel launch as all competitors see it: a grid of blocks and arguments by position.
#pragma once

#include <cstdint>

namespace warpwise::bench {

struct Size {
  unsigned x = 1, y = 1;
  uint64_t count() const { return uint64_t{x} * y; }
};

struct Launch {
  Size grid, block;
  void* const* arguments = nullptr;  // as for cudaLaunchKernel: each points at the argument's value

  template <class T>
  T argument(int i) const {
    return *static_cast<const T*>(arguments[i]);
  }
};

// Blocks [first, last), counted with x running fastest.
using HandWritten = void (*)(const Launch&, uint64_t first, uint64_t last);

}  // namespace warpwise::bench
