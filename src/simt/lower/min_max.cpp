#include "simt/lower/min_max.h"

namespace warpwise::simt {

using ptx::Mod;

Value min_max(Emit& e, Value a, Value b, bool is_max, Value sign) {
  if (e.has(Mod::XorSign)) {
    a = abs(a);
    b = abs(b);
  }
  // Equal numbers may be zeros of different signs: `or` of the bits has the minus, `and` has not.
  Value same = is_max ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b);
  if (!e.has(Mod::NaN) && !e.has(Mod::XorSign) && (a.type()->isFloatTy() || a.type()->isDoubleTy())) {
    if (a.type()->isFloatTy()) return e.call(is_max ? Dialect::MaxF32 : Dialect::MinF32, a, b);
    return e.call(is_max ? Dialect::MaxF64 : Dialect::MinF64, a, b);
  }
  Value less = is_max ? a > b : a < b;
  Value result = select(less, a, select(a == b, as_type(same, a.type()), b));
  // a + b is a NaN whenever one of them is.
  Value unordered = is_nan(a) | is_nan(b);
  Value other = e.has(Mod::NaN) ? a + b : select(is_nan(a), select(is_nan(b), a + b, b), a);
  result = select(unordered, other, result);
  if (e.has(Mod::XorSign)) {
    Value top = sign & (sign.like(1) << (sign.bits() - 1));
    Value magnitude = bits_of(result) & ~(sign.like(1) << (sign.bits() - 1));
    result = select(is_nan(result), result, as_type(magnitude | top, result.type()));
  }
  return result;
}

}  // namespace warpwise::simt
