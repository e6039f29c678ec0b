// The instruction descriptor of tcgen05.mma: the shape and the types of a product, in a register (PTX ISA 9.7.16.4.2,
// tables 42 to 44).
#pragma once

#include <string>

#include "numerics/tcgen05.h"

namespace warpwise::numerics {

struct Tcgen05Shape {
  uint32_t m = 0, n = 0, k = 0;  // of all blocks together; k with the zeros of a sparse a
  Element a = Element::F16, b = Element::F16;
  enum class Sum : uint8_t { F16, F32, S32 } sum = Sum::F32;
  bool negate_a = false, negate_b = false, transpose_a = false, transpose_b = false;
  bool saturate = false;
  uint32_t sparsity_selector = 0;
  Element scale = Element::UE8M0;           // UE8M0, or E4M3 for unsigned e4m3
  uint32_t scale_a_id = 0, scale_b_id = 0;  // the first byte of a word
};

// Fills in the shape. Returns what is wrong with it for such an instruction, or an empty text.
std::string read_instruction_descriptor(const Tcgen05Form& form, uint32_t word, Tcgen05Shape& shape);

}  // namespace warpwise::numerics
