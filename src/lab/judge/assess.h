// Turns the outcome of a trial into a verdict and the facts that belong to it.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "lab/judge/judge.h"
#include "lab/trial/test_device.h"
#include "lab/trial/trial.h"

namespace warpwise::lab {

struct Assessment {
  Verdict verdict = Verdict::Accepted;
  CaseReport report;
  std::optional<Refusal> refusal;
  std::vector<std::string> warnings;  // what is no refusal, and no good sign either
};

// `budgets`: false leaves them out, for runs that only look at samples. L0007: the reference's checker failed.
Result<Assessment> assess(const Trial& trial, const Reference& reference, const TrialResult& result,
                          const TrialMemory& memory, bool budgets = true);

// What to do where no barrier stands between a store to shared memory and a load of it.
inline constexpr std::string_view kBarrierBetween =
    "between a store to shared memory and a load of it every thread of the block must pass __syncthreads()";

// A read of global or shared memory that nothing has written: its value may be of no use.
bool reads_what_nothing_wrote(const Finding& finding);
// "map.cu:3: ": where a finding is; "": not known.
std::string place_in_front(const Finding& finding);

// Whether a result by itself is a refusal: then the child need not continue.
bool is_fatal(const TrialResult& result);

}  // namespace warpwise::lab
