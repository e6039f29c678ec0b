// Looks for a smaller case that is refused alike: what is wrong with 4 elements is easier to follow than with 1000.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "lab/judge/judge.h"
#include "lab/judge/judging_child.h"
#include "lab/trial/trial.h"

namespace warpwise::lab {

// One size after the other is made smaller, as [shrink] of the problem allows, while the verdict stays. The block keeps
// its shape, since another one would have to be compiled. Nothing when there is no smaller case.
Result<std::optional<Refusal>> shrink(const Trial& refused, const Reference& reference, Verdict verdict,
                                      const std::function<Result<Finished>(const std::vector<Trial>&)>& run);

}  // namespace warpwise::lab
