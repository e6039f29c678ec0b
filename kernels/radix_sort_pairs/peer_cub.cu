// peer: CUB
// header: cub/cub.cuh
//
// cub::DeviceRadixSort::SortPairs: one sweep for each digit. Its memory includes second arrays of keys and values.
#include <cub/cub.cuh>

#include "../parts/room.h"

extern "C" void solve(const unsigned* keys, const unsigned* values, unsigned* sorted, unsigned* moved, unsigned*,
                      unsigned*, unsigned*, int n) {
  with_room([&](void* room, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted, values, moved, n);
  });
}
