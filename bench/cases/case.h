// What is measured, apart from who computes it: sizes, input, and the right answer from plain C++.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "peers/launch.h"

namespace warpwise::bench {

using Bytes = std::vector<std::byte>;
using Scalar = std::variant<int, float>;

enum class Rate : uint8_t { Gflops, Gbytes };  // how `work` is counted

struct Case {
  Size grid, block;
  std::vector<Bytes> buffers;   // the first arguments, each a pointer; here their contents before the launch
  std::vector<Scalar> scalars;  // the other arguments
  size_t output = 0;            // which buffer holds the answer
  Rate rate = Rate::Gbytes;
  double work = 0;              // operations or bytes of one launch
  // What is wrong with the answer after one launch; "" when nothing is.
  std::function<std::string(const Bytes&)> problem;
};

inline unsigned blocks_for(size_t count, unsigned block) { return static_cast<unsigned>((count + block - 1) / block); }

template <class T>
Bytes to_bytes(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Uniform in [low, high), the same on every machine.
std::vector<float> random_floats(size_t count, uint64_t seed, float low = -1, float high = 1);
std::vector<int> random_ints(size_t count, uint64_t seed, int limit);  // 0 .. limit - 1

// For Case::problem. Floats may differ by `tolerance`, relative to values above 1.
std::function<std::string(const Bytes&)> expect_close(std::vector<float> want, float tolerance);
// `different` elements may be anything.
std::function<std::string(const Bytes&)> expect_equal(std::vector<int> want, size_t different = 0);

#define CASE(name) Case make_##name();
#include "cases/cases.inc"
#undef CASE

}  // namespace warpwise::bench
