// Near points by comparing with all points.
#pragma once

#include "dbscan.cuh"

struct AllPairs {
  __device__ int point(const Points&, int thread) const { return thread; }

  template <class Visitor>
  __device__ void visit(const Points& p, int point, Visitor visitor) const {
    for (int other = 0; other < p.count; ++other)
      if (near(p, p.at(point), p.at(other)) && !visitor(other)) return;
  }
};
