// The plain interpreter: the second judge of every instruction. It executes PTX as the manual reads, one thread and one
// instruction at a time, shares no code with the compiler, and checks every access. It is slow on purpose: its code
// must be evident.
//
//     program.h   a kernel prepared                  step.h       one instruction: operands, memory, faults
//     thread.h    a thread: calls and registers      dispatch.h   from the table's rows to functions
//     block.h     a block: slices, memory            *.cpp        one file per chapter of the manual
//     choices.h   what the manual leaves open        collectives.cpp, barrier.cpp   where threads wait
#pragma once

#include <memory>

#include "exec/engine.h"

namespace warpwise::exec {

// The machine must outlive the engine.
std::unique_ptr<Engine> make_interpreter(const Machine& machine);

// Whether every instruction that the kernel may reach can be executed.
device::Status can_interpret(const KernelImage& image);
// Runs the clusters of a launch from the one at place `first` of the schedule's order on.
device::Status interpret(const Machine& machine, const KernelLaunch& launch, uint64_t first);

}  // namespace warpwise::exec
