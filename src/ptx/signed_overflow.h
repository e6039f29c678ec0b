// Signed arithmetic that overflows. PTX has one addition for signed and unsigned numbers, so only the front end knows
// which is which. Clang tells of it when it is asked (-fsanitize=signed-integer-overflow): behind each operation it
// calls a function that the engine serves, where the result does not fit:
//
//     mov.u64          %rd1, __unnamed_2;           // {file, line | column << 32, type}
//     cvta.global.u64  %rd2, %rd1;
//     st.param.b64     [param0+0], %rd2;
//     st.param.b64     [param1+0], %rd3;            // the operands, widened with zeros
//     st.param.b64     [param2+0], %rd4;
//     call.uni         __ubsan_handle_add_overflow, (param0, param1, param2);
//
// Names and layout: compiler-rt, lib/ubsan/ubsan_handlers.h and ubsan_value.h (OverflowData, TypeDescriptor).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace warpwise::ptx {

enum class SignedOperation : uint8_t { Add, Subtract, Multiply, Negate, Divide };

// The operation whose overflow a call of this function tells of.
std::optional<SignedOperation> overflow_told_by(std::string_view function);

struct SignedType {
  std::string name;   // "long long"
  unsigned bits = 0;  // wider ones than 64 are passed by address
};
struct SignedOverflow {
  SignedOperation operation;
  std::optional<SignedType> type;  // nothing where the call is not written as above
};
// What the call at `instruction` tells of; nothing when it is no such call.
std::optional<SignedOverflow> signed_overflow_at(const Module& module, const Function& function, size_t instruction);

}  // namespace warpwise::ptx
