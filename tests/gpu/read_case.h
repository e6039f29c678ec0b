// Reads a file of tests/ptx/exec with the standard library alone, so that the GPU judge builds on a machine that has
// only a compiler and a driver. The format is described in ptx_case.h, and its reader gives the same result for every
// file (cases_test.cpp).
#pragma once

#include "exec/interpreter/ptx_case.h"

namespace warpwise::gpu {

Result<test::PtxCase> read_case(const std::string& path);

}  // namespace warpwise::gpu
