#include "lab/judge/shrink.h"

#include "lab/judge/assess.h"

namespace warpwise::lab {
namespace {

// Values below `now` to try, smallest first: every one near the least, then ever fewer.
std::vector<int64_t> smaller_values(int64_t least, int64_t now) {
  std::vector<int64_t> values;
  for (int64_t step = 0; least + step < now; step = step < 4 ? step + 1 : step + step / 2)
    values.push_back(least + step);
  return values;
}

// A filter that is larger than its picture leaves no output: no statement allows that, whatever the least of each size.
bool loses_an_output(const Trial& smaller, const Trial& refused) {
  for (size_t i = 0; i < smaller.arrays.size(); ++i)
    if (smaller.arrays[i].parameter->is_output() && smaller.arrays[i].count == 0 && refused.arrays[i].count > 0)
      return true;
  return false;
}

}  // namespace

Result<std::optional<SmallerCase>> shrink(const Trial& refused, const Reference& reference, Verdict verdict,
                                          const std::function<Result<Finished>(const std::vector<Trial>&)>& run) {
  std::optional<SmallerCase> best;
  if (!refused.spec->may_shrink || refused.spec->timed) return best;
  Numbers sizes = refused.sizes;
  for (const auto& [name, least] : refused.problem->shrink) {
    std::vector<Trial> trials;
    for (int64_t value : smaller_values(least, sizes.contains(name) ? sizes[name] : 0)) {
      Numbers candidate = sizes;
      candidate[name] = value;
      auto shape = shape_of(*refused.problem, *refused.spec, candidate);
      if (!shape || shape->launch.block != refused.shape.launch.block) continue;
      // Sizes that do not fit together make no case: the author's [shrink] describes each size separately.
      auto trial = make_trial(*refused.problem, reference, *refused.spec, candidate, refused.seed);
      if (trial && !loses_an_output(*trial, refused)) trials.push_back(std::move(trial).value());
    }
    // A failure that ends a kernel ends the child's run. Another child tries the rest.
    while (!trials.empty()) {
      const Finished finished = TRY(run(trials));
      size_t done = 0;
      bool found = false;
      for (; done < trials.size() && finished.results[done].ran && !found; ++done) {
        Assessment assessment = TRY(assess(trials[done], reference, finished.results[done], finished.arrays[done]));
        if (assessment.verdict != verdict) continue;
        found = true;
        sizes = trials[done].sizes;
        best = SmallerCase{std::move(*assessment.refusal), sizes};
      }
      if (found || done == 0) break;
      trials.erase(trials.begin(), trials.begin() + ptrdiff_t(done));
    }
  }
  return best;
}

}  // namespace warpwise::lab
