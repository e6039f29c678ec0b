// Arithmetic on shapes: what adding, scaling or masking lane patterns gives (lane_shapes.h says what a shape
// is). Numbers are taken modulo the width of the value and kept as signed ones.
#pragma once

#include <cstdint>
#include <optional>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// Of an integer value, in bits.
unsigned width_of(const llvm::Value* value);
// The low `width` bits as a signed number.
int64_t sign_extend(uint64_t bits, unsigned width);
// Terms are kept modulo the width of the value, as signed numbers.
void wrap(Shape& shape, unsigned width);
// The same number in all lanes.
Shape constant_shape(int64_t value, unsigned width);
// Only compile-time lane offsets (no uniform factors, no corrections)?
bool plain(const Shape& shape);
// Of a plain shape: what lane `lane` has more than lane 0.
int64_t plain_lane(const Shape& shape, unsigned lane);
// All 32 values when they are known at compile time.
std::optional<LaneConstants> known_lanes(const Shape& shape, unsigned width);
// ... and the shape of 32 known values.
Shape from_lanes(const LaneConstants& lanes, unsigned width);
// Is anything known of the base's range?
bool bounded(const Shape& s);
// a + b, or a - b.
Shape add(const Shape& a, const Shape& b, unsigned width, bool subtract);
// a * a constant.
Shape scale(const Shape& a, int64_t factor, unsigned width);
// affine * a uniform value that is no constant: every plain term becomes one with that factor.
Shape scale_by(const Shape& a, llvm::Value* factor, const Shape& factor_shape, unsigned width);
// base and lane offsets occupy different bits, so that bitwise operations act on them separately:
// the base ends in trailing_zeros zeros and every offset is below that.
bool disjoint_bits(const Shape& shape);
// `opcode` (of LLVM) on two numbers; nothing where it is undefined.
std::optional<int64_t> evaluate(unsigned opcode, int64_t a, int64_t b, unsigned width);
// A uniform value between two bounds, ending in so many zero bits.
Shape ranged(int64_t low, int64_t high, unsigned trailing_zeros = 0);
// `base` for lane 0 and offsets from it for the others.
Shape lanes_of(LaneConstants lanes, Shape base);

}  // namespace warpwise::simt
