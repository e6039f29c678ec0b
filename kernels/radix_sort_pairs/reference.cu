// Four times by a digit of eight bits: a warp walks over its part of the pairs in order, no cleverness.
#include "../radix_sort/reference_digits.h"

namespace {

__global__ void move(const unsigned* from, const unsigned* values, unsigned* to, unsigned* moved, int n, int shift) {
  __shared__ unsigned next[kBins];
  for (int bin = int(threadIdx.x); bin < kBins; bin += 32) next[bin] = places[bin * kParts + blockIdx.x];
  __syncwarp();
  size_t end = part_begin(int(blockIdx.x) + 1, n);
  for (size_t first = part_begin(int(blockIdx.x), n); first < end; first += 32) {
    size_t i = first + threadIdx.x;
    bool valid = i < end;
    unsigned key = valid ? from[i] : 0, digit = valid ? key >> shift & 255 : kBins;
    unsigned same = __match_any_sync(0xffffffffu, digit), lower = same & ((1u << threadIdx.x) - 1);
    if (valid) {
      unsigned place = next[digit] + unsigned(__popc(lower));
      to[place] = key, moved[place] = values[i];
    }
    __syncwarp();
    if (valid && lower == 0) next[digit] += unsigned(__popc(same));
    __syncwarp();
  }
}

}  // namespace

extern "C" void reference(const unsigned* keys, const unsigned* values, unsigned* sorted, unsigned* moved,
                          unsigned* spare_keys, unsigned* spare_values, unsigned* counts, int n) {
  for (int pass = 0; pass < 4; ++pass) {
    unsigned *to = pass % 2 ? sorted : spare_keys, *with = pass % 2 ? moved : spare_values;
    count<<<kParts, 32>>>(keys, n, pass * 8);
    add_up<<<1, kBins>>>();
    move<<<kParts, 32>>>(keys, values, to, with, n, pass * 8);
    keys = to, values = with;
  }
}
