#include "simt/analysis/thread_conflicts.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// The bytes that one thread may touch, [first, end) of its row, and the group that the thread belongs to. Rows have no
// byte in common (separating_stride).
struct Touched {
  int64_t row;
  uint64_t first, end;
  unsigned group;
  bool by_b;
};

// Intervals that have begun, as far as the question needs them: the one that ends last, and the last to end of another
// group.
class LastEnds {
 public:
  void add(const Touched& t) {
    if (t.group == best_.group)
      best_.end = std::max(best_.end, t.end);
    else if (t.end > best_.end)
      second_ = best_, best_ = {t.end, t.group};
    else if (t.end > second_.end)
      second_ = {t.end, t.group};
  }
  bool reaches(uint64_t first, unsigned group) const {
    return (best_.group == group ? second_.end : best_.end) > first;
  }

 private:
  struct End {
    uint64_t end = 0;
    unsigned group = ~0u;
  };
  End best_, second_;
};

// Does an interval of access a overlap one of access b that belongs to another group?
bool groups_overlap(std::vector<Touched>& touched) {
  std::sort(touched.begin(), touched.end(),
            [](const Touched& x, const Touched& y) { return std::pair(x.row, x.first) < std::pair(y.row, y.first); });
  std::array<LastEnds, 2> begun;  // of a, of b
  int64_t row = touched.empty() ? 0 : touched.front().row;
  for (const Touched& t : touched) {
    if (std::exchange(row, t.row) != t.row) begun = {};
    if (begun[t.by_b ? 0 : 1].reaches(t.first, t.group)) return true;
    begun[t.by_b ? 1 : 0].add(t);
  }
  return false;
}

}  // namespace

ThreadConflicts::ThreadConflicts(Function& function, const BlockShape& block, const MayAssume& may_assume)
    : threads_(block.threads()),
      may_assume_(may_assume),
      values_(function, block, may_assume.ranges),
      loops_(function, block, may_assume.ranges) {}

Value* ThreadConflicts::pointer_of(Instruction& access) {
  if (auto* load = dyn_cast<LoadInst>(&access)) return load->getPointerOperand();
  if (auto* store = dyn_cast<StoreInst>(&access)) return store->getPointerOperand();
  if (auto* update = dyn_cast<AtomicRMWInst>(&access)) return update->getPointerOperand();
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&access)) return exchange->getPointerOperand();
  return nullptr;
}

uint64_t ThreadConflicts::bytes_of(Instruction& access) {
  Type* type = access.getType();
  if (auto* store = dyn_cast<StoreInst>(&access)) type = store->getValueOperand()->getType();
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&access)) type = exchange->getNewValOperand()->getType();
  return access.getDataLayout().getTypeStoreSize(type);
}

std::optional<ThreadConflicts::Range> ThreadConflicts::shared_range(Instruction& access) {
  Value* pointer = pointer_of(access);
  if (!pointer || pointer->getType()->getPointerAddressSpace() != kShared) return {};
  const AffineForm& form = values_.of(pointer);
  if (!form.bases.empty() || form.any_base || !form.terms.empty() || form.modulus != 0) return {};
  if (form.constant.least() < 0 || !form.assumed.all().empty()) return {};
  return Range{uint64_t(form.constant.least()), uint64_t(form.constant.most()) + form.spread + bytes_of(access)};
}

bool ThreadConflicts::may_conflict(Instruction& a, Instruction& b, Among among) {
  if (!may_conflict_in(values_, a, b, among)) return false;
  const BarrierLoops::Turns* turns = loops_.turns_of(a, b);
  return !turns || any_of(*turns, [&](const auto& values) { return may_conflict_in(*values, a, b, among); });
}

