// The references of scaled products.
#pragma once

#include <cstdint>

#include "../parts/reference_product.h"

namespace {

using namespace reference_parts;

struct StoreScaled {
  const float *scale_a, *scale_b;
  __nv_bfloat16* c;
  int n;
  __device__ void operator()(int row, int column, double sum) const {
    c[size_t(row) * n + column] = from_double<__nv_bfloat16>(sum * scale_a[row] * scale_b[column]);
  }
};

template <class T>
void scaled_reference(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m,
                      int n, int k) {
  product_in_double<Stored::ByColumns>
      <<<blocks_of_product(m, n), kProductThreads>>>(a, b, m, n, k, StoreScaled{scale_a, scale_b, c, n});
}

}  // namespace
