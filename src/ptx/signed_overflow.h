// Signed arithmetic that overflows. PTX has one addition for signed and unsigned numbers, so only the front end knows
// the difference. With -fsanitize=signed-integer-overflow Clang reports it: after each operation whose result does not
// fit, it calls a function that the engine implements:
//
//     mov.u64          %rd1, __unnamed_2;           // {file, line | column << 32, type}
//     cvta.global.u64  %rd2, %rd1;
//     st.param.b64     [param0+0], %rd2;
//     st.param.b64     [param1+0], %rd3;            // the operands, zero-extended
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

// The operation whose overflow a call of this function reports.
std::optional<SignedOperation> overflow_told_by(std::string_view function);

struct SignedType {
  std::string name;   // "long long"
  unsigned bits = 0;  // operands of more than 64 bits are passed by address
};
struct SignedOverflow {
  SignedOperation operation;
  std::optional<SignedType> type;  // empty where the call is not written as above
};
// What the call at `instruction` reports; empty when it is no such call.
std::optional<SignedOverflow> signed_overflow_at(const Module& module, const Function& function, size_t instruction);

}  // namespace warpwise::ptx
