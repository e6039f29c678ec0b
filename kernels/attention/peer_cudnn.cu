// peer: cuDNN
// library: libcudnn.so.9
//
// The graph of attention that cuDNN has a fused kernel for, by the first engine that its heuristic names.
#include <cuda_bf16.h>

#include <cmath>
#include <map>

#include "../parts/cudnn.h"

namespace {

struct Attention {
  float scale, lowest = -INFINITY;
  cudnn::Graph graph;
  int q, k, v, out, by, least = -1;

  Attention(int64_t heads, int64_t length, int64_t head, bool causal) : scale(1 / std::sqrt(float(head))) {
    using namespace cudnn;
    const Size rows = {1, heads, length, head}, of_row = {1, heads, length, 1}, square = {1, heads, length, length};
    const Size strides = packed(rows);
    const auto scores = [&](DataType type) { return graph.inside(type, square); };
    q = graph.tensor(kBfloat16, rows, strides);
    k = graph.tensor(kBfloat16, {1, heads, head, length}, {strides[0], strides[1], 1, head});  // transposed
    v = graph.tensor(kBfloat16, rows, strides), out = graph.tensor(kBfloat16, rows, strides);
    by = graph.number(kFloat);

    const int products = scores(kFloat), scaled = scores(kFloat);
    graph.product(q, k, products);
    graph.pointwise(kMultiply, products, by, scaled);
    const int seen = causal ? masked(scaled, square) : scaled;

    const int most = graph.inside(kFloat, of_row), below = scores(kFloat), weights = scores(kFloat);
    const int sum = graph.inside(kFloat, of_row), shares = scores(kBfloat16);
    graph.reduce(kMost, seen, most);
    graph.pointwise(kSubtract, seen, most, below);
    graph.pointwise(kExponential, below, -1, weights);
    graph.reduce(kAdd, weights, sum);
    // Nobody asks for the logarithm of the sum, but without it cuDNN does not know its own graph.
    const int logarithm = graph.inside(kFloat, of_row), of_sum = graph.inside(kFloat, of_row);
    graph.pointwise(kLogarithm, sum, -1, logarithm);
    graph.pointwise(kPlus, most, logarithm, of_sum);
    graph.pointwise(kDivide, weights, sum, shares);
    graph.product(shares, v, out);
    graph.plan();
  }

  // A query sees the keys up to its own position.
  int masked(int scores, const cudnn::Size& square) {
    using namespace cudnn;
    const int row = graph.inside(kInt32, square), column = graph.inside(kInt32, square);
    const int sees = graph.inside(kTruth, square), seen = graph.inside(kFloat, square);
    least = graph.number(kFloat);
    graph.pointwise(kIndex, scores, -1, row, -1, 2);
    graph.pointwise(kIndex, scores, -1, column, -1, 3);
    graph.pointwise(kNotLess, row, column, sees);
    graph.pointwise(kSelect, scores, least, seen, sees);
    return seen;
  }

  void run(const void* q_data, const void* k_data, const void* v_data, void* out_data) const {
    std::vector<std::pair<int, const void*>> all = {
        {q, q_data}, {k, k_data}, {v, v_data}, {out, out_data}, {by, &scale}};
    if (least >= 0) all.push_back({least, &lowest});
    graph.run(all);
  }
};

}  // namespace

extern "C" void solve(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out,
                      int heads, int length, int head, int causal) {
  static std::map<std::array<int, 4>, Attention> made;
  const auto [found, is_new] = made.try_emplace({heads, length, head, causal}, heads, length, head, causal != 0);
  (void)is_new;
  found->second.run(q, k, v, out);
}
