#include "numerics/tensor_cores.h"

#include <array>
#include <iterator>

namespace warpwise::numerics {
namespace {

struct Row {
  unsigned capability;
  TensorUnit unit;
  Element element;
  DotRule rule;
};

constexpr Row kRows[] = {
#define CORE(capability, unit, element, group, extra, fraction, method) \
  {capability, TensorUnit::unit, Element::element, {group, extra, fraction, DotMethod::method}},
#include "numerics/tensor_cores.inc"
#undef CORE
};

// The formats of 8 bits and fewer follow the same rule.
constexpr Element family_of(Element element) {
  switch (element) {
    case Element::F16:
    case Element::BF16:
    case Element::TF32:
      return element;
    default:
      return Element::E4M3;
  }
}

constexpr DotRule look_up(unsigned capability, TensorUnit unit, Element family) {
  const Row* oldest = nullptr;
  for (const Row& row : kRows) {
    if (row.unit != unit || row.element != family) continue;
    if (row.capability <= capability) return row.rule;
    oldest = &row;
  }
  return oldest ? oldest->rule : DotRule{};
}

// The rules of all families and units for the capabilities at which something changes, so that a product needs no
// search.
constexpr unsigned kChanges[] = {100, 90, 89, 80, 70};
constexpr unsigned kUnits = unsigned(TensorUnit::Tcgen05Groups) + 1, kFamilies = unsigned(Element::E4M3) + 1;
constexpr bool all_changes_known() {
  for (const Row& row : kRows) {
    bool known = false;
    for (unsigned change : kChanges) known |= row.capability == change;
    if (!known) return false;
  }
  return true;
}
static_assert(all_changes_known(), "tensor_cores.inc has a capability that kChanges lacks");

using Rules = std::array<std::array<std::array<DotRule, kFamilies>, kUnits>, std::size(kChanges)>;
constexpr Rules kRules = [] {
  Rules rules{};
  for (size_t change = 0; change < std::size(kChanges); ++change)
    for (unsigned unit = 0; unit < kUnits; ++unit)
      for (unsigned family = 0; family < kFamilies; ++family)
        rules[change][unit][family] = look_up(kChanges[change], TensorUnit(unit), Element(family));
  return rules;
}();

}  // namespace

DotRule dot_rule(unsigned capability, TensorUnit unit, Element element) {
  size_t change = 0;
  while (change + 1 < std::size(kChanges) && kChanges[change] > capability) ++change;
  return kRules[change][unsigned(unit)][unsigned(family_of(element))];
}

}  // namespace warpwise::numerics
