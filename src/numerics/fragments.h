// The positions of a tile's elements (the diagram is in product.h).
#pragma once

#include <cstdint>

#include "numerics/product.h"

namespace warpwise::numerics {

// Elements in a register: one for 32 and 64 bits.
constexpr unsigned per_register(Element element) {
  const unsigned bits = format_of(element).bits;
  return bits >= 32 ? 1 : 32 / bits;
}

struct Place {
  unsigned reg, lane, index;  // register (of 64 bits for f64), lane, element in it
};

// Element (row, k) of a tile of a with `rows` rows, 8 or 16; of b it is (column, k) with rows = 8.
constexpr Place place_in_tile(unsigned rows, unsigned elements, unsigned row, unsigned k) {
  const unsigned block = k / (4 * elements);
  return {rows == 16 ? 2 * block + row / 8 : block, row % 8 * 4 + k / elements % 4, k % elements};
}

// Element (row, column) of a tile of c or d with 32 bits or more.
constexpr Place place_in_sum(unsigned row, unsigned column) {
  return {row / 8 * 2 + column % 2, row % 8 * 4 + column / 2, 0};
}
// ... and of f16.
constexpr Place place_in_half_sum(unsigned row, unsigned column) {
  return {row / 8, row % 8 * 4 + column / 2, column % 2};
}

// m8n8k4 of f16: four products side by side, of the lanes 4q to 4q + 3 and 4q + 16 to 4q + 19 (9.7.14.5.1). The
// lane that holds row (or column) `major` of an operand when its four k's lie in one lane, or element k of four
// majors when they do not; `index` counts through the lane's four elements.
constexpr Place place_in_quad_pair(unsigned quad, bool k_in_lane, unsigned major, unsigned k) {
  const unsigned within = major % 4, upper = major / 4 * 16;
  const unsigned lane = quad * 4 + (k_in_lane ? within : k) + upper, element = k_in_lane ? k : within;
  return {element / 2, lane, element % 2};
}
constexpr Place sum_in_quad_pair(unsigned quad, bool half, unsigned row, unsigned column) {
  if (half) return {column / 2, quad * 4 + row % 4 + row / 4 * 16, column % 2};
  return {(column & 4) | (row & 2) | (column & 1), quad * 4 + (row & 1) + (column & 2) + row / 4 * 16, 0};
}

// Metadata of a sparse row: four bits for each chunk, two indices. Gives the lane of the row's quad that holds a chunk,
// and the nibble (PTX ISA 9.7.14.6.2, the figures of the metadata operand; checked on an H200).
struct Nibble {
  unsigned lane, nibble;
};
constexpr Nibble metadata_place(bool wide_elements, unsigned chunks, unsigned selector, unsigned row, unsigned chunk) {
  const unsigned lane = row % 8 * 4, upper = row / 8;
  if (chunks == 4) return {lane + selector, upper * 4 + chunk};
  if (chunks == 8 && wide_elements) return {lane + selector * 2 + chunk / 4, upper * 4 + chunk % 4};
  if (chunks == 8) return {lane + selector * 2 + upper, chunk};
  return {lane + chunk / 8 * 2 + upper, chunk % 8};
}

// Which k of `k` the kept element `kept` of a sparse row stands for; `metadata`: a word of each lane.
constexpr unsigned kept_k(Element element, unsigned k, unsigned selector, const uint32_t* metadata, unsigned row,
                          unsigned kept) {
  const unsigned bits = format_of(element).bits;
  const unsigned in_chunk = bits == 32 ? 1 : bits == 4 ? 4 : 2;  // kept elements of a chunk, which is twice as long
  const unsigned chunk = kept / in_chunk, chunks = k / 2 / in_chunk;
  const Nibble at = metadata_place(bits >= 16, chunks, selector, row, chunk);
  const uint32_t nibble = metadata[at.lane] >> (at.nibble * 4) & 15;
  if (bits == 32) return chunk * 2 + (nibble == 0xe);  // 0b1110 or 0b0100: the second or the first
  if (bits == 4) return chunk * 8 + (nibble >> (kept / 2 % 2 * 2) & 3) * 2 + kept % 2;  // pairs of elements
  return chunk * 4 + (nibble >> (kept % 2 * 2) & 3);
}

// Where element `index` of a register of wmma's operand 'a', 'b', 'c' or 'd' lies in its matrix: linear in the lane's
// group (lane / 4) and its number there (lane % 4).
struct Line {
  unsigned base = 0, per_group = 0, per_thread = 0;
  constexpr unsigned at(unsigned lane) const { return base + lane / 4 * per_group + lane % 4 * per_thread; }
};
struct MatrixPlace {
  Line row, column;
};
constexpr MatrixPlace wmma_place(const Product& p, char operand, unsigned reg, unsigned index) {
  const bool transposed = p.m == 8 && p.n == 32;  // computed as m32n8
  if (operand == 'a' || operand == 'b') {
    const bool of_rows = (operand == 'a') != transposed;  // whether `a` or `b` supplies the tiles of 16 rows
    const Element element = operand == 'a' ? p.a : p.b;
    const unsigned size = operand == 'a' ? p.m : p.n, rows = of_rows && size > 8 ? 16 : 8,
                   elements = per_register(element);
    const unsigned words = (operand == 'a' ? p.a_words() : p.b_words()) / (element == Element::F64 ? 2 : 1),
                   in_tile = words / (size / rows);
    const unsigned tile = reg / in_tile, r = reg % in_tile, block = rows == 16 ? r / 2 : r;
    const Line major{tile * rows + (rows == 16 ? r % 2 * 8 : 0), 1, 0}, k{block * 4 * elements + index, 0, elements};
    return operand == 'a' ? MatrixPlace{major, k} : MatrixPlace{k, major};
  }
  const bool half = (operand == 'c' ? p.c : p.d) == Accumulator::F16;
  const unsigned rows = transposed ? p.n : p.m, columns = transposed ? p.m : p.n;
  const unsigned tile_rows = rows > 8 ? 16 : 8, in_tile = half ? tile_rows / 8 : tile_rows / 4;
  const unsigned tile = reg / in_tile, r = reg % in_tile, column_blocks = columns / 8;
  const Line row{tile / column_blocks * tile_rows + (half ? r : r / 2) * 8, 1, 0};
  const Line column{tile % column_blocks * 8 + (half ? index : r % 2), 0, 2};
  return transposed ? MatrixPlace{column, row} : MatrixPlace{row, column};
}

// The fragment registers that hold the repeats of wmma's f16 operands.
constexpr unsigned without_repeats(unsigned reg, unsigned distinct) { return reg % distinct; }

}  // namespace warpwise::numerics
