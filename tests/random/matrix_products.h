// Every product of a warp's matrices (mma.sync) that the table of their forms allows (ptx/matrix_forms.inc), as text and
// registers, for random programs.
#pragma once

#include <string>
#include <vector>

namespace warpwise::random_programs {

struct MatrixProduct {
  std::string instruction;        // "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
  struct Fragment {
    const char* type = "b32";     // of its registers
    unsigned registers = 0;       // of a lane
  } a, b, sum;                    // sum: c and d
};

// Those that the verifier accepts.
std::vector<MatrixProduct> matrix_products();

}  // namespace warpwise::random_programs
