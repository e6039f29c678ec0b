// Makes a program from a seed.
#pragma once

#include "program.h"
#include "vocabulary.h"

namespace warpwise::random_programs {

Program generate(const Vocabulary& vocabulary, uint64_t seed);

// The numbers that programs start from: edges of all types, and noise.
std::vector<uint64_t> inputs(uint64_t seed);

}  // namespace warpwise::random_programs
