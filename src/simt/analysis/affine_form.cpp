#include "simt/analysis/affine_form.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

namespace warpwise::simt {

namespace {

// A form of more terms is not compared any more: what is left of two would not be understood anyway.
constexpr size_t kMostTerms = 8, kMostFactors = 3;

int64_t wrapping_add(int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); }
int64_t wrapping_mul(int64_t x, int64_t y) { return int64_t(uint64_t(x) * uint64_t(y)); }

}  // namespace

PerThread::PerThread(std::vector<int64_t> values) : values_(std::move(values)) {
  if (std::adjacent_find(values_.begin(), values_.end(), std::not_equal_to<>()) == values_.end()) values_.resize(1);
}
int64_t PerThread::least() const { return *std::min_element(values_.begin(), values_.end()); }
int64_t PerThread::most() const { return *std::max_element(values_.begin(), values_.end()); }

AffineForm AffineForm::number(int64_t value) {
  AffineForm form;
  form.constant = value;
  return form;
}

AffineForm AffineForm::shared(llvm::Value* value) {
  AffineForm form;
  form.terms.push_back({{value}, 1});
  return form;
}

AffineForm AffineForm::unknown(bool may_be_address) {
  AffineForm form;
  form.modulus = 1;
  form.any_base = may_be_address;
  return form;
}

AffineForm AffineForm::bounded(uint64_t least, uint64_t spread) {
  AffineForm form = number(int64_t(least));
  form.spread = spread;
  return form;
}

// Takes `factor` * [0, more] in.
void AffineForm::add_spread(uint64_t more, int64_t factor) {
  if (more == 0 || factor == 0) return;
  if (magnitude(factor) > kWidest / more || spread + more * magnitude(factor) > kWidest) {
    spread = 0;
    modulus = 1;
    return;
  }
  const uint64_t scaled = more * magnitude(factor);
  spread += scaled;
  if (factor < 0) constant.change([&](int64_t c) { return int64_t(uint64_t(c) - scaled); });
}

void AffineForm::add_term(const Term& term, int64_t factor) {
  auto* found = llvm::find_if(terms, [&](const Term& own) { return own.product == term.product; });
  if (found == terms.end()) found = terms.insert(found, {term.product, 0});
  found->coefficient = PerThread::combine(found->coefficient, term.coefficient, [factor](int64_t x, int64_t y) {
    return wrapping_add(x, wrapping_mul(y, factor));
  });
  if (found->coefficient.is_zero()) terms.erase(found);
}

PerThread AffineForm::coefficient_of(const Term& term) const {
  const auto* found = llvm::find_if(terms, [&](const Term& own) { return own.product == term.product; });
  return found == terms.end() ? PerThread(0) : found->coefficient;
}

// All but the constant, the terms and the modulus.
bool AffineForm::has_the_same_bounds_as(const AffineForm& other) const {
  return spread == other.spread && any_base == other.any_base && bases.size() == other.bases.size() &&
         llvm::all_of(bases, [&](llvm::Value* base) { return other.bases.contains(base); });
}

bool AffineForm::has_no_bit_of(const AffineForm& low) const {
  if (spread != 0 || !low.is_constant() || low.constant.least() < 0 || low.constant.most() > int64_t(kWidest))
    return false;
  const uint64_t below = std::bit_ceil(uint64_t(low.constant.most()) + 1) - 1;
  auto is_multiple = [&](PerThread numbers) {
    numbers.change([&](int64_t number) { return int64_t(uint64_t(number) & below); });
    return numbers.is_zero();
  };
  return (modulus & below) == 0 && is_multiple(constant) &&
         llvm::all_of(terms, [&](const Term& term) { return is_multiple(term.coefficient); });
}

bool AffineForm::says_the_same_as(const AffineForm& other) const {
  auto has_mine = [&](const Term& term) { return other.coefficient_of(term) == term.coefficient; };
  return constant == other.constant && modulus == other.modulus && has_the_same_bounds_as(other) &&
         terms.size() == other.terms.size() && llvm::all_of(terms, has_mine);
}

// A term with another coefficient here than there, each the same for all threads, is a multiple of their difference.
std::optional<AffineForm> AffineForm::either(const AffineForm& a, const AffineForm& b) {
  auto subtract = [](int64_t x, int64_t y) { return wrapping_add(x, wrapping_mul(y, -1)); };
  const PerThread apart = PerThread::combine(a.constant, b.constant, subtract);
  if (!apart.is_uniform() || !a.has_the_same_bounds_as(b)) return {};
  AffineForm form = a;
  form.terms.clear();
  form.add_modulus(b.modulus);
  form.add_modulus(magnitude(apart.at(0)));
  form.assumed.add(b.assumed);
  for (const Term& term : a.terms) {
    const PerThread in_b = b.coefficient_of(term), more = PerThread::combine(term.coefficient, in_b, subtract);
    if (!more.is_zero() && !(term.coefficient.is_uniform() && in_b.is_uniform())) return {};
    form.add_modulus(magnitude(more.at(0)));
    if (!in_b.is_zero()) form.terms.push_back({term.product, in_b});
  }
  for (const Term& term : b.terms) {
    if (!a.coefficient_of(term).is_zero()) continue;
    if (!term.coefficient.is_uniform()) return {};
    form.add_modulus(magnitude(term.coefficient.at(0)));
  }
  return form;
}

void AffineForm::add_modulus(uint64_t more) { modulus = std::gcd(modulus, more); }

void AffineForm::take_bases(const AffineForm& other) {
  bases.insert(other.bases.begin(), other.bases.end());
  any_base |= other.any_base;
  assumed.add(other.assumed);
}

void AffineForm::add(const AffineForm& other, int64_t factor) {
  take_bases(other);
  for (const Term& term : other.terms) add_term(term, factor);
  constant = PerThread::combine(constant, other.constant,
                                [factor](int64_t x, int64_t y) { return wrapping_add(x, wrapping_mul(y, factor)); });
  add_modulus(other.modulus * magnitude(factor));
  add_spread(other.spread, factor);
}

void AffineForm::scale(int64_t factor) {
  for (Term& term : terms) term.coefficient.change([&](int64_t c) { return wrapping_mul(c, factor); });
  constant.change([&](int64_t c) { return wrapping_mul(c, factor); });
  modulus *= magnitude(factor);
  add_spread(std::exchange(spread, 0), factor);
}

std::optional<AffineForm> AffineForm::product(const AffineForm& a, const AffineForm& b) {
  for (const AffineForm* form : {&a, &b})
    if (!form->is_exact() || !form->bases.empty() || form->any_base) return {};
  AffineForm result;
  result.assumed.add(a.assumed);
  result.assumed.add(b.assumed);
  result.constant = PerThread::combine(a.constant, b.constant, wrapping_mul);
  auto multiply = [&](const Term& term, const PerThread& by) {
    result.add_term({term.product, PerThread::combine(term.coefficient, by, wrapping_mul)}, 1);
  };
  for (const Term& term : a.terms) multiply(term, b.constant);
  for (const Term& term : b.terms) multiply(term, a.constant);
  for (const Term& x : a.terms)
    for (const Term& y : b.terms) {
      Term both{x.product, x.coefficient};
      both.product.append(y.product.begin(), y.product.end());
      if (both.product.size() > kMostFactors) return {};
      llvm::sort(both.product);
      multiply(both, y.coefficient);
    }
  if (result.terms.size() > kMostTerms) return {};
  return result;
}

}  // namespace warpwise::simt
