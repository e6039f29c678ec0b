// A number of each thread of a block, as far as it is known:
//
//     constant of the thread + sum of (coefficient of the thread * product of values that all threads share)
//           + anything from 0 to `spread` + any multiple of `modulus`
//
//     c + (blockIdx.y * 16 + threadIdx.y) * n + threadIdx.x       // blocks of 32 x 16, c and n parameters
//
// has the constants threadIdx.x, the terms 1 * c, 16 * (blockIdx.y n) and threadIdx.y * n, and neither spread nor
// modulus.
//
// Arithmetic is that of 64 bits, which wraps. A number of fewer bits is known up to multiples of two to their number:
// what extends it says so with the modulus.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "simt/launch_assumptions.h"

namespace warpwise::simt {

// One number for each thread of a block; one for all where they have the same.
class PerThread {
 public:
  PerThread(int64_t value = 0) : values_{value} {}
  explicit PerThread(std::vector<int64_t> values);

  int64_t at(size_t thread) const { return values_[is_uniform() ? 0 : thread]; }
  bool is_uniform() const { return values_.size() == 1; }
  bool is_zero() const { return is_uniform() && values_[0] == 0; }
  int64_t least() const;
  int64_t most() const;
  // Each number becomes f(number).
  template <class F>
  void change(F&& f) {
    for (int64_t& value : values_) value = f(value);
    *this = PerThread(std::move(values_));
  }
  // f(x, y) of each thread.
  template <class F>
  static PerThread combine(const PerThread& x, const PerThread& y, F&& f) {
    const PerThread& longer = x.is_uniform() ? y : x;
    std::vector<int64_t> values(longer.values_.size());
    for (size_t t = 0; t < values.size(); ++t) values[t] = f(x.at(t), y.at(t));
    return PerThread(std::move(values));
  }
  bool operator==(const PerThread&) const = default;

 private:
  std::vector<int64_t> values_;
};

struct AffineForm {
  struct Term {
    llvm::SmallVector<llvm::Value*, 2> product;  // values that all threads share, in the order of their addresses
    PerThread coefficient;
  };

  PerThread constant;
  llvm::SmallVector<Term, 4> terms;
  uint64_t spread = 0;                       // and up to so much more
  uint64_t modulus = 0;                      // and any multiple of it; 0: nothing more
  llvm::SmallPtrSet<llvm::Value*, 2> bases;  // pointers that it was made of
  bool any_base = false;                     // may be an address that was loaded or computed
  LaunchRanges assumed;                      // true of launches with these numbers alone

  static AffineForm number(int64_t value);
  // A value that all threads share.
  static AffineForm shared(llvm::Value* value);
  static AffineForm unknown(bool may_be_address);
  // Anything in [least, least + spread].
  static AffineForm bounded(uint64_t least, uint64_t spread);
  // Of two forms without spread, modulus and bases, where the result is not too long.
  static std::optional<AffineForm> product(const AffineForm& a, const AffineForm& b);

  // Nothing but one number for each thread, for every launch; and nothing but one number.
  bool is_constant() const {
    return bases.empty() && !any_base && is_exact() && terms.empty() && assumed.all().empty();
  }
  bool is_number() const { return is_constant() && constant.is_uniform(); }
  // Every value is known as a polynomial of what the threads share.
  bool is_exact() const { return spread == 0 && modulus == 0; }
  // Whether no bit is set both here and in `low`, since this is a multiple of a power of two that is above all of
  // `low`.
  bool has_no_bit_of(const AffineForm& low) const;

  // Whether both say the same of a number.
  bool says_the_same_as(const AffineForm& other) const;
  // What is true of a number of either form, if they differ by what all threads have alike, and by their moduli alone.
  static std::optional<AffineForm> either(const AffineForm& a, const AffineForm& b);

  void add(const AffineForm& other, int64_t factor);
  void scale(int64_t factor);
  void add_modulus(uint64_t more);
  void take_bases(const AffineForm& other);

  // Of an object in memory: no index is larger.
  static constexpr uint64_t kWidest = uint64_t{1} << 40;

 private:
  bool has_the_same_bounds_as(const AffineForm& other) const;
  PerThread coefficient_of(const Term& term) const;
  void add_spread(uint64_t more, int64_t factor);
  void add_term(const Term& term, int64_t factor);
};

inline uint64_t magnitude(int64_t value) { return value < 0 ? 0 - uint64_t(value) : uint64_t(value); }

}  // namespace warpwise::simt
