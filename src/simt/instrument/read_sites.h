// From machine code back to PTX, as the debug information of an object says: lines are PTX instruction indices + 1,
// columns first lanes + 1, file names function indices (simt/dialect.h). The line table knows the instruction; which
// call it stands in, where one function was inlined into another, is among the entries of functions, a tree of ranges:
//
//     kernel           0x000 to 0x400
//       call at 12     0x080 to 0x100, 0x300 to 0x340
//         call at 3    0x0a0 to 0x0b0
#pragma once

#include <cstddef>
#include <vector>

#include "simt/compiler.h"

namespace warpwise::simt {

// `calls`: null, or where those go that sites stand in, the outer ones first, behind what is there.
std::vector<Site> read_sites(const std::vector<std::byte>& object, std::vector<InlinedCall>* calls);

}  // namespace warpwise::simt
