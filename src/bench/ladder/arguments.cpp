// A shape of a ladder as what a worker is told: how many elements, and what is in them.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "bench/ladder/ladder.h"

namespace warpwise::bench {
namespace {

using bench_worker::Argument;

// Counts above this are mistakes, and their bytes would not fit into 64 bits.
constexpr int64_t kMostElements = int64_t{1} << 42;

bool is_float(Element element) { return element <= Element::BFloat16; }

// The bits of a number, as solve takes it in a word of 8 bytes.
uint64_t word_of(Element element, double value) {
  uint64_t word = 0;
  if (element == Element::Float) {
    const float narrow = float(value);
    std::memcpy(&word, &narrow, sizeof narrow);
  } else if (element == Element::Double) {
    std::memcpy(&word, &value, sizeof value);
  } else {
    word = uint64_t(int64_t(value));
  }
  return word;
}

Result<double> real_of(const std::string& text, std::string_view all) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0) return Error{"B0001", fmt::format("`{}`: `{}` is not a number", all, text)};
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

Result<Numbers> sizes_of(const Ladder& ladder, const Shape& shape) {
  Numbers sizes(shape.sizes.begin(), shape.sizes.end());
  for (const auto& [name, expression] : ladder.derived) sizes[name] = TRY(lab::evaluate(expression, sizes));
  return sizes;
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
      if (p.role == Role::Input || p.role == Role::Inout)
        TRY(fill(a, own == shape.data.end() ? p.data : own->second, sizes));
      const Tolerance& tolerance = ladder.tolerance_of(p, shape);
      a.absolute = tolerance.absolute, a.relative = tolerance.relative;
    } else if (p.role == Role::Size) {
      const int64_t size = TRY(lab::evaluate(p.name, sizes));
      a.number = is_float(p.element) ? word_of(p.element, double(size)) : uint64_t(size);
    } else {
      const auto own = shape.scalars.find(p.name);
      a.number = word_of(p.element, own == shape.scalars.end() ? p.value : own->second);
    }
    arguments.push_back(a);
  }
  return arguments;
}

}  // namespace warpwise::bench
