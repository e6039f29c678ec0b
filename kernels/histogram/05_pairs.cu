// step: for many bins, two blocks of a cluster see every key and count half of the bins each
// takes: bins <= 65536
// needs: sm_90
//
// Few bins take a column for each lane (lanes.h); up to 65,536 bins share the shared memory of two SMs (pairs.h).
//
// Expected: 0.9 of what reading takes for 256 bins. For 65,536 each SM has to look at 8.5 keys per cycle and add 4.3 of
// them, at random banks: close to what its pipes allow, 0.8.
//
// Found (H200, 2026-11-23): 0.97 of reading at 256 even; 0.97 at 256 skewed; 0.99 at 256 one value; 0.28 at 65536
// even; 0.28 at 65536 skewed; 0.30 at 65536 one value. 256 bins reach the target with any keys. For 65,536 bins all
// keys take the same time, so additions are not the limit: each tile of 4096 keys takes 0.9 us, of which most is
// probably the exchange between the two blocks before a place is filled again.
#include "lanes.h"
#include "pairs.h"

extern "C" void solve(const int* keys, unsigned* counts, int n, int bins) {
  cudaMemsetAsync(counts, 0, size_t(bins) * sizeof(unsigned));
  if (bins <= 1024)
    histogram_by_lane<1024, 8>(keys, counts, n, bins);
  else
    histogram_in_pairs(keys, counts, n, bins);
}
