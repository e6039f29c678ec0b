// peer: libm
// library: libnowhere.so.1 libm.so.6
//
// A library that every machine has, opened as peers do. What it computes becomes a factor of the kernel.
#include <dlfcn.h>

#include <cstdlib>

namespace {

__global__ void add(const float* a, const float* b, float* sum, int n, float factor) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) sum[i] = factor * (a[i] + b[i]);
}

}  // namespace

extern "C" void solve(const float* a, const float* b, float* sum, int n) {
  static void* library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  if (!library) std::exit(1);
  auto* cosine = reinterpret_cast<double (*)(double)>(dlsym(library, "cos"));
  add<<<(n + 255) / 256, 256>>>(a, b, sum, n, float(cosine(0)));
}
