// peer: CUB
// header: cub/cub.cuh
//
// cub::DeviceHistogram, with bins of width 1.
#include <cub/cub.cuh>

#include "../parts/room.h"

extern "C" void solve(const int* keys, unsigned* counts, int n, int bins) {
  with_room([&](void* room, size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(room, bytes, keys, counts, bins + 1, 0, bins, n);
  });
}
