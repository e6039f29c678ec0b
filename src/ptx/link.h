// Links several PTX modules into one, as nvlink makes one program of relocatable code (nvcc -rdc=true, cuLinkAddData).
//
//     a.ptx:  .extern .func f          b.ptx:  .visible .func f { }           one module:  a's and b's functions
//             .extern .global g                .visible .global g             and variables, f and g once
//             .global $str                     .global $str                   b's $str renamed
//
// It works on text, statement by statement, because text is what the parser, the caches and `warpwise ptx` take as
// input. Rules (PTX ISA 11.6, linking directives): a .visible symbol is defined once. Of .weak and .common ones the
// first counts, unless there is a .visible one. Any other symbol is private to its module and gets another name where
// two modules use the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::ptx {

// Whether the text holds more than one module, each beginning with .version.
bool is_several_modules(std::string_view text);
std::vector<std::string_view> split_modules(std::string_view text);

// Errors: P0902 for a symbol that two modules define. A symbol that no module defines stays declared.
Result<std::string> link(const std::vector<std::string_view>& modules);

}  // namespace warpwise::ptx
