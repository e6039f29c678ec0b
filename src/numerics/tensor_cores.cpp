#include "numerics/tensor_cores.h"

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

// The formats of 8 bits and fewer are added alike.
Element family_of(Element element) {
  switch (element) {
    case Element::F16: case Element::BF16: case Element::TF32: return element;
    default: return Element::E4M3;
  }
}

}  // namespace

DotRule dot_rule(unsigned capability, TensorUnit unit, Element element) {
  const Row* oldest = nullptr;
  for (const Row& row : kRows) {
    if (row.unit != unit || row.element != family_of(element)) continue;
    if (row.capability <= capability) return row.rule;
    oldest = &row;
  }
  return oldest ? oldest->rule : DotRule{};
}

}  // namespace warpwise::numerics
