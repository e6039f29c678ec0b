// Which tile suits a shape: the ways that there are, and the least of an estimate.
//
// Tiles are whole, and so are rounds: 132 SMs with 144 tiles need as long as with 264. Smaller tiles fill the last
// round better, but read shared memory more often for each product. Where there are too few tiles at all, two blocks
// share k (product_shared_depth.h). Where tiles are short along k, warpgroups take turns (product_turns.h), so that
// only the last result is waited for.
//
//     using Ways = WaysOf<T, Scaled>;
//     Ways::multiply({Ways::together<256>(1), Ways::in_turns<128>(0.525), …}, a, b, c, m, n, k, scales);
#pragma once

#include <initializer_list>

#include "product_shared_depth.h"
#include "product_turns.h"

template <class Kernel>
struct Way {
  Kernel* kernel;
  int columns;       // of a tile
  int shares;        // blocks that share k
  int shared_bytes;  // of shared memory
  double cost;       // of a step along k, in that of a tile of 128x256
  bool in_turns = false;

  Tiles tiles(int m, int n) const { return {(m + kRows - 1) / kRows, (n + columns - 1) / columns}; }
  Launch launch(int m, int n) const {
    const long long clusters = (long long)tiles(m, n).down * tiles(m, n).across;
    Launch how = persistent(kernel, kThreads, shared_bytes, shares, clusters);
    if (shares > 1) how.blocks = int(clusters) * shares;  // a cluster for each tile
    return how;
  }
  // Of a product with so many steps along k, in steps.
  double estimate(int m, int n, int steps, int processors) const {
    constexpr double kBegin = 2.5, kSend = 2.5, kAdd = 4;  // of all, of a result of 128x256, of adding sums
    const long long clusters = (long long)tiles(m, n).down * tiles(m, n).across, at_once = processors / shares;
    if (shares > 1 && clusters > at_once) return 1e30;
    const double rounds = double((clusters + at_once - 1) / at_once), send = kSend * columns / 256;
    const double sent = in_turns ? 1 : rounds;  // results that are waited for
    return kBegin + rounds * ((steps + shares - 1) / shares) * cost + sent * send + (shares > 1 ? kAdd : 0);
  }
};

template <int kColumns>
constexpr int kRoomFor = kColumns <= 128 ? 6 : 4;  // steps along k, in shared memory

namespace {
__device__ CUtensorMap maps[3];
MapsThere<3> maps_there;
}  // namespace

// Both warpgroups have half a tile each.
template <class T, int kColumns, int kShares, class Scales>
__global__ void __launch_bounds__(kThreads, 1) multiply_together(Tiles tiles, int k, Scales scales) {
  if constexpr (kShares == 1)
    persistent_product<T, kColumns, kRoomFor<kColumns>>(maps, tiles, k, scales);
  else
    shared_product<T, kColumns, kRoomFor<kColumns>, kShares>(maps, tiles, k, scales);
}
template <class T, int kColumns, class Scales>
__global__ void __launch_bounds__(kThreads, 1) multiply_in_turns(Tiles tiles, int k, Scales scales) {
  product_by_turns<T, kColumns, kRoomFor<kColumns>>(maps, tiles, k, scales);
}

template <class T, class Scales = Unscaled>
struct WaysOf {
  using One = Way<void(Tiles, int, Scales)>;

  template <int kColumns, int kShares = 1>
  static One together(double cost) {
    constexpr int kBytes = int(sizeof(PersistentMemory<T, kColumns, kRoomFor<kColumns>>));
    return {multiply_together<T, kColumns, kShares, Scales>, kColumns, kShares, kBytes, cost};
  }
  template <int kColumns>
  static One in_turns(double cost) {
    constexpr int kBytes = int(sizeof(TurnMemory<T, kColumns, kRoomFor<kColumns>>));
    return {multiply_in_turns<T, kColumns, Scales>, kColumns, 1, kBytes, cost, /*in_turns=*/true};
  }

  // c = a · bᵀ in the way that is estimated to be the fastest.
  static void multiply(std::initializer_list<One> ways, const T* a, const T* b, __nv_bfloat16* c, int m, int n, int k,
                       const Scales& scales = {}) {
    int processors = 0;
    must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "processors");
    auto takes = [&](const One& way) { return way.estimate(m, n, steps_along<T>(k), processors); };
    const One* best = ways.begin();
    for (const One& way : ways)
      if (takes(way) < takes(*best)) best = &way;
    maps_there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, best->columns), map_of(c, m, n, 64)});
    run(best->kernel, best->launch(m, n), best->tiles(m, n), k, scales);
  }
};
