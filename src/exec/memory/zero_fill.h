// Fills memory with zeros. What was never touched of private anonymous memory is zero already, and stays untouched: a
// program may clear a pool of gigabytes of which it uses a part, and a host needs a second for each few of them.
#pragma once

#include <cstddef>

namespace warpwise::exec {

void fill_with_zeros(std::byte* at, size_t bytes);

}  // namespace warpwise::exec
