// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), and only exact
// or correctly rounded arithmetic on top of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace mnist {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  // A stream of its own for item `index` of something seeded with `seed`.
  Random(uint64_t seed, uint64_t index) : state_(seed * 0x9e3779b97f4a7c15ull ^ index * 0xd1342543de82ef95ull) { next(); }

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  double uniform() { return double(next() >> 11) * 0x1p-53; }                      // [0, 1)
  double between(double low, double high) { return low + (high - low) * uniform(); }
  int below(int n) { return int((next() >> 32) * uint64_t(n) >> 32); }
  // Nearly normal (the sum of four uniforms), with standard deviation 1.
  double normal() { return (uniform() + uniform() + uniform() + uniform() - 2.0) * 1.7320508075688772; }

 private:
  uint64_t state_;
};

// The order in which an epoch visits the images: a permutation of 0 … count − 1.
inline std::vector<int> shuffled(int count, uint64_t seed, uint64_t epoch) {
  std::vector<int> order(count);
  for (int i = 0; i < count; ++i) order[i] = i;
  Random random(seed ^ 0x5bf03635, epoch);
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

}  // namespace mnist
