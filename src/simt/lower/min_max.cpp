#include "simt/lower/min_max.h"

namespace warpwise::simt {

using ptx::Mod;

namespace {

// The smaller or larger magnitude, with the sign that follows from the operands' signs. Magnitudes order as their bits
// do, NaNs above infinity: nothing here compares a float with one that has lost its sign, which LLVM 19 gets wrong
// where one of them is a constant zero (select(|x| is NaN, 0, select(0 < |x|, 0, |x|)) becomes select(x u> 0, 0, |x|)).
Value by_magnitude(Emit& e, Value a, Value b, bool is_max, Value sign) {
  const Value ones = ~bits_of(a).like(0);
  const Value magnitude_a = bits_of(a) & (ones >> 1), magnitude_b = bits_of(b) & (ones >> 1);
  Value chosen = select(is_max ? magnitude_a > magnitude_b : magnitude_a < magnitude_b, magnitude_a, magnitude_b);
  if (!e.has(Mod::NaN)) chosen = select(is_nan(a), magnitude_b, select(is_nan(b), magnitude_a, chosen));
  // a + b is a NaN whenever one of them is.
  const Value is_result_nan = e.has(Mod::NaN) ? is_nan(a) | is_nan(b) : is_nan(a) & is_nan(b);
  const Value top = sign & (sign.like(1) << (sign.bits() - 1));
  return select(is_result_nan, a + b, as_type(chosen | top, a.type()));
}

}  // namespace

Value min_max(Emit& e, Value a, Value b, bool is_max, Value sign) {
  if (e.has(Mod::Abs)) return by_magnitude(e, a, b, is_max, sign);
  const bool wide = a.type()->isDoubleTy();
  // This stays a call until the code is vectorised (codegen/min_max.h): LLVM 19 takes a comparison and a select between
  // a rounding and its extension for a minimum, and swaps their operands although these may be zeros of different
  // signs.
  Value result = wide ? e.call(is_max ? Dialect::MaxF64 : Dialect::MinF64, a, b)
                      : e.call(is_max ? Dialect::MaxF32 : Dialect::MinF32, a, b);
  if (!e.has(Mod::NaN)) return result;
  return select(is_nan(a) | is_nan(b), a + b, result);  // the sum is a NaN whenever one of them is
}

}  // namespace warpwise::simt
