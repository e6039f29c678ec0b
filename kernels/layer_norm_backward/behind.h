// The gradients of norms of long rows: as ring.h, with averages that are used one row later
// (../parts/row_ring_behind.h).
#pragma once

#include "../parts/row_ring_behind.h"
#include "ring.h"

template <class T, int kVectors, bool kCentred>
struct NormBackwardBehind : NormBackward<T, kVectors, kCentred> {
  using Base = NormBackward<T, kVectors, kCentred>;
  using typename Base::Part;
  float mean = 0, mean_before = 0, rstd_before = 0;  // of the row that was added up last, and of the one before

  __device__ __forceinline__ NormBackwardBehind(const typename Base::Arguments& a, const Place& place)
      : Base(a, place) {}

  template <class Vectors>
  __device__ __forceinline__ Part part(Vectors& x, const Place& place, int row) {
    mean_before = mean, rstd_before = this->rstd, mean = this->next_mean;
    return Base::part(x, place, row);
  }
  template <class Vectors>
  __device__ __forceinline__ void finish(Vectors& x, const Place& place, Part whole, int row) {
    const bool is_last = row + place.teams >= place.rows;  // then nothing was added up since
    const float average = is_last ? mean : mean_before, by = is_last ? this->rstd : rstd_before;
    const float g = whole.g / place.columns, gh = whole.gh / place.columns;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      float weight[Base::kWidth];
      unpack_here<T>(this->gamma.raw[v], weight);
#pragma unroll
      for (int i = 0; i < Base::kWidth; ++i)
        x[0][v][i] = by * (x[0][v][i] * weight[i] - g - (x[1][v][i] - average) * by * gh);
    }
  }
};

// Rows of more than 8192 columns; shorter ones need no cluster. Two blocks on an SM, where shares are small enough: one
// adds up or writes while the other waits.
template <bool kCentred>
void run_backward_behind(BackwardArguments<__nv_bfloat16> a, __nv_bfloat16* dgamma, __nv_bfloat16* dbeta, int rows,
                         int columns) {
  if (columns <= 8192) return run_backward<kCentred>(a, dgamma, dbeta, rows, columns);
  int cluster = 2;
  while (cluster * 4096 < columns && cluster < 16) cluster *= 2;
  int teams;
  if (columns <= 65536)
    teams = run_ring_behind<NormBackwardBehind<__nv_bfloat16, 2, kCentred>, 256, 2, 6, 2>(a, rows, columns, cluster);
  else
    teams = run_ring_behind<NormBackwardBehind<__nv_bfloat16, 1, kCentred>, 1024, 1, 6>(a, rows, columns, cluster);
  add_teams<<<dim3((columns + 31) / 32, kCentred ? 2 : 1), dim3(32, 32)>>>(a.sums, dgamma, dbeta, teams, columns);
}
