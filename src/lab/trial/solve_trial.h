// A trial of a solve problem: the submission's host code runs as a program in the sandbox, and reaches the test
// device's device through a socket.
//
//     judging child: test device, server ◄──socket──► sandbox: main ─► solve ─► our CUDA runtime
//
// So the arrays, the checkers and what they found are out of its reach. Each trial has a process of its own, and
// nothing is carried over, also where trials share a sandbox (lab/sandbox/series.h).
#pragma once

#include <functional>

#include "lab/sandbox/series.h"
#include "lab/trial/solve_program.h"
#include "lab/trial/test_device.h"

namespace warpwise::lab {

struct SolveOptions {
  bool sandbox = true;  // false: --no-sandbox
  std::function<Result<void>()>
      program_started;                // called when the submission's process is there, before anything is done for it
  sandbox::Series* series = nullptr;  // of the trials that run one after the other; null: a sandbox of its own
};

// Errors: L0009; S0001 when this machine cannot give a sandbox.
Result<TrialResult> run_solve_trial(const SolveProgram& program, const Trial& trial, const TrialMemory& memory,
                                    const TestDeviceOptions& options, const SolveOptions& how);

}  // namespace warpwise::lab
