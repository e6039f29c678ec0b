// peer: CUB
// header: cub/cub.cuh
//
// cub::DeviceScan: decoupled look-back, tuned for each architecture.
#include <cub/cub.cuh>

#include "../parts/room.h"

extern "C" void solve(const float* in, float* out, int n) {
  with_room([&](void* room, size_t& bytes) { return cub::DeviceScan::InclusiveSum(room, bytes, in, out, n); });
}
