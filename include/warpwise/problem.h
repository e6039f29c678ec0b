// What the reference.cpp of a problem includes: the inputs of a case, the right answer, and who accepts it.
//
//     #include <warpwise/problem.h>
//     using namespace warpwise::problem;
//
//     // The inputs, from the case's sizes and its random numbers.
//     void make_inputs(Case& c) { c.fill("a", [&] { return c.random().uniform(-100, 100); }); }
//
//     // The answer, in double precision.
//     void expect(Case& c) {
//       auto a = c.input("a");
//       auto out = c.expected("out");
//       for (size_t i = 0; i < out.size(); ++i) out[i] = a[i] + 10;
//     }
//
//     WARPWISE_PROBLEM(make_inputs, expect)
//
// The lab compiles the file once with the host's compiler, keeps the library, and calls it in its own process, never in
// the one that runs submissions. This header stands alone: it needs the standard library and nothing to link with. The
// format of problems as a whole is docs/problem_format.md.
//
// Failures. A name that problem.toml does not have, or a value that cannot be, throws std::runtime_error (fail() does
// so, too); the lab reports it as a fault of the problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The element types of parameters: X(enumerator, spelling in problem.toml, C++ type of one element here). A `half` is
// its 16 bits.
#define WARPWISE_PROBLEM_TYPES(X)                \
  X(Float, "float", float)                       \
  X(Double, "double", double)                    \
  X(Half, "half", ::warpwise::problem::HalfBits) \
  X(Int8, "int8_t", int8_t)                      \
  X(UInt8, "uint8_t", uint8_t)                   \
  X(Int16, "int16_t", int16_t)                   \
  X(UInt16, "uint16_t", uint16_t)                \
  X(Int32, "int32_t", int32_t)                   \
  X(UInt32, "uint32_t", uint32_t)                \
  X(Int64, "int64_t", int64_t)                   \
  X(UInt64, "uint64_t", uint64_t)

namespace warpwise::problem {

enum class HalfBits : uint16_t {};
double to_double(HalfBits half);
HalfBits to_half(double value);  // to nearest, ties to even

enum class ElementType : uint32_t {
#define X(name, spelling, type) name,
  WARPWISE_PROBLEM_TYPES(X)
#undef X
};

[[noreturn]] inline void fail(const std::string& why) { throw std::runtime_error(why); }

// --- what passes between the lab and a problem's library: plain data, owned by the lab
// ------------------------------------

constexpr uint32_t kInterfaceVersion = 1;

struct RawArray {
  const char* name;
  ElementType type;
  uint32_t is_output;  // role output or inout: has `expected` and `bound`, and `got` while answers are checked
  uint64_t count;
  void* data;          // the inputs; of role output: null
  const void* got;     // what the submission left there; null while inputs and answers are made
  double* expected;    // the answer
  double* bound;       // the largest |got - expected| that is accepted, element by element; all zero at first
  uint32_t has_bound;  // set when `bound` has been asked for
};
struct RawNumber {  // a size, or a scalar parameter
  const char* name;
  double value;
};
struct RawWrong {  // the first wrong element that a checker found
  uint32_t found;
  uint32_t array;  // index into RawCase::arrays
  uint64_t index;
  double expected;
  uint32_t has_expected;
  char why[240];
};
struct RawCase {
  const char* data;  // the case's `data`: a word by which make_inputs can distinguish cases; "" if there is none
  uint64_t seed;
  RawArray* arrays;
  uint64_t array_count;
  RawNumber* sizes;
  uint64_t size_count;
  RawNumber* scalars;
  uint64_t scalar_count;
  RawWrong* wrong;
};
struct Entry {
  uint32_t version;
  // Each answers null, or why it could not be done.
  const char* (*make_inputs)(RawCase*);
  const char* (*expect)(RawCase*);
  const char* (*check)(RawCase*);  // null: the tolerance decides
};

// --- random numbers
// -------------------------------------------------------------------------------------------------------

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), so that a seed means the same
// numbers with every compiler.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // From [low, high), with 53 random bits.
  double uniform(double low, double high) { return low + (high - low) * (double(bits() >> 11) * 0x1p-53); }
  // From low to high, both included.
  int64_t integer(int64_t low, int64_t high) {
    const uint64_t range = uint64_t(high) - uint64_t(low) + 1;
    return range == 0 ? int64_t(bits()) : int64_t(uint64_t(low) + bits() % range);
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  // Mean 0, deviation 1 (Box and Muller, 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
    return radius * std::cos(6.283185307179586 * uniform(0, 1));
  }
  // An order of 0 … count-1.
  std::vector<size_t> permutation(size_t count) {
    std::vector<size_t> order(count);
    for (size_t i = 0; i < count; ++i) order[i] = i;
    for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[size_t(integer(0, int64_t(i) - 1))]);
    return order;
  }

 private:
  uint64_t state_;
};

