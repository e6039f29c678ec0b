// A trial of a kernel problem: the launch that problem.toml gives, on a test device.
#pragma once

#include "lab/trial/test_device.h"

namespace warpwise::lab {

// `ptx`: the submission's device half. Errors: L0009.
Result<TrialResult> run_kernel_trial(const std::string& ptx, const Trial& trial, const TrialMemory& memory,
                                     const TestDeviceOptions& options);

}  // namespace warpwise::lab
