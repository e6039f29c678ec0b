// A table of the terms of all sites and labels, for the sweeps between two changes of the parameters. Sites stand in the
// order of their colours, label after label, so that the lanes of a warp read side by side.
#pragma once

#include "potts.cuh"

__global__ void keep_terms_kernel(Sites s, Parameters p, const int* order, double* terms) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= s.count) return;
  for (int k = 0; k < s.clusters; ++k) terms[size_t(k) * s.count + place] = term(s, p, order[place], k);
}