// --- arrays
// ---------------------------------------------------------------------------------------------------------------

template <class T>
constexpr ElementType element_type_of();
#define X(name, spelling, type)                   \
  template <>                                     \
  constexpr ElementType element_type_of<type>() { \
    return ElementType::name;                     \
  }
WARPWISE_PROBLEM_TYPES(X)
#undef X

template <class T>
double as_double(T value) {
  if constexpr (std::is_same_v<T, HalfBits>)
    return to_double(value);
  else
    return double(value);
}
// Rounded to nearest; what an integer cannot hold is a mistake of the problem.
template <class T>
T from_double(double value) {
  if constexpr (std::is_same_v<T, HalfBits>)
    return to_half(value);
  else if constexpr (std::is_floating_point_v<T>)
    return T(value);
  else {
    const double rounded = std::nearbyint(value);
    // The largest 64-bit integers become 2^63 and 2^64 as doubles: those are out of range, too.
    const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (!(rounded >= double(std::numeric_limits<T>::min()) && rounded < limit))
      fail("the value " + std::to_string(value) + " does not fit its type");
    return T(rounded);
  }
}

// An array of a case. Its elements are read as doubles, whatever their type is.
class ConstValues {
 public:
  ConstValues(const void* data, size_t count, ElementType type) : data_(data), count_(count), type_(type) {}
  size_t size() const { return count_; }
  double operator[](size_t i) const {
    switch (type_) {
#define X(name, spelling, type) \
  case ElementType::name:       \
    return as_double(static_cast<const type*>(data_)[i]);
      WARPWISE_PROBLEM_TYPES(X)
#undef X
    }
    return 0;
  }
  // As what they are: faster, for large arrays.
  template <class T>
  std::span<const T> as() const {
    if (element_type_of<T>() != type_) fail("an array is read as another type than problem.toml gives it");
    return {static_cast<const T*>(data_), count_};
  }

 private:
  const void* data_;
  size_t count_;
  ElementType type_;
};

class Values {
 public:
  Values(void* data, size_t count, ElementType type) : data_(data), count_(count), type_(type) {}
  size_t size() const { return count_; }
  double operator[](size_t i) const { return ConstValues(data_, count_, type_)[i]; }
  void set(size_t i, double value) {
    if (i >= count_) fail("an input is written past its end");
    switch (type_) {
#define X(name, spelling, type)                              \
  case ElementType::name:                                    \
    static_cast<type*>(data_)[i] = from_double<type>(value); \
    return;
      WARPWISE_PROBLEM_TYPES(X)
#undef X
    }
  }
  template <class T>
  std::span<T> as() {
    if (element_type_of<T>() != type_) fail("an array is written as another type than problem.toml gives it");
    return {static_cast<T*>(data_), count_};
  }

 private:
  void* data_;
  size_t count_;
  ElementType type_;
};

// --- a case
// ---------------------------------------------------------------------------------------------------------------

class Case {
 public:
  explicit Case(RawCase& raw) : raw_(raw), random_(raw.seed) {}

  // A size of problem.toml, derived ones included.
  int64_t size(std::string_view name) const { return int64_t(number(raw_.sizes, raw_.size_count, name, "size").value); }
  // A scalar parameter. make_inputs may set it; otherwise it is what the case says.
  double scalar(std::string_view name) const { return number(raw_.scalars, raw_.scalar_count, name, "scalar").value; }
  void set_scalar(std::string_view name, double value) {
    number(raw_.scalars, raw_.scalar_count, name, "scalar").value = value;
  }
  // The word `data` of the case.
  std::string_view data() const { return raw_.data; }
  // The same numbers again each time the case is made with this seed.
  Random& random() { return random_; }

  // An array of role input, inout or scratch, to be filled (in make_inputs).
  Values make(std::string_view name) {
    RawArray& a = array(name);
    if (!a.data) fail("`" + std::string(name) + "` is an output: it has no input to make");
    return {a.data, a.count, a.type};
  }
  // Fills all of it: `next` is called once per element.
  template <class Next>
  void fill(std::string_view name, Next next) {
    Values values = make(name);
    for (size_t i = 0; i < values.size(); ++i) values.set(i, next());
  }
  // What the submission is given there.
  ConstValues input(std::string_view name) const {
    const RawArray& a = array(name);
    if (!a.data) fail("`" + std::string(name) + "` is an output: it has no values to read");
    return {a.data, a.count, a.type};
  }

  // The answer to be filled in (in expect), for an array of role output or inout.
  std::span<double> expected(std::string_view name) { return {output(name).expected, output(name).count}; }
  std::span<const double> expected(std::string_view name) const { return {output(name).expected, output(name).count}; }
  // How far an answer may be off, element by element; for outputs with `bound = true` in their tolerance.
  std::span<double> bound(std::string_view name) {
    RawArray& a = output(name);
    a.has_bound = 1;
    return {a.bound, a.count};
  }

