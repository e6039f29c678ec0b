// What the host costs: launches, one after the other, and copies from page-locked memory.
#pragma once

#include "harness.h"

namespace probe {

static __global__ void nothing() {}

inline void measure_host(Harness& h) {
  h.seconds(
      "launch",
      [](unsigned n) {
        for (unsigned i = 0; i < n; ++i) nothing<<<1, 32>>>();
      },
      512);

  constexpr size_t kPiece = size_t{4} << 20;
  constexpr unsigned kPieces = 8;
  char *host = nullptr, *device = static_cast<char*>(h.memory(kPiece * kPieces));
  check(cudaMallocHost(&host, kPiece * kPieces), "allocating page-locked memory");
  auto copy = [&](size_t bytes) { check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice), "copying"); };
  h.rate("host_copy", double(kPiece), [&](unsigned n) { copy(kPiece * std::min(n, kPieces)); }, kPieces);
  h.seconds(
      "small_copy",
      [&](unsigned n) {
        for (unsigned i = 0; i < n; ++i) copy(4);
      },
      256);
  check(cudaFreeHost(host), "freeing");
  check(cudaFree(device), "freeing");
}

}  // namespace probe
