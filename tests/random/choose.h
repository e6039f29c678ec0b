// Random choices that are the same on every machine for a seed (the distributions of <random> are not).
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace warpwise::random_programs {

class Choose {
 public:
  explicit Choose(uint64_t seed) : engine_(seed) {}
  uint64_t bits() { return engine_(); }
  // 0 to end - 1.
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(engine_() % end); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(static_cast<uint32_t>(list.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace warpwise::random_programs
