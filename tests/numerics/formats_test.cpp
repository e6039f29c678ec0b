#include "numerics/formats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpwise::numerics {
namespace {

constexpr Element kSmall[] = {Element::F16,  Element::BF16, Element::E4M3, Element::E5M2,
                              Element::E2M3, Element::E3M2, Element::E2M1};

// Used bits of an element: a six-bit format lies in a byte.
unsigned used_bits(Element e) { return 1u + format_of(e).exponent_bits + format_of(e).fraction_bits; }

TEST(Formats, EveryNumberSurvivesDecodingAndEncoding) {
  for (Element element : kSmall)
    for (uint32_t bits = 0; bits < 1u << used_bits(element); ++bits) {
      float value = decode(element, bits);
      if (std::isnan(value)) continue;
      EXPECT_EQ(encode(element, value, Rounding::Nearest, false), bits) << "element " << int(element);
      EXPECT_EQ(encode(element, value, Rounding::Zero, false), bits);
    }
}

TEST(Formats, HalfwayGoesToTheEvenNeighbour) {
  for (Element element : kSmall) {
    const uint32_t sign = 1u << (used_bits(element) - 1);
    for (uint32_t bits = 0; bits + 1 < sign; ++bits) {
      float low = decode(element, bits), high = decode(element, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const double middle = (double(low) + high) / 2;
      EXPECT_EQ(encode(element, middle, Rounding::Nearest, true), bits + (bits & 1));
      EXPECT_EQ(encode(element, std::nextafter(middle, 1e300), Rounding::Nearest, true), bits + 1);
      EXPECT_EQ(encode(element, std::nextafter(middle, -1), Rounding::Nearest, true), bits);
      EXPECT_EQ(encode(element, -middle, Rounding::Zero, true), bits | sign);
    }
  }
}

// The largest numbers: OCP 8-bit Floating Point (table 2) and Microscaling Formats (tables 2 to 5).
TEST(Formats, OverflowIsWhatTheFormatHas) {
  EXPECT_EQ(decode(Element::E4M3, 0x7e), 448.0f);
  EXPECT_EQ(decode(Element::E5M2, 0x7b), 57344.0f);
  EXPECT_EQ(decode(Element::E2M3, 0x1f), 7.5f);
  EXPECT_EQ(decode(Element::E3M2, 0x1f), 28.0f);
  EXPECT_EQ(decode(Element::E2M1, 0x7), 6.0f);
  EXPECT_EQ(encode(Element::E4M3, 465, Rounding::Nearest, false), 0x7fu);
  EXPECT_EQ(encode(Element::E4M3, 464, Rounding::Nearest, false), 0x7eu);
  EXPECT_EQ(encode(Element::E4M3, -1e30, Rounding::Nearest, true), 0xfeu);
  EXPECT_EQ(encode(Element::E5M2, 1e30, Rounding::Nearest, false), 0x7cu);
  EXPECT_EQ(encode(Element::E5M2, INFINITY, Rounding::Nearest, true), 0x7bu);
  EXPECT_EQ(encode(Element::E2M1, -1e30, Rounding::Nearest, true), 0xfu);
  EXPECT_EQ(encode(Element::F16, 65520, Rounding::Nearest, false), 0x7c00u);
  EXPECT_EQ(encode(Element::F16, 65519, Rounding::Nearest, false), 0x7bffu);
  EXPECT_EQ(encode(Element::E4M3, NAN, Rounding::Nearest, true), 0x7fu);
}

TEST(Formats, Tf32IgnoresTheLowBitsOfItsRegister) { EXPECT_EQ(decode(Element::TF32, 0x3f801fff), 1.0f); }

}  // namespace
}  // namespace warpwise::numerics
