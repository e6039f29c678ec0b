// Spellings that nvcc accepts and Clang does not:
//
//     kernel << <grid, block >> > (a);     Formatters that take `<<<` for a shift and a comparison put blanks into the
//     brackets of a kernel <<< grid, block >>>  (a);     launch. Clang needs the three characters together.
//
//     extern "C"__global__ void kernel();  To Clang `__global__` is the suffix of a literal. Names with two underscores
//     are reserved, so extern "C" __global__ void kernel(); no literal has such a suffix (operator""__x cannot be
//     written): it is a macro.
//
//     extern __shared__ float x[64];       Only an array without a size is dynamic shared memory. nvcc takes one with a
//            __shared__ float x[64];       size, or a single variable, for a definition (its warning 20044).
//
// Every other character keeps its line, and also its column except after such a literal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwise::toolchain {

// The source as Clang reads it; nothing when Clang reads it as it is. Comments and literals are left alone, and so are
// templates
// (`A<B<C>> >`) and operators (`operator<< <T>`).
std::optional<std::string> spelled_for_clang(std::string_view source);

}  // namespace warpwise::toolchain
