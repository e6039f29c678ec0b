// min and max of floating-point numbers, all precisions (PTX ISA 9.7.3.11, 9.7.4.7).
#pragma once

#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// By the instruction's .NaN, .abs and .xorsign.abs. -0 is less than +0; one NaN operand yields the other
// operand, or with .NaN a NaN; two yield NaN. A NaN result comes out canonical through Emit::escape,
// since it is one of arithmetic: a sum here, or what the calls of the dialect promise (codegen/min_max.h).
// `sign`: with .abs, bits of which the uppermost is the sign of the result.
Value min_max(Emit& e, Value a, Value b, bool is_max, Value sign = {});

}  // namespace warpwise::simt
