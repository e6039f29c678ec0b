// LLVM IR that another compiler has made for a GPU, to PTX by Clang's code generator: what libNVVM does for Numba.
//
// Bitcode, not text: LLVM reads the bitcode of older versions, with pointers that have types, but no longer their text.
// The `__nv_...` functions of libdevice come from our own library of mathematics.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace warpwise::toolchain {

struct IrRequest {
  unsigned architecture = 90;  // compute capability times ten
  // Keeps every access where the IR has it, for the checkers; otherwise the IR is optimised.
  bool for_check = false;
  // libNVVM's -fma, -prec-div, -prec-sqrt.
  bool contract = true, precise_division = true, precise_root = true;
};

// T0002 without Clang, T0003 for IR that it refuses, with its messages, T0004 without our library of mathematics.
Result<std::string> ptx_of_ir(std::string_view bitcode, const IrRequest& request);

}  // namespace warpwise::toolchain
