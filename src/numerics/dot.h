// The dot product of a tensor core, bit by bit.
//
// A tensor core does not round after each addition. It multiplies exactly, shifts all products and the accumulator to
// the largest exponent among them, cuts what falls below a few extra bits, adds the rest as integers and rounds once:
//
//     e      = max(exponent of c, exponent of a[i] + exponent of b[i])      zeros have none
//     sum    = trunc(c, e - F) + Σ trunc(a[i] * b[i], e - F)                trunc(x, n): towards zero, to multiples of
//     2^n result = sum, to a float towards zero, or to an f16 to the nearest even
//
// The exponents are those of the operands, not of the product: 1.5 * 1.5 = 2.25 counts as 2^0. What differs between
// architectures: how many products are added at once (a longer sum is a chain of such steps), F, the fraction of the
// result. The model and its figures for V100, A100, Ada, H100 and B200: Khattak and Mikaitis, "Accurate Models of
// NVIDIA Tensor Cores", arXiv 2512.07004; for Turing Xie et al., "MMA-Sim", arXiv 2511.10909. The rows for 9.0 agree
// with an H200 in every bit of 3 million results (tests/numerics/judge). Block-scaled products: MMA-Sim, algorithms 8
// and 9.
#pragma once

#include "numerics/formats.h"

namespace warpwise::numerics {

enum class Sum : uint8_t { F16, F32 };

enum class DotMethod : uint8_t {
  AtOnce,  // as above
  // Two steps, which start from zero and take alternate pairs of operands, (0 1 4 5 ...) and (2 3 6 7 ...) as f16; the
  // accumulator is added last, by an ordinary addition. So does 9.0 emulate 8-bit floats in mma.sync.
  AsHalves,
  // No tensor core at all but ordinary fused multiply-adds of floats. So does 9.0 emulate m8n8k4.
  Fma,
};

struct DotRule {
  uint8_t group;         // products that are added at once
  int8_t fraction_bits;  // F
  int8_t result_bits;    // fraction bits of a float result: 23, or 13 where the accumulator is narrow
  DotMethod method = DotMethod::AtOnce;

  bool operator==(const DotRule&) const = default;
};

// When products are aligned, no exponent counts as smaller than this one (seen on 9.0, sums of subnormal bf16).
constexpr int kLowestAlignment = -133;

// a[0] * b[0] + ... + a[k - 1] * b[k - 1] + c. The operands are numbers of their elements, c and the result of `sum`.
float dot(const DotRule& rule, Element a_element, Element b_element, Sum sum, unsigned k, const float* a,
          const float* b, float c);

// The scales of a block-scaled product, one for so many elements of k in a row. Products of mxfp8, mxfp6 and mxfp4 in
// bytes (tcgen05's .kind::mxf8f6f4) are added as above, with the scales' exponents added to each product's.
struct Scales {
  Element element = Element::UE8M0;
  const uint8_t *a = nullptr, *b = nullptr;  // the bits, one for each block of `block` elements
  unsigned block = 32;
};
float dot_scaled(const DotRule& rule, Element a_element, Element b_element, unsigned k, const float* a, const float* b,
                 const Scales& scales, float c);

// Products of e2m1 (.kind::mxf4 and .kind::mxf4nvf4): `group` of them are added exactly, the sum is multiplied by its
// scales, exactly too, and these sums and c are cut and added by the rule. The exponents of the scales align them.
float dot_of_groups(const DotRule& rule, unsigned group, unsigned k, const float* a, const float* b,
                    const Scales& scales, float c);
constexpr int kLowestAlignmentOfGroups = -139;

// The bits of a NaN that a tensor core makes.
constexpr uint32_t kNanF32 = 0x7fffffff;
constexpr uint16_t kNanF16 = 0x7fff;

// ... and the bits of a result: every NaN is that one.
uint32_t result_bits(Sum sum, float value);

}  // namespace warpwise::numerics
