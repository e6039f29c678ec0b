// A real GPU as one more engine, on machines that have one: `gpu` in the list of engines.
#pragma once

#include "run.h"

namespace warpwise::random_programs {

constexpr const char* kGpu = "gpu";

// Initialises the driver in this process, which must not fork afterwards.
Outcome run_on_gpu(const Shape& shape, const std::string& ptx);

}  // namespace warpwise::random_programs
