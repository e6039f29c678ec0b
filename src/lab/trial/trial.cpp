#include "lab/trial/trial.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace warpwise::lab {
namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 28;  // of all arrays of a case together

using problem::RawArray;
using problem::RawCase;
using problem::RawNumber;
using problem::RawWrong;

uint64_t mixed(uint64_t seed, std::string_view text) {
  for (char c : text) seed = problem::Random(seed ^ uint8_t(c)).bits();
  return problem::Random(seed).bits();
}

// A trial as the reference's library sees it. Points into the trial.
struct RawTrial {
  explicit RawTrial(Trial& trial, const std::vector<std::span<const std::byte>>* got = nullptr) : trial(trial) {
    for (size_t i = 0; i < trial.arrays.size(); ++i) {
      TrialArray& a = trial.arrays[i];
      const Parameter& p = *a.parameter;
      arrays.push_back({.name = p.name.c_str(),
                        .type = p.type,
                        .is_output = p.is_output(),
                        .count = a.count,
                        .data = p.is_made() ? a.before.data() : nullptr,
                        .got = got ? (*got)[i].data() : nullptr,
                        .expected = a.expected.data(),
                        .bound = a.bound.data(),
                        .has_bound = a.has_bound});
    }
    for (const auto& [name, value] : trial.shape.names) sizes.push_back({name.c_str(), double(value)});
    for (const auto& [name, value] : trial.scalars) scalars.push_back({name.c_str(), value});
    raw = {trial.spec->data.c_str(), trial.seed,     arrays.data(), arrays.size(), sizes.data(), sizes.size(),
           scalars.data(),           scalars.size(), &wrong};
  }
  void take_back() {
    for (size_t i = 0; i < arrays.size(); ++i) trial.arrays[i].has_bound = arrays[i].has_bound;
    for (const RawNumber& scalar : scalars) trial.scalars.find(std::string_view(scalar.name))->second = scalar.value;
  }

  Trial& trial;
  std::vector<RawArray> arrays;
  std::vector<RawNumber> sizes, scalars;
  RawWrong wrong{};
  RawCase raw{};
};

// The distance from |value| to the next number of the type away from zero (of subnormals: their step).
double ulp_of(double value, ElementType type) {
  int digits = 0, least = 0;  // bits of the significand, exponent of the smallest normal number
  switch (type) {
    case ElementType::Float:
      digits = 24, least = -126;
      break;
    case ElementType::Double:
      digits = 53, least = -1022;
      break;
    case ElementType::Half:
      digits = 11, least = -14;
      break;
    default:
      return 1;
  }
  const int exponent = value == 0 ? least : std::max(std::ilogb(value), least);
  return std::ldexp(1.0, exponent - digits + 1);
}

struct Comparison {
  bool right = false;
  double allowed = 0;
};

Comparison compare_element(double got, double expected, const Tolerance& tolerance, double bound, ElementType type) {
  const double nearest = rounded_to(expected, type);
  if (std::isnan(nearest)) return {std::isnan(got), 0};
  if (got == nearest) return {true, 0};
  if (tolerance.exact() || std::isinf(nearest)) return {false, 0};
  const double allowed = tolerance.absolute + tolerance.relative * std::fabs(expected) +
                         (tolerance.ulp ? tolerance.ulp * ulp_of(expected, type) : 0) + (tolerance.bound ? bound : 0);
  return {std::fabs(got - expected) <= allowed, allowed};
}

// The first element from `begin` on that may not be the expected one to the bit. Nearly all elements of a large case
// are, and what follows takes ten times as long for each. A piece at a time: a loop that may end anywhere is not
// vectorised.
template <class T>
uint64_t skip_equal(const T* got, const double* expected, uint64_t begin, uint64_t count) {
  constexpr uint64_t kPiece = 64;
  for (; count - begin >= kPiece; begin += kPiece) {
    bool same = true;
    for (uint64_t i = begin; i < begin + kPiece; ++i) {
      if constexpr (std::is_same_v<T, float>)
        same &= got[i] == float(expected[i]);
      else
        same &= double(got[i]) == expected[i];
    }
    if (!same) break;
  }
  return begin;
}

