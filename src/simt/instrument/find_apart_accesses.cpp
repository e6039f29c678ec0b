#include "simt/instrument/find_apart_accesses.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "simt/analysis/counter_bounds.h"
#include "simt/analysis/pointer_address.h"
#include "simt/analysis/thread_conflicts.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Accesses at more places are compared as they run.
constexpr size_t kMostOffsets = 64;

// One access, as a sum over the indices of the thread and its block.
struct Place {
  LaunchSum offset, by_thread[3], by_block[3], reach;
  uint64_t modulus = 0, wrap = 0;
  LaunchRanges assumed;
};

class PlaceFinder {
 public:
  // only: the one thread that makes the access; nothing: all of them may.
  PlaceFinder(const BlockShape& block, unsigned pointer, std::optional<unsigned> only)
      : block_(block), pointer_(pointer), only_(only) {}

  std::optional<Place> find(const AffineForm& form) {
    if (form.any_base || form.bases.size() != 1 || form.spread != 0) return {};
    Place place;
    place.modulus = form.modulus;
    place.assumed = form.assumed;
    if (!add_by_thread(place, form.constant, {})) return {};
    bool from_pointer = false;
    for (const AffineForm::Term& term : form.terms) {
      if (is_pointer(term)) {
        if (from_pointer || !term.coefficient.is_uniform() || term.coefficient.at(0) != 1) return {};
        from_pointer = true;
      } else if (!add(place, term)) {
        return {};
      }
    }
    if (!from_pointer) return {};
    return place;
  }

 private:
  bool is_pointer(const AffineForm::Term& term) const {
    if (term.product.size() != 1) return false;
    const auto number = AffineValues::launch_number(term.product[0]);
    return number && number->of == LaunchRange::Of::Parameter && number->bytes == 8 && number->offset == pointer_ * 8;
  }

  // Index of a block, parameter, or one times the other.
  bool add(Place& place, const AffineForm::Term& term) {
    LaunchSum::Part part;
    std::optional<unsigned> dimension;
    SmallVector<Value*, 4> factors;
    for (Value* factor : term.product) {
      // What all threads share is one factor, as it is computed. What wraps at 32 bits is in the form's modulus.
      auto* product = dyn_cast<BinaryOperator>(factor);
      if (product && product->getOpcode() == Instruction::Mul)
        factors.append(product->op_begin(), product->op_end());
      else
        factors.push_back(factor);
    }
    for (Value* factor : factors) {
      const auto number = AffineValues::launch_number(factor);
      if (!number) return false;
      if (number->of == LaunchRange::Of::Parameter) {
        if (part.bytes != 0) return false;
        part.bytes = number->bytes, part.offset = number->offset;
      } else {
        if (dimension) return false;
        dimension = unsigned(number->of) - unsigned(LaunchRange::Of::GridX);
      }
    }
    if (!dimension) return add_by_thread(place, term.coefficient, part);
    if (!term.coefficient.is_uniform()) return false;
    part.factor = term.coefficient.at(0);
    place.by_block[*dimension].add(part);
    return true;
  }

  // A number of each thread that is a sum over its indices, times the part's parameter.
  bool add_by_thread(Place& place, const PerThread& numbers, LaunchSum::Part part) {
    auto add_to = [&](LaunchSum& sum, uint64_t factor) {
      part.factor = int64_t(factor);
      sum.add(part);
    };
    if (only_) {
      add_to(place.offset, uint64_t(numbers.at(*only_)));
      return true;
    }
    const unsigned x = block_.size[0], y = block_.size[1], z = block_.size[2];
    const unsigned next[3] = {1, x, x * y}, sizes[3] = {x, y, z};
    const uint64_t first = uint64_t(numbers.at(0));
    uint64_t steps[3] = {};
    for (unsigned d = 0; d < 3; ++d)
      if (sizes[d] > 1) steps[d] = uint64_t(numbers.at(next[d])) - first;
    for (unsigned t = 0; t < block_.threads(); ++t)
      if (uint64_t(numbers.at(t)) != first + t % x * steps[0] + t / x % y * steps[1] + t / (x * y) * steps[2])
        return false;
    add_to(place.offset, first);
    for (unsigned d = 0; d < 3; ++d) add_to(place.by_thread[d], steps[d]);
    return true;
  }

  const BlockShape& block_;
  const unsigned pointer_;
  const std::optional<unsigned> only_;
};

// Parts of an address that stand beside a loop's counter: they say nothing of the thread.
bool is_of_block(const AffineForm& form) {
  return form.spread == 0 && form.constant.is_uniform() &&
         all_of(form.terms, [](const AffineForm::Term& term) { return term.coefficient.is_uniform(); });
}

