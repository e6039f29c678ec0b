// Pictures as files: PNG, and for several frames animated PNG, which browsers play and other programs show as the first
// frame. (W3C, Portable Network Graphics Specification, third edition: chunks acTL, fcTL and fdAT.)
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace warpwise::image {

// Frames of `width` x `height` pixels of red, green, blue and opacity; at least one, each shown for `milliseconds`.
std::string png_of(std::span<const std::string> frames, uint32_t width, uint32_t height, uint16_t milliseconds);

}  // namespace warpwise::image
