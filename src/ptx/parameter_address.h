// Which of a kernel's parameters an address register leads to: what `p.values[i]` of a struct that is passed by value
// becomes.
//
//     mov.b64        %rd1, kernel_param_0;
//     add.s64        %rd6, %rd1, %rd5;       // %rd5: 4 * i
//     ld.param.u32   %r4, [%rd6];            // parameter 0
//
// Followed through moves and additions; an address that may come from elsewhere, too, has no parameter.
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/module.h"

namespace warpwise::ptx {

// Index into the function's parameters.
std::optional<uint32_t> parameter_of_address(const Function& function, const Operand& address);

}  // namespace warpwise::ptx
