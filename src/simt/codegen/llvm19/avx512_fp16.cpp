// LLVM 19 miscompiles comparisons of vectors of halves for processors with AVX512-FP16 (seen on a Sapphire Rapids).
//
// A masked comparison is reordered so that its load from memory stands last, but its predicate is not: `a < b` becomes
// `b < a`.
//
// Upstream: https://github.com/llvm/llvm-project/issues/159723, fixed in September 2025 by
// https://github.com/llvm/llvm-project/pull/160304. LLVM 19.1.7 makes the wrong code that the issue shows.
// Reproducer: the code in that issue, with llc -mattr=+avx512fp16,+avx512vl: both functions contain the same
// `vcmpltph`.
//
// The feature is switched off, and halves are computed with as floats. The workarounds for processors without it
// (half_comparisons.cpp, half_moves.cpp) then apply.
#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

void llvm19_disable_features(llvm::SubtargetFeatures& features) { features.AddFeature("avx512fp16", false); }

}  // namespace warpwise::simt