uint64_t skip_equal(ElementType type, std::span<const std::byte> got, const TrialArray& a, uint64_t begin) {
  switch (type) {
#define X(name, spelling, type)                            \
  case ElementType::name:                                  \
    if constexpr (std::is_same_v<type, problem::HalfBits>) \
      return begin;                                        \
    else                                                   \
      return skip_equal(reinterpret_cast<const type*>(got.data()), a.expected.data(), begin, a.count);
    WARPWISE_PROBLEM_TYPES(X)
#undef X
  }
  return begin;
}

std::optional<WrongElement> compare_array(const Trial& trial, size_t index, std::span<const std::byte> got) {
  const TrialArray& a = trial.arrays[index];
  const Parameter& p = *a.parameter;
  const Tolerance& tolerance = trial.problem->tolerance_of(p);
  const size_t size = bytes_of(p.type);
  std::optional<WrongElement> first;
  uint64_t wrong = 0;
  constexpr uint64_t kAsksAgain = 256;  // elements: where none is right to the bit, asking costs little
  for (uint64_t i = 0; i < a.count; ++i) {
    if (i % kAsksAgain == 0 && (i = skip_equal(p.type, got, a, i)) == a.count) break;
    const double value = element(got, p.type, i);
    const Comparison c = compare_element(value, a.expected[i], tolerance, a.has_bound ? a.bound[i] : 0, p.type);
    if (c.right) continue;
    ++wrong;
    const bool unwritten = p.role == Role::Output && !p.zeroed &&
                           std::memcmp(got.data() + i * size, a.before.data() + i * size, size) == 0;
    // An element that was never written explains more than one with a wrong value.
    if (first && (first->unwritten || !unwritten)) continue;
    first = WrongElement{.array = index,
                         .index = i,
                         .got = value,
                         .expected = a.expected[i],
                         .allowed = c.allowed,
                         .unwritten = unwritten,
                         .why = {}};
  }
  if (first) first->wrong = wrong;
  return first;
}

}  // namespace

