// step: a pair is one element of eight bytes in shared memory
// takes: n < 268435456
// needs: sm_80
//
// The sweep of ../radix_sort/03_places_first.cu, with pairs for keys.
//
// Expected: 1.05 times CUB, as there is less to do than twice the work of keys.
//
// Found (H200, 2026-11-29): 2.04 ms for 2^26 pairs, 0.95 of CUB's speed in the same run. Tiles of 384 x 23 pairs are
// best of fifteen sizes: smaller ones (256 x 20: 2.29 ms) write shorter runs of a digit, larger ones leave room for
// fewer warps.
#include "pairs.h"

extern "C" void solve(const unsigned* keys, const unsigned* values, unsigned* sorted, unsigned* moved,
                      unsigned* spare_keys, unsigned* spare_values, unsigned* counts, int n) {
  sort_by_sweeps<384, 23, 2>(keys, counts, n, [&](int pass) {
    return pairs_of_pass(keys, values, sorted, moved, spare_keys, spare_values, pass);
  });
}
