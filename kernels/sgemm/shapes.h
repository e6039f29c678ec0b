// Which of two tiles suits a shape: large ones, of which two blocks fill a multiprocessor, or small ones, whose depth
// four warps share.
#pragma once

#include "ring.h"

template <int kRows_, int kColumns_, int kStages_, int kThreads_, int kBlocks_, int kSplit_, int kUnroll_>
struct Tiles {
  static constexpr int kRows = kRows_, kColumns = kColumns_, kStages = kStages_, kThreads = kThreads_,
                       kBlocks = kBlocks_, kSplit = kSplit_, kUnroll = kUnroll_;
  using Memory = Ring<kRows, kColumns, kStages, kThreads>;
  static long long count(int m, int n) {
    return (long long)((m + kRows - 1) / kRows) * ((n + kColumns - 1) / kColumns);
  }
  // Elements that are computed one after the other, by all multiprocessors.
  static long long time(int m, int n, int multiprocessors) {
    long long at_once = (long long)kBlocks * multiprocessors;
    return (count(m, n) + at_once - 1) / at_once * kBlocks * kRows * kColumns;
  }
};

// For the same work small tiles take a ninth to an eighth longer.
template <class Large, class Small>
bool small_is_better(int m, int n) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "multiprocessors");
  return 9 * Small::time(m, n, multiprocessors) < 8 * Large::time(m, n, multiprocessors);
}
