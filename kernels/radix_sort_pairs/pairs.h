// Keys with a value each, in two arrays of memory, and together while they are sorted.
#pragma once

#include "../radix_sort/sweep.h"

struct Pairs {
  using Element = uint2;  // x: the key, y: the value
  const unsigned *keys_in, *values_in;
  unsigned *keys_out, *values_out;
  __device__ Element load(size_t i) const { return {__ldcs(&keys_in[i]), __ldcs(&values_in[i])}; }
  __device__ void store(size_t i, Element pair) const { keys_out[i] = pair.x, values_out[i] = pair.y; }
  __device__ static Element largest() { return {0xffffffffu, 0}; }
};

// Passes go to the spare arrays and to the answers in turns.
inline Pairs pairs_of_pass(const unsigned* keys, const unsigned* values, unsigned* sorted, unsigned* moved,
                           unsigned* spare_keys, unsigned* spare_values, int pass) {
  if (pass == 0) return {keys, values, spare_keys, spare_values};
  if (pass % 2) return {spare_keys, spare_values, sorted, moved};
  return {sorted, moved, spare_keys, spare_values};
}
