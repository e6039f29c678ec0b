// Layer norm and RMS norm of long rows, written one row later (../parts/row_ring_behind.h). `Norm` is that of ring.h.
#pragma once

#include "../parts/row_ring_behind.h"
#include "ring.h"

template <class Norm>
struct Behind : Norm {
  __device__ __forceinline__ Behind(const typename Norm::Arguments& a, const Place& place) : Norm(a, place) {}

  template <class Vectors>
  __device__ __forceinline__ void finish(Vectors& x, const Place& place, typename Norm::Part whole, int) {
    Norm::finish(x, place, whole, whole);
  }
};

// Rows of at most 131,072 floats, or twice as many in bfloat16: sixteen blocks of 512 threads; or half as many with
// 256.
template <template <class, int> class Norm, class T, int kThreads = 512, int kStages = 6, int kEach = 1>
void run_norm_behind(NormArguments<T> arguments, int rows, int columns) {
  int cluster = 2;
  while (cluster * kThreads * 4 * kPerVector<T> < columns) cluster *= 2;
  run_ring_behind<Behind<Norm<T, 4>>, kThreads, 4, kStages, kEach>(arguments, rows, columns, cluster);
}
