// The operands of tcgen05.mma, read from memory: the elements of a and b as lines of bytes, the scales, the positions
// of the nonzero elements of a sparse a. The plain and the fast form of the product both start from here.
#pragma once

#include <optional>
#include <vector>

#include "numerics/tcgen05_descriptor.h"

namespace warpwise::numerics {

// The lanes that hold a block's share of d.
struct Datapath {
  uint32_t rows = 128;      // of d, in each block
  uint32_t parts = 1;       // of d's columns, each in lanes of its own
  uint32_t first_lane = 0;  // 16 where the upper halves are used

  uint32_t lane(uint32_t row, uint32_t part) const {
    if (rows == 64 && parts == 1) return first_lane + row % 16 + row / 16 * 32;
    return row + part * rows;
  }
};

// Lines (rows of a, columns of b) of elements in the order of k, each in format_of(element).bits from the low ones on:
// an element of 4 or 6 bits is alone in its byte.
struct Lines {
  Element element = Element::F16;
  uint32_t bytes = 0;  // of a line
  std::vector<uint8_t> data;

  const uint8_t* line(uint32_t index) const { return data.data() + size_t{index} * bytes; }
  void decode(uint32_t index, float* to) const;    // floats
  void decode(uint32_t index, int32_t* to) const;  // integers
};

struct Tcgen05Work {
  Tcgen05Form form;
  Tcgen05Operands operands;
  std::span<const Tcgen05Block> blocks;
  Tcgen05Shape shape;
  Datapath path;
  TensorAddress d;
  std::vector<Lines> a;  // of block and part; one for all parts where a lies in shared memory
  Lines b;

  const Lines& a_of(uint32_t block, uint32_t part) const {
    return a[form.a_in_tensor_memory ? block * path.parts + part : block];
  }
  uint32_t part_columns() const { return shape.n / path.parts; }
  uint32_t stored_k() const { return form.sparse ? shape.k / 2 : shape.k; }
  bool is_disabled(uint32_t block, uint32_t lane) const {
    return operands.disabled_lanes[4 * block + lane / 32] >> (lane % 32) & 1;
  }
  // The scales of a row, as its lane holds them, and of a column of `part`, as the lanes of that quarter hold them:
  // form.scales bytes.
  const uint8_t* scales_of_row(uint32_t block, uint32_t row, uint32_t lane) const;
  const uint8_t* scales_of_column(uint32_t block, uint32_t column, uint32_t lane) const;
  // The positions in k of a row's stored elements.
  void places_of(uint32_t block, uint32_t row, uint32_t part, uint16_t* to) const;
};

// Why the operands cannot be read, which is a mistake of the program; empty on success.
std::string read_operands(const Tcgen05Form& form, const Tcgen05Operands& operands,
                          std::span<const Tcgen05Block> blocks, Tcgen05Work& work);

}  // namespace warpwise::numerics
