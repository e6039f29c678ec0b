// The gradients of layer norm and RMS norm as operations on rows that come through a ring (../parts/row_ring.h).
//
// With h = (x - mean) / deviation, what the row was before gamma and beta, and g = dy gamma:
//
//     dx = (g - average(g) - h average(g h)) / deviation      two averages over the row
//     dgamma = sum of dy h, dbeta = sum of dy                 over all rows
//
// A thread meets the same columns in every row. So it adds up its columns' share of dgamma and dbeta in registers, and
// after its last row it writes them down. A second, small kernel adds what the teams have written. Two rows of 16 bytes
// per thread come in, one goes out, and nothing is read a second time.
//
// RMS norm is the same with a mean of 0 and without average(g) and dbeta.
#pragma once

#include "../layer_norm/weights.h"
#include "../parts/row_ring.h"

constexpr int kMostTeams = 1056;  // whose sums fit into the scratch memory

template <class T>
struct BackwardArguments {
  const T* in[2];  // dy, x
  T* out;          // dx
  const T* gamma;
  const float *mean, *rstd;  // of each row; RMS norm has no mean
  float* sums;               // dgamma of each team, then dbeta of each
};

struct Averages {
  float g, gh;
  static __device__ Averages nothing() { return {0, 0}; }
};
__device__ __forceinline__ Averages of_warp(Averages mine) { return {sum_of_warp(mine.g), sum_of_warp(mine.gh)}; }

template <class T, int kVectors, bool kCentred>
struct NormBackward {
  using Element = T;
  using Part = Averages;
  static constexpr int kInputs = 2, kWidth = kPerVector<T>;
  static constexpr float kPadding = 0;
  using Arguments = BackwardArguments<T>;

  Weights<T, kVectors> gamma;
  float dgamma[kVectors][kWidth] = {}, dbeta[kCentred ? kVectors : 1][kWidth] = {};
  const float *means, *rstds;
  float next_mean = 0, next_rstd = 0, rstd = 0;  // those of the next row are on their way while this one is worked on

  __device__ __forceinline__ NormBackward(const Arguments& a, const Place& place)
      : gamma(a.gamma, place), means(a.mean), rstds(a.rstd) {
    look_up(place.team, place);
  }
  __device__ __forceinline__ void look_up(int row, const Place& place) {
    if (row >= place.rows) return;
    next_rstd = __ldg(&rstds[row]);
    if constexpr (kCentred) next_mean = __ldg(&means[row]);
  }

  template <class Vectors>
  __device__ __forceinline__ Part part(Vectors& x, const Place& place, int row) {
    float mean = next_mean;
    rstd = next_rstd;
    look_up(row + place.teams, place);
    Averages sums = Averages::nothing();
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      float weight[kWidth];
      unpack_here<T>(gamma.raw[v], weight);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        float dy = x[0][v][i], h = (x[1][v][i] - mean) * rstd, g = dy * weight[i];
        dgamma[v][i] += dy * h;
        if constexpr (kCentred) dbeta[v][i] += dy, sums.g += g;
        sums.gh += g * h;
        x[0][v][i] = g, x[1][v][i] = h;
        compute_here(dgamma[v][i]);
        if constexpr (kCentred) compute_here(dbeta[v][i]);
      }
    }
    return sums;
  }

  template <class Vectors>
  __device__ __forceinline__ void finish(Vectors& x, const Place& place, Part, Part row) {
    float g = row.g / place.columns, gh = row.gh / place.columns;
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
#pragma unroll
      for (int i = 0; i < kWidth; ++i) x[0][v][i] = rstd * (x[0][v][i] - g - x[1][v][i] * gh);
  }

  __device__ __forceinline__ void end(const Arguments& a, const Place& place) {
    float* to = a.sums + size_t(place.team) * place.columns;
    size_t to_dbeta = size_t(place.teams) * place.columns;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      int i = place.first + v * place.stride;
      if (i >= place.count) break;
#pragma unroll
      for (int k = 0; k < kWidth; k += 4) {
        size_t column = size_t(place.begin + i) * kWidth + k;
        *reinterpret_cast<float4*>(&to[column]) = {dgamma[v][k], dgamma[v][k + 1], dgamma[v][k + 2], dgamma[v][k + 3]};
        if constexpr (kCentred)
          *reinterpret_cast<float4*>(&to[to_dbeta + column]) = {dbeta[v][k], dbeta[v][k + 1], dbeta[v][k + 2],
                                                                dbeta[v][k + 3]};
      }
    }
  }
};

// 32 columns by 32 threads each: sums over the teams.
template <class T>
__global__ void __launch_bounds__(1024) add_teams(const float* sums, T* dgamma, T* dbeta, int teams, int columns) {
  __shared__ float tile[32][33];
  int x = int(threadIdx.x), y = int(threadIdx.y), column = int(blockIdx.x) * 32 + x;
  const float* from = sums + size_t(blockIdx.y) * teams * columns;
  float sum = 0;
  if (column < columns)
    for (int team = y; team < teams; team += 32) sum += from[size_t(team) * columns + column];
  tile[y][x] = sum;
  __syncthreads();
  sum = sum_of_warp(tile[x][y]);
  column = int(blockIdx.x) * 32 + y;
  if (x == 0 && column < columns) (blockIdx.y ? dbeta : dgamma)[column] = T(sum);
}

template <bool kCentred, class T>
void run_backward(BackwardArguments<T> a, T* dgamma, T* dbeta, int rows, int columns) {
  constexpr int kVectors = 8 / kPerVector<T>;  // eight columns for each thread
  using Op = NormBackward<T, kVectors, kCentred>;
  int teams;
  if (columns <= 512)
    teams = run_ring<Op, 64, kVectors, 6>(a, rows, columns, kMostTeams);
  else if (columns <= 1024 && sizeof(T) == 4)
    teams = run_ring<Op, 128, kVectors, 6>(a, rows, columns, kMostTeams);
  else if (columns <= 1024)  // eight blocks on an SM
    teams = run_ring<NormBackward<T, 2, kCentred>, 64, 2, 6, 8>(a, rows, columns, kMostTeams);
  else if (columns <= 2048)
    teams = run_ring<Op, 256, kVectors, 4>(a, rows, columns, kMostTeams);
  else if (columns <= 4096)
    teams = run_ring < Op, 512, kVectors, sizeof(T) == 4 ? 6 : 3 > (a, rows, columns, kMostTeams);
  else if (columns <= 8192)
    teams = run_ring<Op, 1024, kVectors, 3>(a, rows, columns, kMostTeams);
  else if (columns <= 16384)
    teams = run_ring_of_clusters<Op, 1024, kVectors, 3>(a, rows, columns, 2);
  else if (columns <= 32768)
    teams = run_ring_of_clusters<Op, 1024, kVectors, 3>(a, rows, columns, 4);
  else if (columns <= 65536)
    teams = run_ring_of_clusters<Op, 1024, kVectors, 3>(a, rows, columns, 8);
  else
    teams = run_ring_of_clusters<Op, 1024, kVectors, 3>(a, rows, columns, 16);
  dim3 blocks((columns + 31) / 32, kCentred ? 2 : 1);
  add_teams<<<blocks, dim3(32, 32)>>>(a.sums, dgamma, dbeta, teams, columns);
}
