// Which tile suits a shape: the ways that there are, and the least of an estimate.
//
// Tiles are whole, and so are rounds: 132 SMs with 144 tiles need as long as with 264. Smaller tiles fill the last
// round better, but read shared memory more often for each product. Where there are too few tiles at all, two blocks
// share k (product_shared_depth.h). Where tiles are short along k, warpgroups take turns (product_turns.h), so that
// only the last result is waited for.
//
//     const auto best = best_way<T>({{kernel, columns, shares, bytes, cost}, …}, m, n, k);
//     maps …; run(best.kernel, best.launch(m, n), best.tiles(m, n), …);
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

template <class T, class Kernel>
Way<Kernel> best_way(std::initializer_list<Way<Kernel>> ways, int m, int n, int k) {
  int processors = 0;
  must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "processors");
  const Way<Kernel>* best = ways.begin();
  for (const Way<Kernel>& way : ways)
    if (way.estimate(m, n, steps_along<T>(k), processors) < best->estimate(m, n, steps_along<T>(k), processors))
      best = &way;
  return *best;
}
