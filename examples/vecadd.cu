// The first CUDA program: c = a + b, one element per thread. The last block is not full, hence the guard.
//
//     warpwise run examples/vecadd.cu [elements]
#include "common.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 1000003);
  std::vector<float> a = random_floats(n, 1), b = random_floats(n, 2), want(n);
  for (int i = 0; i < n; ++i) want[i] = a[i] + b[i];

  DeviceArray<float> da(a), db(b), dc(n);
  add<<<divide_up(n, 256), 256>>>(da.data, db.data, dc.data, n);
  check_kernel();

  Verdict verdict;
  verdict.check("c = a + b", dc.to_host(), want, 0.0);
  return verdict.finish("vecadd");
}
