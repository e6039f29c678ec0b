// A watch that records: what the warps of one block do, step by step, in a file as `warpwise trace` writes it.
//
// The command runs a program three times: checked, counted, recorded. Calls of a running process cannot be repeated, so
// a recording here is of one run. Which block it is says the caller, or a report of the checkers that the caller has
// had.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "cuda/runtime/device/open_device.h"
#include "exec/options.h"
#include "trace/recording.h"

namespace warpwise::capi {

struct RecordingRequest {
  cuda::BlockToRecord block;
  std::string output;  // the whole file
  trace::Choice choice = trace::Choice::First;
  bool checked = false;
  std::vector<Finding> findings;
};

// {"output": FILE, "kernel": "scan", "launch": 0, "block": [x, y, z], "first": 0, "steps": 65536, "lines": [17],
//  "report": the JSON of a check}, of which `output` alone must be there. Without a kernel and a block it is those of
//  the
// report's first finding in a block. V0007 for a block that is none; U0030 for members of another kind.
Result<RecordingRequest> read_recording_request(const nlohmann::json& asked);

struct RecordingText {
  std::string text, json;  // the summary, as `warpwise view` has it
};
// The file of a run that has ended, from the steps that its recorder has written.
Result<RecordingText> finish_recording(const RecordingRequest& request, const std::string& steps,
                                       const exec::Options& options, const std::string& program);

}  // namespace warpwise::capi
