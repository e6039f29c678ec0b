// step: a row stays in shared memory for all its digits
// takes: columns <= 16384
// needs: sm_80
//
// Between digits keys only go back to registers. The block is as large as the row wants: 256 threads with 4 to 32 keys
// each, or 512 with 32.
//
// Expected: as often as ../radix_sort/03_places_first.cu goes to shared memory, and to memory once instead of five
// times.
//
// Found (H200, 2026-11-29), for 2^26 keys: 1.50 ms in rows of 1,024, 1.01 in rows of 4,096, 1.03 in rows of
// 16,384: 3.4, 1.4 and 2.2 times CUB's segmented sort. In rows of 1,024 most of the time is spent on 256 counters for
// each warp, whatever the number of its keys.
#include "../parts/launch.h"
#include "../radix_sort/places.h"

namespace {

template <int kThreads, int kEach>
struct Room {
  Places<kThreads / 32> places;
  unsigned sorted[kThreads * kEach];
};

template <int kThreads, int kEach, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) sort_row(const unsigned* in, unsigned* out, int columns) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto& room = *reinterpret_cast<Room<kThreads, kEach>*>(memory);
  int thread = int(threadIdx.x), first = thread / 32 * (32 * kEach) + thread % 32;
  in += size_t(blockIdx.x) * columns, out += size_t(blockIdx.x) * columns;
  unsigned keys[kEach];
#pragma unroll
  for (int k = 0; k < kEach; ++k) keys[k] = first + k * 32 < columns ? __ldcs(&in[first + k * 32]) : 0xffffffffu;
#pragma unroll 1
  for (int shift = 0; shift < 32; shift += 8) {
    count_in_warps(keys, shift, room.places);
    counts_to_places(room.places);
    put_in_order(keys, shift, room.places, room.sorted);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kEach; ++k) keys[k] = room.sorted[first + k * 32];
  }
#pragma unroll
  for (int k = 0; k < kEach; ++k)
    if (first + k * 32 < columns) __stcs(&out[first + k * 32], keys[k]);
}

template <int kThreads, int kEach, int kBlocks>
void sort_rows(const unsigned* in, unsigned* out, int rows, int columns) {
  auto* kernel = &sort_row<kThreads, kEach, kBlocks>;
  constexpr int kBytes = int(sizeof(Room<kThreads, kEach>));
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
  kernel<<<rows, kThreads, kBytes>>>(in, out, columns);
}

}  // namespace

extern "C" void solve(const unsigned* in, unsigned* out, unsigned*, int rows, int columns) {
  if (columns <= 1024)
    sort_rows<256, 4, 6>(in, out, rows, columns);
  else if (columns <= 2048)
    sort_rows<256, 8, 6>(in, out, rows, columns);
  else if (columns <= 4096)
    sort_rows<256, 16, 4>(in, out, rows, columns);
  else if (columns <= 8192)
    sort_rows<256, 32, 3>(in, out, rows, columns);
  else
    sort_rows<512, 32, 2>(in, out, rows, columns);
}
