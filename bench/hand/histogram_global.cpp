#include "hand/histogram.h"

namespace warpwise::bench {

void hand_histogram_global(const Launch& launch, uint64_t first, uint64_t last) {
  auto bytes = launch.argument<const uint8_t*>(0);
  auto bins = launch.argument<uint32_t*>(1);
  int n = launch.argument<int>(2);
  for (uint64_t block = first; block < last; ++block)
    for (int t = 0; t < 256; t += kWarp) {
      int i = static_cast<int>(block) * 256 + t;
      if (i + kWarp <= n)
        for_each_byte(bytes + i, [&](uint8_t b) { add_global(bins[b], 1); });
      else
        for (; i < n; ++i) add_global(bins[bytes[i]], 1);
    }
}

}  // namespace warpwise::bench
