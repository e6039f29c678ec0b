#include "hand/warp.h"

namespace warpwise::bench {

// Threads read below themselves, so a step needs no copy of the old values when the highest lanes go first.
// Zeros in front of the block's part stand for "no thread there".
void hand_scan(const Launch& launch, uint64_t first, uint64_t last) {
  auto in = launch.argument<const int*>(0);
  auto out = launch.argument<int*>(1);
  int n = launch.argument<int>(2);
  alignas(64) int memory[128 + 256] = {};
  int* part = memory + 128;
  for (uint64_t block = first; block < last; ++block) {
    int start = static_cast<int>(block) * 256;
    for (int t = 0; t < 256; t += kHalf)
      _mm512_store_si512(part + t, _mm512_maskz_loadu_epi32(first_lanes(n - start - t), in + start + t));
    for (int offset = 1; offset < 256; offset *= 2)
      for (int t = 256 - kHalf; t + kHalf > offset; t -= kHalf) {
        __m512i sum = _mm512_add_epi32(_mm512_load_si512(part + t), _mm512_loadu_si512(part + t - offset));
        _mm512_store_si512(part + t, sum);
      }
    for (int t = 0; t < 256; t += kHalf)
      _mm512_mask_storeu_epi32(out + start + t, first_lanes(n - start - t), _mm512_load_si512(part + t));
  }
}

}  // namespace warpwise::bench
