// The options of ww_compile_ir, from JSON.
#pragma once

#include <string_view>

#include "base/result.h"
#include "toolchain/llvm_ir.h"

namespace warpwise::capi {

// U0005 for what is no such object: a member that does not exist, or a value of another type.
Result<toolchain::IrRequest> read_ir_request(std::string_view options);

}  // namespace warpwise::capi