  // The submission's answer (in check).
  ConstValues got(std::string_view name) const {
    const RawArray& a = output(name);
    if (!a.got) fail("there are no answers yet: got() belongs into the checker");
    return {a.got, a.count, a.type};
  }
  // Refuses the answer for this element (in check); the first refusal counts. `why` is one line, shown to the person
  // who submitted.
  void refuse(std::string_view name, size_t index, std::string_view why) { refuse_with(name, index, why, nullptr); }
  void refuse(std::string_view name, size_t index, double expected, std::string_view why) {
    refuse_with(name, index, why, &expected);
  }

 private:
  RawArray& array(std::string_view name) const {
    for (uint64_t i = 0; i < raw_.array_count; ++i)
      if (raw_.arrays[i].name == name) return raw_.arrays[i];
    fail("problem.toml has no array `" + std::string(name) + "`");
  }
  RawArray& output(std::string_view name) const {
    RawArray& a = array(name);
    if (!a.is_output) fail("`" + std::string(name) + "` is no output");
    return a;
  }
  static RawNumber& number(RawNumber* list, uint64_t count, std::string_view name, const char* what) {
    for (uint64_t i = 0; i < count; ++i)
      if (list[i].name == name) return list[i];
    fail(std::string("problem.toml has no ") + what + " `" + std::string(name) + "`");
  }
  void refuse_with(std::string_view name, size_t index, std::string_view why, const double* expected) {
    RawWrong& wrong = *raw_.wrong;
    if (wrong.found) return;
    wrong = {.found = 1,
             .array = uint32_t(&output(name) - raw_.arrays),
             .index = index,
             .expected = expected ? *expected : 0,
             .has_expected = expected != nullptr,
             .why = {}};
    std::memcpy(wrong.why, why.data(), std::min(why.size(), sizeof wrong.why - 1));
  }

  RawCase& raw_;
  Random random_;
};

// --- errors that honest arithmetic makes
// -----------------------------------------------------------------------------------

// Unit roundoff: half the distance from 1 to the next number.
constexpr double kFloatRoundoff = 0x1p-24;
constexpr double kHalfRoundoff = 0x1p-11;

// The bound of the relative error of `operations` roundings one after the other: gamma_n = n u / (1 - n u) (Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1). A sum of n products in any order is off by at
// most gamma_n(n + 1) times the sum of the products' magnitudes (ibid., section 3.1).
constexpr double gamma_n(double operations, double roundoff = kFloatRoundoff) {
  return operations * roundoff / (1 - operations * roundoff);
}

// --- the entry of the library
// ----------------------------------------------------------------------------------------------

template <void (*step)(Case&)>
const char* run_step(RawCase* raw) {
  static thread_local std::string why;
  try {
    Case c(*raw);
    step(c);
    return nullptr;
  } catch (const std::exception& e) {
    why = e.what();
  }
  return why.c_str();
}

inline double to_double(HalfBits half) {
  const uint32_t bits = uint32_t(half);
  const int exponent = int(bits >> 10 & 31);
  const double fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction == 0 ? std::numeric_limits<double>::infinity()
                                                   : std::numeric_limits<double>::quiet_NaN())
                                  : std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

inline HalfBits to_half(double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return HalfBits(sign | 0x7e00);
  if (magnitude >= 65520) return HalfBits(sign | 0x7c00);  // half-way to the number that would follow 65504
  if (magnitude < 0x1p-14) return HalfBits(sign | uint32_t(std::nearbyint(std::ldexp(magnitude, 24))));
  int exponent = std::ilogb(magnitude);
  const uint32_t scaled = uint32_t(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));  // 1024 to 2048
  return HalfBits(sign | ((uint32_t(exponent + 14) << 10) + scaled));
}

}  // namespace warpwise::problem

#define WARPWISE_PROBLEM_ENTRY(make_inputs, expect, check)                                       \
  extern "C" const ::warpwise::problem::Entry* warpwise_problem() {                              \
    static const ::warpwise::problem::Entry entry{::warpwise::problem::kInterfaceVersion,        \
                                                  ::warpwise::problem::run_step<make_inputs>,    \
                                                  ::warpwise::problem::run_step<expect>, check}; \
    return &entry;                                                                               \
  }
// Once, at the end of reference.cpp. The functions take a Case&.
#define WARPWISE_PROBLEM(make_inputs, expect) WARPWISE_PROBLEM_ENTRY(make_inputs, expect, nullptr)
// ... with a checker, for outputs of which there is more than one right answer (`checker = true` in problem.toml).
#define WARPWISE_PROBLEM_WITH_CHECKER(make_inputs, expect, check) \
  WARPWISE_PROBLEM_ENTRY(make_inputs, expect, ::warpwise::problem::run_step<check>)
