// printf() of kernels. nvcc and Clang pack the arguments into a struct, each at its natural alignment
// (int and narrower promoted to 4 bytes, float to double), and call vprintf(format, &struct).
//
// Reference: CUDA C++ Programming Guide, "Formatted Output": flags `# 0-+` and space, width, precision,
// sizes h, l, ll, types %cdiouxXpeEfgGaAs; the result is the number of arguments parsed, 0 for none, -1
// for a null format.
#pragma once

#include <cstdint>
#include <string>

#include "device/device.h"

namespace warpwise::exec {

class Arena;

// Appends the text to `out`. Memory that may not be read prints as `(bad address 0x...)`.
int32_t format_printf(const Arena& arena, device::Address format, device::Address arguments, std::string& out);

// The text at a generic address, up to its end or the end of its allocation; false when it may not be read.
bool read_string(const Arena& arena, device::Address address, std::string& out);

}  // namespace warpwise::exec
