// Reads a file of tests/ptx/exec with the standard library alone, so that the GPU judge builds on a machine that
// has a compiler and a driver and nothing else of ours. The format is told in ptx_case.h, whose reader gives the
// same for every file (cases_test.cpp).
#pragma once

#include "exec/interpreter/ptx_case.h"

namespace warpwise::gpu {

Result<test::PtxCase> read_case(const std::string& path);

}  // namespace warpwise::gpu
