// What the chapters on floating point share.
#pragma once

#include <cmath>

#include "exec/interpreter/step.h"

namespace warpwise::exec::interpreter {

// .ftz: subnormals become zeros of their sign.
inline float flush(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }
inline double flush(double value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value) : value; }

// .sat: into [0, 1]; NaN and -0 become +0.
template <class F>
F saturate(F value) {
  return value > 0 ? (value < 1 ? value : F{1}) : F{0};
}

// min and max (9.7.3.11): a number wins over a NaN unless .NaN is there; .xorsign.abs compares magnitudes
// and gives the result the product's sign.
template <class F>
F min_max(const Step& s, F a, F b, bool is_max) {
  bool negative = std::signbit(a) != std::signbit(b);
  if (s.has(ptx::Mod::XorSign)) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  F result;
  if (std::isnan(a) || std::isnan(b)) {
    bool both = std::isnan(a) && std::isnan(b);
    if (both || s.has(ptx::Mod::NaN)) return std::numeric_limits<F>::quiet_NaN();
    result = std::isnan(a) ? b : a;
  } else if (a == b) {
    result = std::signbit(a) == is_max ? b : a;
  } else {
    result = (a < b) == is_max ? b : a;
  }
  if (s.has(ptx::Mod::XorSign)) result = std::copysign(result, negative ? F{-1} : F{1});
  return result;
}

}  // namespace warpwise::exec::interpreter
