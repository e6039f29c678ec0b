// Result<T>: a value, or the reason why there is none.
//
// Expected failures (a file that is missing, PTX that is wrong, a device that is full) travel as
// values, because they cross C interfaces and JIT-compiled frames where exceptions may not. C++20
// has no std::expected; this is the small part of it that we use.
//
//     Result<Module> load(const std::string& path) {
//       std::string text = TRY(read_file(path));
//       return parse(text);
//     }
//
// The type itself is part of the public API; here is what our own code adds to it.
#pragma once

#include "warpwise/result.h"

// The value of a Result, or a return of its error from the enclosing function. (A statement
// expression, which GCC and Clang both have; it keeps `auto x = TRY(f());` on one line.)
#define TRY(expression)                                           \
  ({                                                              \
    auto try_result_ = (expression);                              \
    if (!try_result_.ok()) return std::move(try_result_).error(); \
    std::move(try_result_).value();                               \
  })
