// Conversions to and from formats of 8 bits and fewer, two at a time (PTX ISA 9.7.9.21): e4m3x2, e5m2x2, e2m3x2,
// e3m2x2, e2m1x2, which all saturate, and ue8m0x2, the powers of two that scale blocks of them.
#include "simt/lower/support/narrow.h"

#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using numerics::Element;
using ptx::Mod;
using ptx::Type;

namespace {

Element element_of(Type type) {
  switch (type) {
    case Type::E4M3x2:
      return Element::E4M3;
    case Type::E5M2x2:
      return Element::E5M2;
    case Type::E2M3x2:
      return Element::E2M3;
    case Type::E3M2x2:
      return Element::E3M2;
    default:
      return Element::E2M1;
  }
}
// Two formats of six bits lie in a byte each, two of four bits share one.
unsigned step_of(Type type) { return type == Type::E2M1x2 ? 4 : 8; }

}  // namespace

// Numbers that are normal there: half of what is cut is added to the bits, the carry runs into the exponent, and the
// exponent's bias changes. Smaller ones: adding 2^(lowest exponent - fraction bits + 23) makes the addition itself
// round, and the low bits of the sum are the encoding.
Value to_narrow(Emit& e, Value f, Element element) {
  const numerics::Format format = numerics::format_of(element);
  const int cut = 23 - format.fraction_bits, bias = (1 << (format.exponent_bits - 1)) - 1;
  const uint32_t largest = numerics::encode(element, 1e30, numerics::Rounding::Nearest, true);
  const uint32_t nan = numerics::encode(element, __builtin_nan(""), numerics::Rounding::Nearest, true);
  Value bits = bits_of(f), magnitude = bits & 0x7fffffffu;
  Value rounded = (magnitude + ((magnitude >> cut) & 1) + ((1u << (cut - 1)) - 1)) >> cut;
  Value normal = rounded - (static_cast<uint32_t>(127 - bias) << format.fraction_bits);
  const uint32_t magic = static_cast<uint32_t>(127 + format.lowest_exponent() - format.fraction_bits + 23) << 23;
  Value small = bits_of(float_of(magnitude) + float_of(e.i32(magic))) - magic;
  const uint32_t first_normal = static_cast<uint32_t>(127 + format.lowest_exponent()) << 23;
  Value encoding = umin(select(magnitude < first_normal, small, normal), e.i32(largest));
  const unsigned sign_at = format.exponent_bits + format.fraction_bits;
  encoding = encoding | ((bits >> 31) << sign_at);
  if (e.has(Mod::Relu)) encoding = select((bits >> 31) != 0, 0u, encoding);
  return select(is_nan(f), nan, encoding);
}

namespace {

void out_narrow(Emit& e, Value high, Value low) {
  const Type to = e.type(0);
  const Element element = element_of(to);
  Value bits = (to_narrow(e, high, element) << step_of(to)) | to_narrow(e, low, element);
  e.d(trunc(bits, to == Type::E2M1x2 ? 8 : 16));
}

}  // namespace

// A narrow number's bits moved to where f16 has them, times the power of two between the biases: exact, subnormal
// numbers included.
Value half_of_narrow(Emit& e, Value narrow, Element element) {
  const numerics::Format format = numerics::format_of(element);
  const unsigned sign_at = format.exponent_bits + format.fraction_bits;
  Value magnitude = narrow & ((1u << sign_at) - 1), sign = ((narrow >> sign_at) & 1) << 15;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  Value moved = magnitude << (10 - format.fraction_bits);
  Value half = moved;
  if (bias != 15) {
    Value value = to_half(to_float(half_of(trunc(moved, 16))) * static_cast<float>(1 << (15 - bias)));
    half = zext(bits_of(value), 32);
  }
  half = half | sign;
  if (e.has(Mod::Relu)) half = select(sign != 0, 0u, half);
  if (element == Element::E4M3) half = select(magnitude == 0x7f, 0x7fffu, half);
  if (element == Element::E5M2) half = select(magnitude > 0x7c, 0x7fffu, half);
  return half;
}

namespace {

void out_wide(Emit& e) {
  const Type from = e.type(1);
  const unsigned step = step_of(from);
  Value bits = zext(e.in(1, step == 4 ? Type::B8 : Type::B16), 32);
  const Element element = element_of(from);
  Value high = half_of_narrow(e, (bits >> step) & ((1u << step) - 1), element),
        low = half_of_narrow(e, bits & ((1u << step) - 1), element);
  e.d((high << 16) | low);
}

// ue8m0: 2^(e - 127), and NaN where e is 255. The sign of a number is ignored; what is below 2^-127 becomes it.
// (9.7.9.21 leaves signs and small numbers open; this is the result of CUDA 13's cuda_fp8.h on hosts.)
Value scale_of(Emit& e, Value f) {
  constexpr uint32_t kInfinity = 0x7f800000, kSmallest = 0x00400000;  // 2^-127
  Value magnitude = bits_of(f) & 0x7fffffffu;
  Value exponent = magnitude >> 23;
  if (e.has(Mod::Rp)) {
    Value up = ((magnitude & 0x7fffff) != 0) & (magnitude > kSmallest) & (magnitude < kInfinity);
    exponent = exponent + zext(up, 32);
  }
  if (e.has(Mod::SatFinite)) exponent = select((magnitude <= kInfinity) & (exponent == 255), 254u, exponent);
  return exponent;
}

void out_scales(Emit& e, Value high, Value low) { e.d(trunc((scale_of(e, high) << 8) | scale_of(e, low), 16)); }

Value bf16_of_scale(Value scale) {
  Value bits = select(scale == 0, 0x0040u, scale << 7);
  return select(scale == 255, 0x7fffu, bits);
}

}  // namespace

void lower_cvt_ue8m0x2_f32(Emit& e) { out_scales(e, e.a(Type::F32), e.b(Type::F32)); }
void lower_cvt_ue8m0x2_bf16x2(Emit& e) {
  Value pair = e.a(Type::B32);
  out_scales(e, float_of(pair & 0xffff0000u), float_of(pair << 16));
}
void lower_cvt_bf16x2_ue8m0x2(Emit& e) {
  Value scales = zext(e.a(Type::B16), 32);
  e.d((bf16_of_scale(scales >> 8) << 16) | bf16_of_scale(scales & 0xff));
}

void lower_cvt_f8x2_f32(Emit& e) { out_narrow(e, e.a(Type::F32), e.b(Type::F32)); }
void lower_cvt_f6x2_f32(Emit& e) { out_narrow(e, e.a(Type::F32), e.b(Type::F32)); }
void lower_cvt_f4x2_f32(Emit& e) { out_narrow(e, e.a(Type::F32), e.b(Type::F32)); }
void lower_cvt_f8x2_f16x2(Emit& e) {
  Value halves = e.a(Type::B32);
  auto half = [&](unsigned shift) { return to_float(half_of(trunc(halves >> shift, 16))); };
  out_narrow(e, half(16), half(0));
}
void lower_cvt_f16x2_f8x2(Emit& e) { out_wide(e); }
void lower_cvt_f16x2_f6x2(Emit& e) { out_wide(e); }
void lower_cvt_f16x2_f4x2(Emit& e) { out_wide(e); }

}  // namespace warpwise::simt
