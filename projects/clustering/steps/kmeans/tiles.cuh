// Points of a warpgroup, a tile after the other, through a place in shared memory.
#pragma once

#include "halves.cuh"

// The tiles of a warpgroup, one after the other. The copy engine brings the next one while there is work on one.
struct Tiles {
  const Problem& p;
  float* place;
  Barrier* landed;
  int first;  // point of the tile
  int step, end;
  unsigned round = 0;

  // Whether the engine can copy it: all of it, from where copies may begin.
  __device__ bool whole(int tile) const {
    return tile < end && tile + kTile <= p.points && reinterpret_cast<size_t>(p.coordinates) % 16 == 0;
  }
  // By one thread, when nobody reads the place.
  __device__ void ask(int tile) const {
    if (!whole(tile)) return;
    const unsigned bytes = kTile * p.dimensions * sizeof(float);
    expect_bytes(landed, bytes);
    copy_in(place, &p.coordinates[size_t(tile) * p.dimensions], bytes, landed);
  }
  // Two branches, so that the compiler knows where it reads shared memory.
  template <int kDepth>
  __device__ void read(Points<kDepth>& points, float scale) {
    const float* rows[kRows];
    if (whole(first)) {
      wait_for(landed, round);
      round ^= 1;
      for (int r = 0; r < kRows; ++r) rows[r] = place + row_of(r) * p.dimensions;
      points.read(p, rows, scale);
    } else {
      for (int r = 0; r < kRows; ++r)
        rows[r] = p.coordinates + size_t(min(first + row_of(r), p.points - 1)) * p.dimensions;
      points.read(p, rows, scale);
    }
  }
};
