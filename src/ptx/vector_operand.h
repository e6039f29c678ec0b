// Operands that are a vector or a single value: {%r1, %r2} has two elements, %r1 has itself.
#pragma once

#include "ptx/module.h"

namespace warpwise::ptx {

inline unsigned element_count(const Operand& operand) {
  return operand.is(Operand::Kind::Vector) ? static_cast<unsigned>(operand.elements.size()) : 1;
}
inline const Operand& element(const Operand& operand, unsigned k) {
  return operand.is(Operand::Kind::Vector) ? operand.elements[k] : operand;
}

}  // namespace warpwise::ptx
