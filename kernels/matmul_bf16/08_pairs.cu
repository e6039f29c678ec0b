// step: pairs of blocks bring a tile of b for each other
// takes: k % 8 == 0 and n % 8 == 0
// needs: sm_90a
//
// Two blocks of a cluster have tiles that lie below each other. Each asks for its tile of a and half of b's, and the
// copy engine puts that half into the shared memory of both (../parts/product_pairs.h): 32 KB from L2 for each 64 along
// k instead of 48.
//
// Expected: the twentieth that is missing to 1.05 of cuBLAS, if bytes from L2 are what holds step 07 back.
//
// Found (H200, 2026-11-29): they are not. 4096^3 and 8192^3 take as long as in step 07 (177 us; 1.39 and 1.40 ms),
// shapes with few tiles longer, since a pair has tiles of 256 rows. With 192 columns 8192^3 was 1.4 % faster, and
// 4096^3 11 % slower.
//
// At first pairs took twice as long, in this and in earlier attempts. The warps that multiply told both blocks that a
// place is free by mbarrier.arrive.release.cluster, and a release for the cluster waits until what the thread has
// stored is in L2: a microsecond for each step along k, whatever its size. There is nothing to release, as the place
// was only read.
#include "../parts/product_pairs.h"

namespace {

using T = __nv_bfloat16;
constexpr int kColumns = 256, kStages = 4, kBytes = int(sizeof(PairMemory<T, kColumns, kStages>));

__device__ CUtensorMap maps[3];
MapsThere<3> there;

__global__ void __launch_bounds__(kThreads, 1) in_pairs(Tiles pairs, int k) {
  product_by_pairs<T, kColumns, kStages>(maps, pairs, k);
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, kColumns / 2), map_of(c, m, n, 64)});
  Tiles pairs{(m + 2 * kRows - 1) / (2 * kRows), (n + kColumns - 1) / kColumns};
  run(in_pairs, persistent(in_pairs, kThreads, kBytes, 2, (long long)pairs.down * pairs.across), pairs, k);
}
