#include <cmath>
#include <initializer_list>

#include "hand/warp.h"

namespace warpwise::bench {
namespace {

// e^x with x = n·ln 2 + r and the polynomial for e^r of Cephes' expf: about one unit in the last place.
__m512 exp(__m512 x) {
  __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)),
                                  _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), r);
  __m512 p = _mm512_set1_ps(1.9875691500e-4f);
  for (float c : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(c));
  p = _mm512_fmadd_ps(p, _mm512_mul_ps(r, r), _mm512_add_ps(r, _mm512_set1_ps(1)));
  return _mm512_scalef_ps(p, n);
}

}  // namespace

void hand_softmax(const Launch& launch, uint64_t first, uint64_t last) {
  auto in = launch.argument<const float*>(0);
  auto out = launch.argument<float*>(1);
  int columns = launch.argument<int>(2);
  alignas(64) float part[256];
  for (uint64_t block = first; block < last; ++block) {
    const float* row = in + block * columns;
    float* result = out + block * columns;
    for (int t = 0; t < 256; t += kHalf) {
      __m512 most = _mm512_set1_ps(-INFINITY);
      for (int i = t; i < columns; i += 256) {
        __mmask16 active = first_lanes(columns - i);
        most = _mm512_mask_max_ps(most, active, most, _mm512_maskz_loadu_ps(active, row + i));
      }
      _mm512_store_ps(part + t, most);
    }
    reduce_tree(part, [](__m512 a, __m512 b) { return _mm512_max_ps(a, b); });
    __m512 most = _mm512_set1_ps(part[0]);

    for (int t = 0; t < 256; t += kHalf) {
      __m512 sum = _mm512_setzero_ps();
      for (int i = t; i < columns; i += 256) {
        __mmask16 active = first_lanes(columns - i);
        __m512 power = exp(_mm512_sub_ps(_mm512_maskz_loadu_ps(active, row + i), most));
        _mm512_mask_storeu_ps(result + i, active, power);
        sum = _mm512_mask_add_ps(sum, active, sum, power);
      }
      _mm512_store_ps(part + t, sum);
    }
    reduce_tree(part, [](__m512 a, __m512 b) { return _mm512_add_ps(a, b); });
    __m512 scale = _mm512_set1_ps(1.0f / part[0]);

    for (int t = 0; t < 256; t += kHalf)
      for (int i = t; i < columns; i += 256) {
        __mmask16 active = first_lanes(columns - i);
        _mm512_mask_storeu_ps(result + i, active, _mm512_mul_ps(_mm512_maskz_loadu_ps(active, result + i), scale));
      }
  }
}

}  // namespace warpwise::bench
