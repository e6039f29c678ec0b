// Compiled kernels in the toolchain's cache: what joins exec, which knows when to look, with toolchain, which
// knows where things are kept.
#pragma once

#include <memory>

#include "exec/loading/code_cache.h"

namespace warpwise::api {

// In the cache that the environment names.
std::shared_ptr<exec::CodeCache> code_on_disk();

}  // namespace warpwise::api
