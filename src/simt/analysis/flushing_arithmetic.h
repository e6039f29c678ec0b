// Kernels whose arithmetic is all in single precision and flushes subnormal results (.ftz), as -use_fast_math makes
// them. There the processor can do it (base/subnormals.h), for nothing and with a GPU's bits: of a result that is
// rounded up to 2^-126 from below, software cannot tell that it was below.
//
// The steps of an approximation (lower/support/approximations.h) are not flushed one by one on a GPU. They may be: each
// is far above 2^-126, or added to what is.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpwise::simt {

// Of a kernel and the functions that it may call: those of its module that are no kernels.
bool flushes_all_subnormals(const ptx::Module& module, uint32_t kernel);

}  // namespace warpwise::simt
