#include "hand/histogram.h"

namespace warpwise::bench {

// A block runs on one host thread, so that its atomics on shared memory need no lock.
void hand_histogram_shared(const Launch& launch, uint64_t first, uint64_t last) {
  auto bytes = launch.argument<const uint8_t*>(0);
  auto bins = launch.argument<uint32_t*>(1);
  int n = launch.argument<int>(2), stride = static_cast<int>(launch.grid.x) * 256;
  alignas(64) uint32_t own[256];
  for (uint64_t block = first; block < last; ++block) {
    for (int t = 0; t < 256; t += kHalf) _mm512_store_si512(own + t, _mm512_setzero_si512());
    for (int t = 0; t < 256; t += kWarp)
      for (int i = static_cast<int>(block) * 256 + t; i < n; i += stride) {
        if (i + kWarp <= n)
          for_each_byte(bytes + i, [&](uint8_t b) { ++own[b]; });
        else
          for (int j = i; j < n; ++j) ++own[bytes[j]];
      }
    for (int t = 0; t < 256; ++t) add_global(bins[t], own[t]);
  }
}

}  // namespace warpwise::bench
