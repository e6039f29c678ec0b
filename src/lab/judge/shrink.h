// Looks for a smaller case that is refused for the same reason: a mistake is easier to follow with 4 elements than with
// 1000.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "lab/judge/judge.h"
#include "lab/judge/judging_child.h"
#include "lab/trial/trial.h"

namespace warpwise::lab {

struct SmallerCase {
  Refusal refusal;
  Numbers sizes;
};

// Makes one size after the other smaller, as far as [shrink] of the problem allows and the verdict stays the same. The
// block keeps its shape, since another one would have to be compiled. Nothing when there is no smaller case.
Result<std::optional<SmallerCase>> shrink(const Trial& refused, const Reference& reference, Verdict verdict,
                                          const std::function<Result<Finished>(const std::vector<Trial>&)>& run);

}  // namespace warpwise::lab
