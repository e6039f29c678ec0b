// Products of bfloat16 are exact in double; each sum is rounded once.
#include "../parts/reference_product.h"

namespace {

using namespace reference_parts;

struct Store {
  __nv_bfloat16* c;
  int n;
  __device__ void operator()(int row, int column, double sum) const {
    c[size_t(row) * n + column] = from_double<__nv_bfloat16>(sum);
  }
};

}  // namespace

extern "C" void reference(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  product_in_double<Stored::ByColumns><<<blocks_of_product(m, n), kProductThreads>>>(a, b, m, n, k, Store{c, n});
}
