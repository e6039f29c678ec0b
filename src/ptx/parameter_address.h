// Which kernel parameter an address register points into. Compilers produce such addresses for `p.values[i]` of a
// struct that is passed by value.
//
//     mov.b64        %rd1, kernel_param_0;
//     add.s64        %rd6, %rd1, %rd5;       // %rd5: 4 * i
//     ld.param.u32   %r4, [%rd6];            // parameter 0
//
// It is followed through moves and additions. An address that may also come from elsewhere has no parameter.
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/module.h"

namespace warpwise::ptx {

// Index into the function's parameters.
std::optional<uint32_t> parameter_of_address(const Function& function, const Operand& address);

}  // namespace warpwise::ptx
