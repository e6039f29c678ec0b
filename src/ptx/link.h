// Several PTX modules made one, as nvlink makes one program of relocatable code (nvcc -rdc=true, cuLinkAddData).
//
//     a.ptx:  .extern .func f          b.ptx:  .visible .func f { }           one module:  a's and b's functions
//             .extern .global g                .visible .global g             and variables, f and g once
//             .global $str                     .global $str                   b's $str renamed
//
// This works on text, statement by statement, because what comes out is what the parser, the caches and `warpwise ptx`
// know how to deal with. Rules (PTX ISA 11.6, linking directives): a .visible symbol is defined once; of .weak and
// .common ones the first counts, unless there is a .visible one; what is neither belongs to its module and gets another
// name where two modules use the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::ptx {

// Whether the text holds more than one module, each beginning with .version.
bool is_several_modules(std::string_view text);
std::vector<std::string_view> split_modules(std::string_view text);

// Errors: P0902 for a symbol that two modules define. What is declared and defined nowhere stays declared.
Result<std::string> link(const std::vector<std::string_view>& modules);

}  // namespace warpwise::ptx
