// peer: CUB
// header: cub/cub.cuh
//
// cub::DeviceReduce: two kernels.
#include <cub/cub.cuh>

#include "../parts/room.h"

extern "C" void solve(const float* in, float* out, int n) {
  with_room([&](void* room, size_t& bytes) { return cub::DeviceReduce::Sum(room, bytes, in, out, n); });
}
