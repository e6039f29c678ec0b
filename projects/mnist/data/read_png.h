// A PNG picture as a digit: read (8 bits per channel; grey, RGB, with alpha, or a palette; not interlaced), made grey,
// inverted if the paper is bright, and brought into the form of MNIST's pictures: the ink in a box of 20×20 pixels,
// with its centre of mass in the middle of 28×28.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "../network.h"

namespace mnist {

std::array<uint8_t, kPixels1> read_digit(const std::string& path);

}  // namespace mnist
