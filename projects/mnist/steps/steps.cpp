#include "../error.h"
#include "step.h"

namespace mnist {

#define STEP(number, name, make, tensor_cores, idea) std::unique_ptr<Step> make(int batch, Precision precision);
#include "steps.inc"
#undef STEP

const char* name_of(Precision precision) {
  switch (precision) {
    case Precision::Fp32: return "fp32";
    case Precision::Tf32: return "tf32";
    case Precision::Bf16: return "bf16";
  }
  return "?";
}

const std::vector<StepInfo>& all_steps() {
  static const std::vector<StepInfo> steps = {
#define STEP(number, name, make, tensor_cores, idea) {number, name, idea, tensor_cores, make},
#include "steps.inc"
#undef STEP
  };
  return steps;
}

std::unique_ptr<Step> make_step(int number, int batch, Precision precision) {
  for (const StepInfo& step : all_steps()) {
    if (step.number != number) continue;
    if (precision != Precision::Fp32 && !step.tensor_cores)
      fail("step %d (%s) computes in fp32; %s needs a step with tensor cores", number, step.name, name_of(precision));
    return step.make(batch, precision);
  }
  fail("there is no step %d; there are 0 to %d", number, all_steps().back().number);
}

}  // namespace mnist
