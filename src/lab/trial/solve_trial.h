// A trial of a solve problem: the submission's host code runs as a program in the sandbox, and reaches the test
// device's device through a socket.
//
//     judging child: test device, server ◄──socket──► sandbox: main ─► solve ─► our CUDA runtime
//
// So the arrays, the checkers and what they found are out of its reach. Each trial has a process of its own: nothing is
// carried over. A sandbox takes longer to build than most trials take, so that of the next trial is built while one
// runs: its program waits for its arguments.
#pragma once

#include <functional>
#include <memory>

#include "lab/trial/solve_program.h"
#include "lab/trial/test_device.h"

namespace warpwise::lab {

struct SolveOptions {
  bool sandbox = true;  // false: --no-sandbox
  std::function<Result<void>()>
      program_started;  // called when the submission's process is there, before anything is done for it
};

// A submission's process that waits for the arguments of a trial. It ends with this object.
class WaitingProgram;
struct EndsProgram {
  void operator()(WaitingProgram* program) const;
};
using Waiting = std::unique_ptr<WaitingProgram, EndsProgram>;

// `ahead`: while another trial with the same options runs, for which the process may have to wait. Errors: L0009.
Result<Waiting> start_solve_program(const SolveProgram& program, const TestDeviceOptions& options, bool sandbox,
                                    bool ahead = false);

// `waiting`: a process started with the same options; null: one is started. Errors: L0009; S0001 when this machine
// cannot give a sandbox.
Result<TrialResult> run_solve_trial(const SolveProgram& program, const Trial& trial, const TrialMemory& memory,
                                    const TestDeviceOptions& options, const SolveOptions& how, Waiting waiting = {});

}  // namespace warpwise::lab
