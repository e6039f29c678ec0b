// peer: CUB
// header: cub/cub.cuh
//
// cub::DeviceSegmentedSort, which sorts short segments by a warp and long ones by a block.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/cub.cuh>

#include "../parts/room.h"

namespace {

struct Begin {
  int columns;
  __host__ __device__ int operator()(int row) const { return row * columns; }
};

}  // namespace

extern "C" void solve(const unsigned* in, unsigned* out, unsigned*, int rows, int columns) {
  auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Begin{columns});
  with_room([&](void* room, size_t& bytes) {
    return cub::DeviceSegmentedSort::SortKeys(room, bytes, in, out, rows * columns, rows, begins, begins + 1);
  });
}
