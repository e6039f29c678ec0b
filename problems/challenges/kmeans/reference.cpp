// Lloyd's algorithm: assign, move, until nothing changes
#include <warpwise/problem.h>

#include <optional>

using namespace warpwise::problem;

struct Clusters {
  std::vector<double> x, y;
  std::vector<int> label;
};

// Nothing where rounding could decide: a point nearly as near to two centroids, or no end within the iterations. Nor where a
// centroid has no points, unless the case is about that. Squares of distances are below 2000 and their single-precision errors below 2000 * 16 * 2^-24.
std::optional<Clusters> lloyd(ConstValues px, ConstValues py, Clusters c, int64_t iterations, bool may_be_empty) {
  constexpr double kMargin = 2e-3;
  const size_t k = c.x.size(), n = px.size();
  c.label.assign(n, -1);
  for (int64_t round = 0; round < iterations; ++round) {
    bool changed = false;
    std::vector<double> sum_x(k), sum_y(k), count(k);
    for (size_t i = 0; i < n; ++i) {
      double best = INFINITY, second = INFINITY;
      int nearest = 0;
      for (size_t j = 0; j < k; ++j) {
        const double dx = px[i] - c.x[j], dy = py[i] - c.y[j], d = dx * dx + dy * dy;
        if (d < best) second = best, best = d, nearest = int(j);
        else second = std::min(second, d);
      }
      if (second - best < kMargin) return std::nullopt;
      changed = changed || c.label[i] != nearest;
      c.label[i] = nearest;
      sum_x[size_t(nearest)] += px[i], sum_y[size_t(nearest)] += py[i], count[size_t(nearest)] += 1;
    }
    if (!changed) return c;
    for (size_t j = 0; j < k; ++j) {
      if (count[j] == 0 && may_be_empty) continue;
      if (count[j] == 0) return std::nullopt;
      c.x[j] = sum_x[j] / count[j], c.y[j] = sum_y[j] / count[j];
    }
  }
  return std::nullopt;
}

// All points begin with the label 0, and those far from the mean leave it in the second round. So who compares labels with
// memory that nothing has written, and finds zeros, stops too early.
bool is_late(Case& c) { return c.data() == "late"; }

std::optional<Clusters> lloyd(Case& c, Clusters start) {
  return lloyd(c.input("data_x"), c.input("data_y"), std::move(start), c.size("max_iterations"), is_late(c));
}

Clusters beginning(Case& c) {
  Clusters start;
  ConstValues x = c.input("initial_centroid_x"), y = c.input("initial_centroid_y");
  for (size_t j = 0; j < x.size(); ++j) start.x.push_back(x[j]), start.y.push_back(y[j]);
  return start;
}

void make_inputs(Case& c) {
  Random& r = c.random();
  const size_t n = size_t(c.size("sample_size")), k = size_t(c.size("k"));
  const bool separate = c.data() == "separate";
  auto grid = [](double v) { return std::nearbyint(v * 16) / 16; };
  Values px = c.make("data_x"), py = c.make("data_y"), cx = c.make("initial_centroid_x"), cy = c.make("initial_centroid_y");
  for (int attempt = 0; attempt < 1000; ++attempt) {
    for (size_t i = 0; i < n; ++i) {
      // "separate": small groups at places of a 10 by 10 grid, each with a centroid near it, the first points one of each.
      const size_t group = i < k ? i : size_t(r.integer(0, int64_t(k) - 1));
      px.set(i, separate ? grid(3.0 * double(group % 10) - 13.5 + r.uniform(-0.6, 0.6))
                         : grid(std::clamp(5 * r.normal() + (r.chance(0.4) ? 6 : -3), -15.0, 15.0)));
      py.set(i, separate ? grid(3.0 * double(group / 10) - 13.5 + r.uniform(-0.6, 0.6))
                         : grid(std::clamp(4 * r.normal() + (r.chance(0.5) ? 5 : -4), -15.0, 15.0)));
    }
    for (size_t j = 0; j < k; ++j) {
      cx.set(j, separate ? grid(3.0 * double(j % 10) - 13.5 + r.uniform(-0.5, 0.5)) : grid(r.uniform(-8, 8)));
      cy.set(j, separate ? grid(3.0 * double(j / 10) - 13.5 + r.uniform(-0.5, 0.5)) : grid(r.uniform(-8, 8)));
    }
    if (is_late(c)) {
      // Most points are near 0 and the rest near 8; the centroids begin at 5 and, in a row, far behind.
      for (size_t i = 0; i < n; ++i) px.set(i, grid((i % 4 == 3 ? 8 : 0) + r.uniform(-0.5, 0.5))), py.set(i, grid(r.uniform(-0.5, 0.5)));
      for (size_t j = 0; j < k; ++j) cx.set(j, j == 0 ? 5 : 13 + double(j - 1) / 4), cy.set(j, 0);
    }
    if (lloyd(c, beginning(c))) return;
  }
  fail("no inputs were found that rounding does not decide");
}

void expect(Case& c) {
  auto clusters = lloyd(c, beginning(c));
  if (!clusters) fail("rounding decides");
  auto labels = c.expected("labels"), x = c.expected("final_centroid_x"), y = c.expected("final_centroid_y");
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = clusters->label[i];
  for (size_t j = 0; j < x.size(); ++j) x[j] = clusters->x[j], y[j] = clusters->y[j];
}

WARPWISE_PROBLEM(make_inputs, expect)
