// What becomes of a value that an instruction reads.
//
// `volatile` is used for two things. A thread that polls a flag reads a word and decides by it whether to go on; that
// several threads touch the flag is the point of it. A thread that computes with what it read depends on whose value
// it was. Which of them an access is shows in the function's PTX: the value reaches a condition of a branch, or nothing
// but sums and stores. The order of instructions does not count, so a register that is used for both counts as a
// decision.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpwise::check {

enum class ValueUse : uint8_t {
  None,      // it is not used
  Data,      // computed with, stored to memory
  Decision,  // some branch depends on it, a compare-and-swap checks it, or it goes where it cannot be followed
};

ValueUse use_of_result(const ptx::Module& module, size_t function, size_t instruction);

// Whether the value decides that it is read once more, and nothing that other threads could observe happens until then:
// a thread waits for it, or reads it in passing. True as well where the value goes to other functions.
//
//     while (*turn != mine) {}                  polled
//     for (...) if (*found) break;              polled
//     if (*done) break;  __syncthreads();       not: the next read is behind a barrier
bool may_be_polled(const ptx::Module& module, size_t function, size_t instruction);

}  // namespace warpwise::check
