// The rows of rows.inc as products of src/numerics, and their comparison with what a GPU answered.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "gpu/tensor/values.h"
#include "numerics/product.h"

namespace warpwise::gpu::tensor {

// "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" as a product.
inline numerics::Product product_of(const Row& row) {
  using namespace numerics;
  std::vector<std::string> words{""};
  for (char c : row.instruction) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  auto element = [](const std::string& word) {
    constexpr std::pair<const char*, Element> kNames[] = {
        {"f16", Element::F16},   {"bf16", Element::BF16}, {"tf32", Element::TF32}, {"e4m3", Element::E4M3},
        {"e5m2", Element::E5M2}, {"f64", Element::F64},   {"s8", Element::S8},     {"u8", Element::U8},
        {"s4", Element::S4},     {"u4", Element::U4},     {"b1", Element::B1}};
    return std::find_if(std::begin(kNames), std::end(kNames), [&](auto& name) { return word == name.first; })->second;
  };
  auto accumulator = [](const std::string& word) {
    return word == "f16"   ? Accumulator::F16
           : word == "f64" ? Accumulator::F64
           : word == "s32" ? Accumulator::S32
                           : Accumulator::F32;
  };
  Product p;
  auto has = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  unsigned m = 0, n = 0, k = 0;
  size_t shape = 0;
  while (std::sscanf(words[shape].c_str(), "m%un%uk%u", &m, &n, &k) != 3) ++shape;
  const bool group = words[0] == "wgmma";
  p.m = static_cast<uint8_t>(group ? 16 : m), p.n = static_cast<uint8_t>(n), p.k = static_cast<uint16_t>(k);
  size_t types = shape + (group ? 1 : has("satfinite") ? 4 : 3);
  p.d = accumulator(words[types]), p.a = element(words[types + 1]), p.b = element(words[types + 2]);
  p.c = group ? p.d : accumulator(words[types + 3]);
  p.quad_pairs = m == 8 && k == 4 && p.a == Element::F16;
  p.a_by_column = p.quad_pairs && words[shape + 1] == "col", p.b_by_row = p.quad_pairs && words[shape + 2] == "row";
  p.saturate = has("satfinite"), p.exclusive_or = has("xor");
  p.sparse = row.selector >= 0, p.selector = static_cast<uint8_t>(std::max(row.selector, 0));
  return p;
}

using Multiply =
    std::function<void(const numerics::Product&, numerics::TensorUnit, const uint32_t* inputs, uint32_t* outputs)>;

// How many words of the GPU's answer to fragments 0 to `fragments` - 1 differ from ours; the first few are printed.
inline unsigned count_differences(const Row& row, uint64_t seed, unsigned fragments, const uint32_t* answer,
                                  const Multiply& multiply) {
  const numerics::Product product = product_of(row);
  const bool group = row.instruction.starts_with("wgmma");
  unsigned differences = 0;
  for (unsigned n = 0; n < fragments; ++n) {
    Fragment f = fragment(row, seed, n);
    if (group) f.b = fragment(row, seed, n / 4 * 4).b;
    std::vector<uint32_t> inputs = f.a;
    inputs.insert(inputs.end(), f.b.begin(), f.b.end());
    inputs.insert(inputs.end(), f.c.begin(), f.c.end());
    inputs.insert(inputs.end(), f.metadata.begin(), f.metadata.end());
    std::vector<uint32_t> ours(product.d_words() * 32);
    multiply(product, group ? numerics::TensorUnit::Wgmma : numerics::TensorUnit::Mma, inputs.data(), ours.data());
    for (size_t w = 0; w < ours.size(); ++w) {
      const uint32_t theirs = answer[n * ours.size() + w];
      if (theirs == ours[w]) continue;
      if (++differences <= 3)
        std::printf("%s: fragment %u, register %zu, lane %zu: the GPU says %08x, we %08x\n",
                    std::string(row.name).c_str(), n, w / 32, w % 32, theirs, ours[w]);
    }
  }
  return differences;
}

}  // namespace warpwise::gpu::tensor
