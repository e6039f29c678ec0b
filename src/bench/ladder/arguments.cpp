// A shape of a ladder as what a worker is told: how many elements, and what is in them.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <type_traits>
#include <utility>

#include "bench/ladder/ladder.h"

namespace warpwise::bench {
namespace {

using bench_worker::Argument;

// Counts above this are mistakes, and their bytes would not fit into 64 bits.
constexpr int64_t kMostElements = int64_t{1} << 42;

// Whether an integer type has this value; the other types take any.
template <class T>
bool fits(int64_t value) {
  if constexpr (std::is_integral_v<T>) return std::in_range<T>(value);
  return true;
}
bool fits(Element element, int64_t value) {
  using namespace bench_worker;
  switch (element) {
#define X(name, spelling, type) \
  case Element::name:           \
    return fits<type>(value);
    WARPWISE_BENCH_ELEMENTS(X)
#undef X
  }
  return true;
}

// Numbers as solve takes them, in the lowest bits of a word of 8 bytes.
Result<uint64_t> word_of(const Parameter& p, int64_t value) {
  if (fits(p.element, value)) return uint64_t(value);
  return Error{"B0001", fmt::format("`{}` is {}, which does not fit into `{}`", p.name, value, p.spelling)};
}
Result<uint64_t> word_of(const Parameter& p, double value) {
  constexpr double kMost = 0x1p63;
  uint64_t word = 0;
  if (p.element == Element::Float) {
    const float narrow = float(value);
    std::memcpy(&word, &narrow, sizeof narrow);
    return word;
  }
  if (p.element == Element::Double) {
    std::memcpy(&word, &value, sizeof value);
    return word;
  }
  if (value != std::trunc(value) || std::fabs(value) >= kMost)
    return Error{"B0001", fmt::format("`{}` is {}, which is no `{}`", p.name, value, p.spelling)};
  return word_of(p, int64_t(value));
}

Result<double> real_of(const std::string& text, std::string_view all) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !std::isfinite(value))
    return Error{"B0001", fmt::format("`{}`: `{}` is not a number", all, text)};
  return value;
}

Result<void> fill(Argument& a, const std::string& data, const Numbers& sizes) {
  std::istringstream in(data);
  std::string word, rest;
  in >> word;
  std::getline(in >> std::ws, rest);
  const bool takes_nothing = word.empty() || word == "normal" || word == "bits";
  if (takes_nothing && !rest.empty()) return Error{"B0001", fmt::format("`{}`: `{}` takes nothing", data, word)};
  if (word.empty() || word == "normal" || word == "bits") {
    a.filling = word == "normal" || (word.empty() && is_float(a.element)) ? Filling::Normal : Filling::Bits;
  } else if (word == "uniform") {
    a.filling = Filling::Uniform;
    const size_t blank = rest.find(' ');
    if (blank == rest.npos) return Error{"B0001", fmt::format("`{}`: two numbers: `uniform 0 1`", data)};
    a.low = TRY(real_of(rest.substr(0, blank), data));
    a.high = TRY(real_of(rest.substr(blank + 1), data));
  } else if (word == "below" || word == "skewed") {
    a.filling = word == "below" ? Filling::Below : Filling::Skewed;
    const int64_t below = TRY(lab::evaluate(rest, sizes));
    if (below < 1) return Error{"B0001", fmt::format("`{}` is {}: no number is below it", data, below)};
    if (!fits(a.element, below - 1))
      return Error{"B0001", fmt::format("`{}`: its elements cannot hold {}", data, below - 1)};
    a.below = uint64_t(below);
  } else if (word == "constant") {
    a.filling = Filling::Constant;
    a.low = TRY(real_of(rest, data));
  } else {
    return Error{"B0001", fmt::format("`{}` is not data: normal, uniform LOW HIGH, below N, skewed N, constant X and "
                                      "bits are",
                                      data)};
  }
  if (a.filling == Filling::Normal && !is_float(a.element))
    return Error{"B0001", fmt::format("`{}` is for floating-point types", data)};
  return {};
}

bench_worker::Role role_of(Role role) {
  switch (role) {
    case Role::Input:
      return bench_worker::Role::Input;
    case Role::Output:
      return bench_worker::Role::Output;
    case Role::Inout:
      return bench_worker::Role::Inout;
    case Role::Scratch:
      return bench_worker::Role::Scratch;
    case Role::Size:
    case Role::Scalar:
      break;
  }
  return bench_worker::Role::Number;
}

}  // namespace

bool is_float(Element element) { return element <= Element::E4m3; }

Result<Numbers> sizes_of(const Ladder& ladder, const Shape& shape) {
  return lab::with_derived(shape.sizes, ladder.derived);
}

Result<std::vector<Argument>> arguments_of(const Ladder& ladder, const Shape& shape) {
  const Numbers sizes = TRY(sizes_of(ladder, shape));
  std::vector<Argument> arguments;
  for (const Parameter& p : ladder.parameters) {
    Argument a;
    a.role = role_of(p.role);
    a.element = p.element;
    if (p.pointer) {
      const int64_t count = TRY(lab::evaluate(p.count, sizes));
      if (count < 0 || count > kMostElements)
        return Error{"B0001", fmt::format("`{}` would have {} elements", p.name, count)};
      a.count = uint64_t(count);
      a.zeroed = p.zeroed;
      const auto own = shape.data.find(p.name);
      if (p.is_input()) TRY(fill(a, own == shape.data.end() ? p.data : own->second, sizes));
      const Tolerance& tolerance = ladder.tolerance_of(p, shape);
      a.absolute = tolerance.absolute, a.relative = tolerance.relative;
    } else if (p.role == Role::Size) {
      a.number = TRY(word_of(p, TRY(lab::evaluate(p.name, sizes))));
    } else {
      const auto own = shape.scalars.find(p.name);
      a.number = TRY(word_of(p, own == shape.scalars.end() ? p.value : own->second));
    }
    arguments.push_back(a);
  }
  return arguments;
}

}  // namespace warpwise::bench
