// Sizes and places in whole units.
#pragma once

#include <cstdint>

namespace warpwise {

// The next multiple of `unit` that is not below `value`.
constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace warpwise