// Adds to the place how far the one counter of the address reaches, if all that differs between a block's threads and
// turns is in that counter.
void find_reach(Place& place, Value* address, const BasicBlock& at, AffineValues& values,
                const DominatorTree& dominators) {
  using namespace PatternMatch;
  Value *a = nullptr, *b = nullptr, *counter = nullptr;
  uint64_t wrap = 0;
  while (match(address, m_Add(m_Value(a), m_Value(b)))) {
    if (!is_of_block(values.of(b))) std::swap(a, b);
    if (!is_of_block(values.of(b))) return;
    wrap = std::gcd(wrap, values.of(b).modulus);
    address = a;
  }
  uint64_t scale = 1;
  ConstantInt* number = nullptr;
  if (match(address, m_Shl(m_Value(a), m_ConstantInt(number))) && number->getZExtValue() < 32)
    scale = uint64_t{1} << number->getZExtValue(), address = a;
  else if (match(address, m_Mul(m_Value(a), m_ConstantInt(number))) && number->getZExtValue() <= ~uint32_t{0})
    scale = number->getZExtValue(), address = a;
  if (scale == 0 || !match(address, m_ZExtOrSExt(m_Value(counter)))) return;
  // The place's offset has none of what the counter adds.
  if (values.of(counter).constant.at(0) != 0) return;
  const std::optional<LaunchRange> bound = counter_bound(counter, at, values, dominators);
  if (!bound) return;
  place.wrap = wrap;
  place.reach.add({int64_t(scale), bound->bytes, bound->offset});
  place.reach.add({-int64_t(scale), 0, 0});
  place.assumed.add(*bound);
}

// The one thread of the block that makes all of the accesses, if it is one.
std::optional<unsigned> only_thread(AffineValues& values, const BlockShape& block, ArrayRef<Instruction*> accesses) {
  std::optional<unsigned> only;
  for (Instruction* access : accesses) {
    const std::vector<bool>& threads = values.threads_at(access->getParent());
    for (unsigned t = 0; t < block.threads(); ++t) {
      if (!threads[t]) continue;
      if (only && *only != t) return {};
      only = t;
    }
  }
  return only;
}

}  // namespace

std::optional<ApartAccesses> find_apart_accesses(AffineValues& values, const BlockShape& block, unsigned pointer,
                                                 ArrayRef<Instruction*> accesses) {
  if (accesses.empty()) return {};
  const std::optional<unsigned> only = only_thread(values, block, accesses);
  const DominatorTree dominators(*accesses.front()->getFunction());
  PlaceFinder finder(block, pointer, only);
  ApartAccesses apart;
  apart.pointer = uint8_t(pointer);
  if (!only)
    for (unsigned d = 0; d < 3; ++d) apart.threads[d] = block.size[d];
  bool first = true;
  for (Instruction* access : accesses) {
    const uint64_t bytes = ThreadConflicts::bytes_of(*access);
    // Others have cells of their own, or take part in what orders accesses.
    const bool plain = isa<LoadInst, StoreInst>(access) && !access->isAtomic() && !access->isVolatile();
    if (!plain || bytes % 4 != 0) return {};
    std::optional<Place> place = finder.find(values.of(ThreadConflicts::pointer_of(*access)));
    if (!place) return {};
    if (Value* address = address_of_pointer(ThreadConflicts::pointer_of(*access)); address && !only)
      find_reach(*place, address, *access->getParent(), values, dominators);
    if (first) {
      apart.reach = place->reach, apart.wrap = place->wrap;
      std::copy(std::begin(place->by_thread), std::end(place->by_thread), std::begin(apart.by_thread));
      std::copy(std::begin(place->by_block), std::end(place->by_block), std::begin(apart.by_block));
      apart.modulus = place->modulus;
    } else if (!std::equal(std::begin(place->by_thread), std::end(place->by_thread), std::begin(apart.by_thread)) ||
               !std::equal(std::begin(place->by_block), std::end(place->by_block), std::begin(apart.by_block)) ||
               place->modulus != apart.modulus) {
      return {};
    }
    if (!(place->reach == apart.reach)) apart.reach = {};
    apart.wrap = std::gcd(apart.wrap, place->wrap);
    first = false;
    apart.bytes = std::max(apart.bytes, uint32_t(bytes));
    apart.assumed.add(place->assumed);
    if (std::find(apart.offsets.begin(), apart.offsets.end(), place->offset) == apart.offsets.end())
      apart.offsets.push_back(std::move(place->offset));
    if (apart.offsets.size() > kMostOffsets) return {};
  }
  return apart;
}

}  // namespace warpwise::simt