bool ThreadConflicts::may_conflict_in(AffineValues& values, Instruction& a, Instruction& b, Among among) {
  Value *pa = pointer_of(a), *pb = pointer_of(b);
  if (!pa || !pb) return true;
  const unsigned sa = pa->getType()->getPointerAddressSpace(), sb = pb->getType()->getPointerAddressSpace();
  auto is_private = [](unsigned space) { return space == kLocal || space == kParam || space == kConst; };
  if (is_private(sa) || is_private(sb)) return false;
  if (sa != sb && sa != kGeneric && sb != kGeneric) return false;
  const AffineForm &fa = values.of(pa), &fb = values.of(pb);
  auto is_shared_base = [](Value* v) { return dialect_of(v) == Dialect::SharedBase; };
  if (sa != sb && (sa == kShared || sb == kShared)) {
    // Offsets on one side, addresses that begin at SharedBase on the other.
    const AffineForm& generic = sa == kShared ? fb : fa;
    return generic.any_base || generic.bases.empty() || any_of(generic.bases, is_shared_base);
  }
  if (sa != kShared) {
    if (fa.any_base || fb.any_base || fa.bases.empty() || fb.bases.empty()) return true;
    if (none_of(fa.bases, [&](Value* v) { return fb.bases.contains(v); })) {
      // No parameter of a kernel is an address of its own shared memory.
      if (all_of(fa.bases, is_shared_base) || all_of(fb.bases, is_shared_base)) return false;
      return !assume_distinct(fa, fb);
    }
  }
  return !are_disjoint({fa, values.threads_at(a.getParent()), bytes_of(a)},
                       {fb, values.threads_at(b.getParent()), bytes_of(b)}, among);
}

// Each pointer of one address leads to another allocation than each of the other.
bool ThreadConflicts::assume_distinct(const AffineForm& a, const AffineForm& b) {
  if (!may_assume_.distinct_pointers) return false;
  // The kernel's shared memory and its parameters are in no allocation.
  auto is_own = [](Value* v) { return dialect_of(v) == Dialect::SharedBase || dialect_of(v) == Dialect::ParamBase; };
  SmallVector<DistinctPointers, 4> pairs;
  for (Value* x : a.bases)
    for (Value* y : b.bases) {
      if (is_own(x) || is_own(y)) continue;
      const std::optional<uint32_t> first = AffineValues::pointer_of_launch(x),
                                    second = AffineValues::pointer_of_launch(y);
      if (!first || !second || *first == *second) return false;
      pairs.push_back({*first, *second});
    }
  for (const DistinctPointers& pair : pairs) assumed_.distinct_pointers.add(pair);
  return true;
}

bool ThreadConflicts::are_disjoint(const Access& a, const Access& b, Among among) {
  const std::optional<Difference> difference = difference_of(a.form, b.form);
  if (!difference || difference->modulus == 1) return false;
  LaunchRanges ranges = a.form.assumed;
  ranges.add(b.form.assumed);
  if (difference->stride) {
    const std::optional<LaunchRange> range = separating_stride(a, b, *difference);
    if (!range) return false;
    ranges.add(*range);
  }
  ranges.add(assumed_.ranges);
  if (!ranges.possible() || overlap(a, b, *difference, among)) return false;
  assumed_.ranges = ranges;
  return true;
}

// Nothing where more than one value has coefficients of each thread.
std::optional<ThreadConflicts::Difference> ThreadConflicts::difference_of(const AffineForm& a, const AffineForm& b) {
  Difference result;
  result.modulus = std::gcd(a.modulus, b.modulus);
  auto coefficient_in = [](const AffineForm& form, const AffineForm::Term& term) {
    const auto* found = find_if(form.terms, [&](const auto& own) { return own.product == term.product; });
    return found == form.terms.end() ? PerThread(0) : found->coefficient;
  };
  for (const AffineForm* form : {&a, &b})
    for (const AffineForm::Term& term : form->terms) {
      const PerThread in_a = coefficient_in(a, term), in_b = coefficient_in(b, term);
      if (in_a.is_uniform() && in_b.is_uniform()) {
        result.modulus = std::gcd(result.modulus, magnitude(int64_t(uint64_t(in_a.at(0)) - uint64_t(in_b.at(0)))));
        continue;
      }
      if (term.product.size() != 1 || (result.stride && result.stride != term.product[0])) return {};
      result.stride = term.product[0], result.times_a = in_a, result.times_b = in_b;
    }
  return result;
}

