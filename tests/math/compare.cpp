// Compares the results of evaluate.cu with the references of rows.inc.
//
//     compare [--other] [--verbose] FILE…
//     compare --same FILE FILE…               only whether the files agree bit by bit, up to the shortest
//
// For each row: how many results, how many differ in a bit, the largest distance in units of the last place, and the
// first arguments that give results of different kinds (a number, a NaN, an infinity, a zero of the other sign). NaNs
// are equal, whatever their bits. A row is wrong when its results are farther away than its bound, which is zero where
// none is stated. --other: the results come from another library (NVIDIA's), so for library functions only different
// kinds count and distances beyond 16, or beyond what NVIDIA documents (kLarger).
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "../devicelib/library.h"
#include "inputs.h"
#include "reference.h"

// The library's fmax and fmin are the compiler's. On the device they are the instructions, which do not distinguish
// signalling NaNs and order the zeros. On the host this is not guaranteed.
#define __nv_fmax ref::number_above
#define __nv_fmaxf ref::number_above
#define __nv_fmin ref::number_below
#define __nv_fminf ref::number_below

namespace warpwise::math {
namespace {

// --- bits and kinds ---
template <class T>
T of_bits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
uint64_t to_bits(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
constexpr bool kFloating =
    std::is_same_v<T, f64> || std::is_same_v<T, f32> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T>
long double wide(T v) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
    return v.value();
  else
    return static_cast<long double>(v);
}
// The distance from one number of a format to the next, at |x|.
template <class T>
long double ulp_at(long double x) {
  int digits = 53, least = -1074;
  if constexpr (std::is_same_v<T, f32>) digits = 24, least = -149;
  if constexpr (std::is_same_v<T, f16>) digits = 11, least = -24;
  if constexpr (std::is_same_v<T, bf16>) digits = 8, least = -133;
  int exponent = 0;
  if (x != 0 && std::isfinite(x)) frexpl(x, &exponent);
  return ldexpl(1, std::max(exponent - digits, least));
}
int kind_of(long double x) {
  return std::isnan(x) ? 0 : std::isinf(x) ? (x > 0 ? 1 : 2) : x == 0 ? (std::signbit(x) ? 3 : 4) : 5;
}

struct Bound {
  long double ulps = 0, absolute = 0;
  bool stated = false;
};

// Where the distance may be larger, by the CUDA guide's tables: near zeros of the function the error has an absolute
// bound. jn is NaN there for arguments near zero.
struct Larger {
  const char* prefix;
  double absolute_f64, absolute_f32;
  bool any_kind;
};
constexpr Larger kLarger[] = {{"lgamma", 1e-12, 1e-5, false}, {"j0", 5e-12, 1e-5, false}, {"j1", 5e-12, 1e-5, false},
                              {"y0", 5e-12, 1e-5, false},     {"y1", 5e-12, 1e-5, false}, {"jn", 5e-12, 1e-5, true},
                              {"yn", 5e-12, 1e-5, true}};
const Larger* larger_bound(const std::string& name) {
  for (const Larger& row : kLarger) {
    if (name.starts_with(row.prefix)) return &row;
  }
  return nullptr;
}

// The findings for one row.
struct Finding {
  uint64_t count = 0, differ = 0, kinds = 0, beyond = 0;
  long double farthest = 0,
              farthest_absolute = 0;  // the latter of those beyond 16 ulps, and relative to numbers above 1
  std::string worst;
  std::map<std::pair<int, int>, std::string> first_of_kinds;  // by the kinds of expectation and result
};

struct Record {
  std::vector<uint64_t> results;
};

std::string text_of(const std::vector<std::pair<Kind, uint64_t>>& arguments) {
  std::string text;
  for (auto [kind, bits] : arguments) {
    char one[64];
    if (kind == Kind::f64)
      std::snprintf(one, sizeof one, "%.17g", of_bits<f64>(bits));
    else if (kind == Kind::f32)
      std::snprintf(one, sizeof one, "%.9g", static_cast<double>(of_bits<f32>(bits)));
    else if (kind == Kind::f16)
      std::snprintf(one, sizeof one, "%.9g", static_cast<double>(of_bits<f16>(bits).value()));
    else if (kind == Kind::bf16)
      std::snprintf(one, sizeof one, "%.9g", static_cast<double>(of_bits<bf16>(bits).value()));
    else
      std::snprintf(one, sizeof one, "%#" PRIx64, bits);
    text += (text.empty() ? "" : ", ") + std::string(one);
  }
  return text;
}

// Compares one result. `exact` is the reference: of the result's type, or a long double where the row is an
// approximation.
template <class R, class E>
void judge(Finding& finding, uint64_t got_bits, E exact, Bound bound,
           const std::vector<std::pair<Kind, uint64_t>>& arguments) {
  ++finding.count;
  const R got = of_bits<R>(got_bits);
  if constexpr (!kFloating<R>) {
    if (got == static_cast<R>(exact)) return;
    ++finding.differ, ++finding.beyond;
    char values[96];
    std::snprintf(values, sizeof values, ": expected %#" PRIx64 " got %#" PRIx64, to_bits(static_cast<R>(exact)),
                  got_bits);
    if (finding.worst.empty()) finding.worst = text_of(arguments) + values;
  } else {
    const long double is = wide(got), should = wide(exact);
    bool same = false;
    if constexpr (std::is_same_v<R, E>) same = to_bits(got) == to_bits(exact);
    if (same || (std::isnan(is) && std::isnan(should))) return;
    auto describe = [&] {
      char values[128];
      std::snprintf(values, sizeof values, ": expected %.21Lg got %.21Lg (%#" PRIx64 ")", should, is, got_bits);
      return text_of(arguments) + values;
    };
    if (!std::is_same_v<R, E> && !bound.stated) std::abort();
    ++finding.differ;
    const long double unit = ulp_at<R>(should);
    long double error = std::fabs(is - should);
    // Of approximations the exact value may be beyond the range, or too small for it, where the result is infinite or
    // zero.
    const long double largest = ldexpl(1, std::is_same_v<R, f64> ? 1024 : std::is_same_v<R, f16> ? 16 : 128);
    const long double normal = ldexpl(1, std::is_same_v<R, f64> ? -1022 : std::is_same_v<R, f16> ? -14 : -126);
    if (std::isinf(is) && std::fabs(should) > largest * 0.999999L && is * should > 0) return;
    if (bound.stated && std::fabs(should) < normal && std::fabs(is) <= normal) return;
    if (std::isinf(is) != std::isinf(should) || std::isnan(is) != std::isnan(should))
      error = std::numeric_limits<long double>::infinity();
    const int a = kind_of(is), b = kind_of(should);
    const bool underflow = (a >= 3 && b == 5) || (a == 5 && b >= 3);  // zero against a subnormal: a matter of distance
    if (a != b && !(underflow && error <= 16 * unit) &&
        !(bound.stated && error <= std::max(bound.ulps * unit, bound.absolute))) {
      ++finding.kinds;
      if (std::string& first = finding.first_of_kinds[{a, b}]; first.empty()) first = describe();
    }
    const long double distance = error / unit;
    if (distance > 16 && std::isfinite(error))
      finding.farthest_absolute = std::max(finding.farthest_absolute, error / std::max(1.0L, std::fabs(should)));
    if (distance > finding.farthest || finding.worst.empty()) {
      finding.worst = describe();
      if (std::isfinite(distance)) finding.farthest = std::max(distance, finding.farthest);
    }
    if (!(error <= std::max(bound.ulps * unit, bound.absolute)) || !bound.stated) ++finding.beyond;
  }
}

// --- rows ---
template <class T>
constexpr Kind kind_of_type() {
#define TYPE(t) \
  if (std::is_same_v<T, t>) return Kind::t;
  TYPE(f64) TYPE(f32) TYPE(f16) TYPE(bf16) TYPE(i64) TYPE(u64) TYPE(i32) TYPE(u32)
#undef TYPE
}

// All results of a row with arguments A…, compared with its reference within its bound.
template <class R, class... A, class Reference, class BoundOf>
Finding check(const char* name, const Record& record, Reference reference, BoundOf bound_of) {
  Finding finding;
  const uint64_t row = hash(name);
  for (uint64_t i = 0; i < record.results.size(); ++i) {
    unsigned which = 0;
    std::vector<std::pair<Kind, uint64_t>> bits;
    (bits.emplace_back(kind_of_type<A>(), input(row, which++, kind_of_type<A>(), i)), ...);
    auto next = bits.begin();
    const std::tuple<A...> arguments{of_bits<A>((next++)->second)...};
    judge<R>(finding, record.results[i], std::apply(reference, arguments), std::apply(bound_of, arguments), bits);
  }
  return finding;
}

struct Row {
  const char* name;
  Kind result;
  Finding (*check)(const Record&);
  bool library;  // groups 1 and 2: the reference is the device library
};

#define ROW1(...) ROW1_(__VA_ARGS__)
#define ROW2(...) ROW2_(__VA_ARGS__)
#define ROW3(...) ROW3_(__VA_ARGS__)
#define ROW1_(R, A, name, device, host)                                                                       \
  {#name, Kind::R,                                                                                            \
   [](const Record& r) {                                                                                      \
     return check<R, A>(#name, r, []([[maybe_unused]] A x) -> R { return host; }, [](A) { return Bound{}; }); \
   },                                                                                                         \
   WW_GROUP <= 2},
#define ROW2_(R, A, B, name, device, host)                                                              \
  {#name, Kind::R,                                                                                      \
   [](const Record& r) {                                                                                \
     return check<R, A, B>(#name, r, [](A x, B y) -> R { return host; }, [](A, B) { return Bound{}; }); \
   },                                                                                                   \
   WW_GROUP <= 2},
#define ROW3_(R, A, B, C, name, device, host)                                                                      \
  {#name, Kind::R,                                                                                                 \
   [](const Record& r) {                                                                                           \
     return check<R, A, B, C>(#name, r, [](A x, B y, C z) -> R { return host; }, [](A, B, C) { return Bound{}; }); \
   },                                                                                                              \
   WW_GROUP <= 2},
#define NEAR1(R, A, name, device, host, ulps, absolute)                                            \
  {#name, Kind::R,                                                                                 \
   [](const Record& r) {                                                                           \
     return check<R, A>(                                                                           \
         #name, r, [](A x) { return host; },                                                       \
         []([[maybe_unused]] A x) {                                                                \
           return Bound{static_cast<long double>(ulps), static_cast<long double>(absolute), true}; \
         });                                                                                       \
   },                                                                                              \
   false},
#define NEAR2(R, A, B, name, device, host, ulps, absolute)                                         \
  {#name, Kind::R,                                                                                 \
   [](const Record& r) {                                                                           \
     return check<R, A, B>(                                                                        \
         #name, r, [](A x, B y) { return host; },                                                  \
         []([[maybe_unused]] A x, [[maybe_unused]] B y) {                                          \
           return Bound{static_cast<long double>(ulps), static_cast<long double>(absolute), true}; \
         });                                                                                       \
   },                                                                                              \
   false},

const Row kRows[] = {
#define WW_GROUP 1
#include "rows.inc"
#undef WW_GROUP
#define WW_GROUP 2
#include "rows.inc"
#undef WW_GROUP
#define WW_GROUP 3
#include "rows.inc"
#undef WW_GROUP
#define WW_GROUP 4
#include "rows.inc"
#undef WW_GROUP
#define WW_GROUP 5
#include "rows.inc"
#undef WW_GROUP
#define WW_GROUP 6
#include "rows.inc"
#undef WW_GROUP
};

// --- files ---
bool read_records(const char* path, std::map<std::string, Record>& records) {
  std::ifstream file(path, std::ios::binary);
  std::string name;
  uint64_t count;
  unsigned bytes;
  while (file >> name >> count >> bytes) {
    file.get();  // the end of the line
    Record& record = records[name];
    record.results.assign(count, 0);
    for (uint64_t& result : record.results) file.read(reinterpret_cast<char*>(&result), bytes);
  }
  return !records.empty() && file.eof();
}

int run(const std::vector<const char*>& files, bool other, bool verbose) {
  std::map<std::string, Record> records;
  for (const char* path : files) {
    if (!read_records(path, records)) return std::fprintf(stderr, "compare: %s is no file of results\n", path), 2;
  }
  unsigned checked = 0, wrong = 0;
  uint64_t values = 0;
  for (const Row& row : kRows) {
    auto found = records.find(row.name);
    if (found == records.end()) continue;
    const Finding f = row.check(found->second);
    ++checked, values += f.count;
    bool bad = f.beyond != 0;
    if (other && row.library) {
      const Larger* larger = larger_bound(row.name);
      const double absolute = !larger ? 0 : found->first.ends_with("f32") ? larger->absolute_f32 : larger->absolute_f64;
      bad = (f.kinds != 0 && !(larger && larger->any_kind)) || f.farthest_absolute > absolute;
    }
    wrong += bad;
    if (!bad && !(verbose && f.differ)) continue;
    std::printf("%s\t%s\t%" PRIu64 " of %" PRIu64 " differ\tby up to %.2Lf ulp\t%" PRIu64 " in kind\n",
                bad ? "WRONG" : "near", row.name, f.differ, f.count, f.farthest, f.kinds);
    if (!f.worst.empty()) std::printf("\t%s\n", f.worst.c_str());
    for (const auto& [kinds, first] : f.first_of_kinds) {
      if (first != f.worst) std::printf("\t%s\n", first.c_str());
    }
  }
  std::printf("# %u rows, %" PRIu64 " results, %u rows wrong\n", checked, values, wrong);
  return wrong != 0 || checked == 0;
}

// Engines of one virtual GPU must agree exactly, even in approximations. Only NaNs may differ: the manual says so for
// abs and neg, into which copysign is compiled (PTX ISA, "neg": "NaN input yields unspecified NaN" for f32 and f64).
bool same_result(Kind kind, uint64_t a, uint64_t b) {
  if (a == b) return true;
  if (kind == Kind::f64) return std::isnan(of_bits<f64>(a)) && std::isnan(of_bits<f64>(b));
  return kind == Kind::f32 && std::isnan(of_bits<f32>(a)) && std::isnan(of_bits<f32>(b));
}
int compare_files(const std::vector<const char*>& files) {
  std::map<std::string, Record> first;
  unsigned differ = 0;
  for (const char* path : files) {
    std::map<std::string, Record> records;
    if (!read_records(path, records)) return std::fprintf(stderr, "compare: %s is no file of results\n", path), 2;
    for (auto& [name, record] : records) {
      auto [before, is_new] = first.try_emplace(name, record);
      const std::vector<uint64_t>&a = before->second.results, &b = record.results;
      const size_t count = std::min(a.size(), b.size());
      const Row* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return name == r.name; });
      const Kind kind = row == std::end(kRows) ? Kind::u64 : row->result;
      size_t i = 0;
      while (i < count && same_result(kind, a[i], b[i])) ++i;
      if (is_new || i == count) continue;
      ++differ;
      std::printf("%s[%zu] is %#" PRIx64 " in %s, %#" PRIx64 " in %s\n", name.c_str(), i, a[i], files[0], b[i], path);
    }
  }
  std::printf("# %zu rows of %zu files, %u differences\n", first.size(), files.size(), differ);
  return differ != 0;
}

}  // namespace
}  // namespace warpwise::math

int main(int argc, char** argv) {
  std::vector<const char*> files;
  bool other = false, verbose = false, same = false;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--other")
      other = true;
    else if (word == "--verbose")
      verbose = true;
    else if (word == "--same")
      same = true;
    else
      files.push_back(argv[k]);
  }
  if (files.empty()) return std::fprintf(stderr, "usage: compare [--other] [--verbose] [--same] FILE…\n"), 2;
  return same ? warpwise::math::compare_files(files) : warpwise::math::run(files, other, verbose);
}
