// step: for many bins, two blocks of a cluster see every key and count half of the bins each
// takes: bins <= 65536
// needs: sm_90
//
// Few bins take a column for each lane (lanes.h); up to 65,536 bins share the shared memory of two SMs (pairs.h).
//
// Expected: 0.9 of what reading takes for 256 bins. For 65,536 each SM has to look at 8.5 keys per cycle and add 4.3 of
// them, at random banks: close to what its pipes allow, 0.8.
#include "lanes.h"
#include "pairs.h"

extern "C" void solve(const int* keys, unsigned* counts, int n, int bins) {
  cudaMemsetAsync(counts, 0, size_t(bins) * sizeof(unsigned));
  if (bins <= 1024)
    histogram_by_lane<512, 8>(keys, counts, n, bins);
  else
    histogram_in_pairs(keys, counts, n, bins);
}
