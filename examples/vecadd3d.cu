// The same sum over a box: a 3-D grid of 3-D blocks, with x fastest in memory so that neighbouring
// threads read neighbouring words. No side is a multiple of the block's.
//
//     warpwise run examples/vecadd3d.cu [x] [y] [z]
#include "common.h"

__global__ void add(const float* a, const float* b, float* c, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  int i = (z * ny + y) * nx + x;
  c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  int nx = argument(argc, argv, 1, 67), ny = argument(argc, argv, 2, 45), nz = argument(argc, argv, 3, 19);
  size_t n = size_t(nx) * ny * nz;
  std::vector<float> a = random_floats(n, 1), b = random_floats(n, 2), want(n);
  for (size_t i = 0; i < n; ++i) want[i] = a[i] + b[i];

  DeviceArray<float> da(a), db(b), dc(n);
  dim3 block(16, 4, 4), grid(divide_up(nx, 16), divide_up(ny, 4), divide_up(nz, 4));
  add<<<grid, block>>>(da.data, db.data, dc.data, nx, ny, nz);
  check_kernel();

  Verdict verdict;
  verdict.check("c = a + b over a box", dc.to_host(), want, 0.0);
  return verdict.finish("vecadd3d");
}