// Threads with different multiples of the stride are in different rows. Rows have no byte in common if the stride is at
// least the width of all of them, and the last row does not reach round the modulus to the first.
std::optional<LaunchRange> ThreadConflicts::separating_stride(const Access& a, const Access& b,
                                                              const Difference& difference) {
  std::optional<LaunchRange> range = AffineValues::launch_number(difference.stride);
  if (!range || range->of != LaunchRange::Of::Parameter) return {};
  std::vector<int64_t> rows;
  int64_t least = INT64_MAX, end = INT64_MIN;
  constexpr int64_t kLimit = int64_t(AffineForm::kWidest);
  for (const Access* access : {&a, &b}) {
    const PerThread& times = access == &a ? difference.times_a : difference.times_b;
    for (size_t t = 0; t < access->threads.size(); ++t) {
      if (!access->threads[t]) continue;
      const int64_t at = access->form.constant.at(t), row = times.at(t);
      if (at < -kLimit || at > kLimit || row < -kLimit || row > kLimit) return {};
      rows.push_back(row);
      least = std::min(least, at), end = std::max(end, at + int64_t(access->form.spread + access->bytes));
    }
  }
  if (rows.empty()) return range;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  if (rows.size() == 1) return range;
  uint64_t step = ~uint64_t{0};
  for (size_t r = 1; r < rows.size(); ++r) step = std::min(step, uint64_t(rows[r] - rows[r - 1]));
  const uint64_t width = uint64_t(end - least),
                 modulus = difference.modulus == 0 ? uint64_t{1} << 62 : difference.modulus;
  if (width > modulus) return {};
  range->least = (width + step - 1) / step;
  range->most = (modulus - width) / uint64_t(rows.back() - rows.front());
  return range;
}

// Do different warps, the lanes of one warp, different threads, or any two, touch one byte?
bool ThreadConflicts::overlap(const Access& a, const Access& b, const Difference& difference, Among among) const {
  const bool lanes = among == Among::Lanes;
  const uint64_t modulus = difference.modulus;
  std::vector<Touched> touched;
  auto touch = [&](const Access& access, unsigned t, unsigned group) {
    if (!access.threads[t]) return;
    const bool by_b = &access == &b;
    const int64_t row = (by_b ? difference.times_b : difference.times_a).at(t), at = access.form.constant.at(t);
    const uint64_t length = access.form.spread + access.bytes;
    if (modulus == 0) {
      const uint64_t first = uint64_t(at) ^ uint64_t { 1 } << 63;  // in the order of signed numbers
      touched.push_back({row, first, first + length, group, by_b});
      return;
    }
    const int64_t m = int64_t(modulus), r = at % m;
    const uint64_t first = uint64_t(r < 0 ? r + m : r), end = first + std::min(length, modulus);
    touched.push_back({row, first, std::min(end, modulus), group, by_b});
    if (end > modulus) touched.push_back({row, 0, end - modulus, group, by_b});
  };
  for (unsigned first = 0; first < (lanes ? threads_ : 1); first += kLanes) {
    const unsigned end = lanes ? std::min(threads_, first + kLanes) : threads_;
    touched.clear();
    for (unsigned t = first; t < end; ++t) {
      if (among == Among::All) {
        touch(a, t, 0);
        touch(b, t, 1);
        continue;
      }
      const unsigned group = among == Among::Warps ? t / kLanes : t;
      touch(a, t, group);
      touch(b, t, group);
    }
    if (groups_overlap(touched)) return true;
  }
  return false;
}

}  // namespace warpwise::simt
