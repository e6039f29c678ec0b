#include "cases/case.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::bench {
namespace {

// A linear congruential generator with the constants of Knuth's MMIX.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 32);
  }

 private:
  uint64_t state_;
};

template <class T>
std::function<std::string(const Bytes&)> expect(std::vector<T> want, size_t different, std::function<bool(T, T)> same) {
  return [want = std::move(want), different, same = std::move(same)](const Bytes& bytes) -> std::string {
    if (bytes.size() != want.size() * sizeof(T))
      return fmt::format("{} bytes, not {}", bytes.size(), want.size() * sizeof(T));
    std::vector<T> got(want.size());
    std::memcpy(got.data(), bytes.data(), bytes.size());
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < got.size(); ++i)
      if (!same(got[i], want[i]) && wrong++ == 0) first = i;
    if (wrong <= different) return "";
    return fmt::format("{} of {} elements are wrong; element {} is {} and not {}", wrong, got.size(), first, got[first],
                       want[first]);
  };
}

}  // namespace

std::vector<float> random_floats(size_t count, uint64_t seed, float low, float high) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& v : values) v = low + (high - low) * static_cast<float>(random.next() >> 8) * 0x1p-24f;
  return values;
}

std::vector<int> random_ints(size_t count, uint64_t seed, int limit) {
  Random random(seed);
  std::vector<int> values(count);
  for (int& v : values) v = static_cast<int>(uint64_t{random.next()} * static_cast<uint64_t>(limit) >> 32);
  return values;
}

std::function<std::string(const Bytes&)> expect_close(std::vector<float> want, float tolerance) {
  return expect<float>(std::move(want), 0, [tolerance](float got, float right) {
    return std::fabs(got - right) <= tolerance * std::fmax(1.0f, std::fabs(right));
  });
}

std::function<std::string(const Bytes&)> expect_equal(std::vector<int> want, size_t different) {
  return expect<int>(std::move(want), different, [](int got, int right) { return got == right; });
}

}  // namespace warpwise::bench
