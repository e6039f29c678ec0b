// What an instruction of PTX counts as: the pipe of the SM that executes it, and the arithmetic it does.
//
// Each instruction is taken as one of SASS. Some have no counterpart there: moves between registers, conversions that
// only rename bits, reads of parameters (operands of the instructions that use them), changes of address space. Those
// are not counted. Sources of the pipes: CUDA C++ Programming Guide, "Arithmetic Instructions" (throughputs: what
// shares a figure shares a pipe); Nsight Compute, Kernel Profiling Guide, "Pipelines".
#pragma once

#include <cstdint>
#include <optional>

#include "numerics/formats.h"
#include "perf/counters/launch_counts.h"
#include "ptx/module.h"

namespace warpwise::perf {

// Which step of a chain of dependent instructions it is (ChainSteps).
enum class Step : uint8_t { None, Fma, Fp64, Xu, Shared, Global, Atomic, Tensor, Barrier, Branch, Gap };

// How many instructions of SASS each pipe gets for one of PTX, and how long the result takes (sass_forms.inc).
struct SassForm {
  uint8_t fma = 0, alu = 0, xu = 0, fp64 = 0, branches = 0;
  uint16_t clocks = 0;
  uint8_t uniform = 0;
  unsigned instructions() const { return fma + alu + xu + fp64 + branches + uniform; }
};

// Of barriers at which lanes reconverge (convergence.h): what a warp executes for them each time that it comes to the
// instruction, and each time that its lanes diverge there. Together they are how often barriers are set and waited for.
struct Reconvergence {
  uint8_t per_warp = 0, per_divergence = 0;
  uint8_t waits = 0;  // of the first instruction of a block: how many a warp waits at
};

struct InstructionClass {
  bool counted = true;  // no: it has no counterpart in SASS, or one that is only counted beside it (form)
  // How many of SASS (sass_forms.h): several, or less than one, where it is fused into another or its loop is unrolled.
  const SassForm* form = nullptr;
  const SassForm* slow_way = nullptr;  // beyond `form`, of warps whose operands take it
  float times = 1;
  uint8_t constants = 0;  // moves before it, of the words of a constant (sass_forms.h)
  Reconvergence reconvergence;
  std::optional<Counter> pipe;
  std::optional<Counter> lane_op;    // what each lane does ...
  uint8_t ops_per_lane = 1;          // ... so many times
  std::optional<Counter> tensor_op;  // what the warp does together ...
  uint64_t ops_per_warp = 0;
  bool of_warpgroup = false;
  Step step = Step::Fma;
};

InstructionClass classify(const ptx::Instruction& instruction);

// What products of matrices of such elements count as.
Counter tensor_counter(numerics::Element element);

}  // namespace warpwise::perf
