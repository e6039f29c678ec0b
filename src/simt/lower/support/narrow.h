// Single numbers of 8 bits and fewer (narrow.cpp).
#pragma once

#include "numerics/formats.h"
#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// A float to the nearest number of a narrow format, ties to even, saturating, as an i32.
Value to_narrow(Emit& e, Value f, numerics::Element element);
// A narrow number, an i32, as the bits of a half, an i32: exact.
Value half_of_narrow(Emit& e, Value narrow, numerics::Element element);

}  // namespace warpwise::simt
