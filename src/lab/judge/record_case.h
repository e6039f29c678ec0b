// Recording a case of a problem, so that a learner sees what the warps did in it: which block to record, and what makes
// the recording whole. The judge runs the case (judge.cpp).
#pragma once

#include <filesystem>

#include "lab/judge/judge.h"
#include "trace/complete.h"
#include "trace/recorder.h"

namespace warpwise::lab {

// The case of the refusal, in its smallest form; of an accepted file the first that fills warps, if there is one; or
// the case that was asked for. L0010 when there is none.
Result<Trial> trial_to_record(const Problem& problem, const Reference& reference, const std::vector<Trial>& trials,
                              const Judgement& judgement, const std::optional<Numbers>& shrunk,
                              const std::optional<RecordedCase>& like);
// The block of the thread that the refusal names, or the first one. Of several launches of its kernel it is the first,
// because findings do not say which.
RecordedCase what_to_record(const Trial& trial, const Judgement& judgement);
// `file`: where the steps go.
trace::RecordRequest request_of(const RecordedCase& recorded, const Trial& trial, const std::filesystem::path& file);

// What the launches of the case count, from a profiler's records ("": there are none). The recorded launch is the first
// of `kernel` ("": of any).
void add_counts(trace::Completion& completion, const std::string& records, const std::string& kernel,
                const device::Properties& device);

// Adds to the steps what the judge knows: findings, a wrong value as one of them, and the submission's own files.
// `completion` has the command, the tool and the device. With `like` the findings are left out: they are of another
// case. V0006 when nothing was recorded.
Result<void> complete_recording(const Trial& trial, const Judgement& judgement, const RecordedCase& recorded, bool like,
                                trace::Completion completion, const std::filesystem::path& steps,
                                const std::filesystem::path& file);

}  // namespace warpwise::lab