std::string Trial::describe() const {
  std::string text;
  for (const auto& [name, value] : sizes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  for (const auto& [name, value] : scalars) text += fmt::format("{}{} = {:.9g}", text.empty() ? "" : ", ", name, value);
  if (problem->kind != Kind::Kernel) return text;
  auto dims = [](const std::array<uint32_t, 3>& d) {
    return d[2] > 1   ? fmt::format("({}, {}, {})", d[0], d[1], d[2])
           : d[1] > 1 ? fmt::format("({}, {})", d[0], d[1])
                      : fmt::format("{}", d[0]);
  };
  return fmt::format("{}{}grid {}, block {}", text, text.empty() ? "" : "; ", dims(shape.launch.grid),
                     dims(shape.launch.block));
}

uint64_t seed_of_case(uint64_t run_seed, const CaseSpec& spec) { return mixed(run_seed, spec.name); }

Numbers draw_sizes(const CaseSpec& spec, uint64_t seed) {
  Numbers sizes;
  for (const auto& [name, range] : spec.sizes)
    sizes[name] = problem::Random(mixed(seed, name)).integer(range.low, range.high);
  return sizes;
}

void poison(std::span<std::byte> memory, ElementType type, uint64_t seed) {
  problem::Random random(seed);
  const size_t size = bytes_of(type);
  for (size_t at = 0; at + size <= memory.size(); at += size) {
    uint64_t bits = random.bits();
    switch (type) {  // quiet NaNs: exponent all ones, the first bit of the fraction set
      case ElementType::Float:
        bits = (bits & 0x803f'ffff) | 0x7fc0'0000;
        break;
      case ElementType::Double:
        bits = (bits & 0x8007'ffff'ffff'ffff) | 0x7ff8'0000'0000'0000;
        break;
      case ElementType::Half:
        bits = (bits & 0x81ff) | 0x7e00;
        break;
      default:
        break;
    }
    std::memcpy(memory.data() + at, &bits, size);
  }
}

Result<Trial> make_trial(const Problem& problem, const Reference& reference, const CaseSpec& spec, Numbers sizes,
                         uint64_t seed) {
  Trial trial{.problem = &problem,
              .spec = &spec,
              .seed = seed,
              .sizes = std::move(sizes),
              .shape = {},
              .scalars = {},
              .arrays = {}};
  trial.shape = TRY(shape_of(problem, spec, trial.sizes));
  uint64_t elements = 0;
  for (const Parameter& p : problem.parameters) {
    if (p.role == Role::Scalar) {
      auto given = spec.scalars.find(p.name);
      trial.scalars[p.name] = given == spec.scalars.end() ? 0 : given->second;
    }
    if (!p.pointer) continue;
    const int64_t count = TRY(evaluate(p.count, trial.shape.names));
    if (count < 0) return Error{"L0003", fmt::format("`{}` has a negative number of elements", p.name)};
    if ((elements += uint64_t(count)) > kMostElements)
      return Error{"L0008", fmt::format("case `{}` is too large: {} elements", spec.name, elements)};
    TrialArray a{.parameter = &p,
                 .count = uint64_t(count),
                 .before = ZeroedArray<std::byte>(size_t(count) * bytes_of(p.type)),
                 .expected = {},
                 .bound = {}};
    if (p.is_output()) a.expected = ZeroedArray<double>(a.count), a.bound = ZeroedArray<double>(a.count);
    if (p.role == Role::Output && !p.zeroed) poison(a.before, p.type, mixed(seed, p.name + " poison"));
    trial.arrays.push_back(std::move(a));
  }
  RawTrial raw(trial);
  TRY(reference.make_inputs(raw.raw));
  TRY(reference.expect(raw.raw));
  raw.take_back();
  return trial;
}

Result<std::optional<WrongElement>> compare(const Trial& trial, const Reference& reference,
                                            const std::vector<std::span<const std::byte>>& got) {
  bool checked = false;
  for (size_t i = 0; i < trial.arrays.size(); ++i) {
    const Parameter& p = *trial.arrays[i].parameter;
    if (!p.is_output()) continue;
    if (p.checker)
      checked = true;
    else if (auto wrong = compare_array(trial, i, got[i]))
      return wrong;
  }
  if (!checked) return std::optional<WrongElement>();
  if (!reference.has_checker())
    return Error{"L0007", fmt::format("`{}` has outputs with `checker = true`, and reference.cpp has no checker",
                                      trial.problem->slug)};
  Trial copy = trial;
  RawTrial raw(copy, &got);
  TRY(reference.check(raw.raw));
  const RawWrong& wrong = raw.wrong;
  if (!wrong.found) return std::optional<WrongElement>();
  const TrialArray& a = trial.arrays[wrong.array];
  const size_t size = bytes_of(a.parameter->type);
  WrongElement out{.array = wrong.array, .index = wrong.index, .why = std::string(wrong.why)};
  if (wrong.has_expected) out.expected = wrong.expected;
  if (wrong.index < a.count) {
    out.got = element(got[wrong.array], a.parameter->type, wrong.index);
    out.unwritten =
        a.parameter->role == Role::Output && !a.parameter->zeroed &&
        std::memcmp(got[wrong.array].data() + wrong.index * size, a.before.data() + wrong.index * size, size) == 0;
  }
  out.wrong = 1;
  return std::optional(std::move(out));
}

double element(std::span<const std::byte> memory, ElementType type, uint64_t index) {
  return problem::ConstValues(memory.data(), memory.size() / bytes_of(type), type)[index];
}

double rounded_to(double value, ElementType type) {
  switch (type) {
    case ElementType::Float:
      return double(float(value));
    case ElementType::Half:
      return problem::to_double(problem::to_half(value));
    case ElementType::Double:
      return value;
    default:
      return std::nearbyint(value);
  }
}

}  // namespace warpwise::lab
