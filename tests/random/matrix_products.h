// Every product of a warp's matrices that the table of their forms allows (ptx/shapes/matrix_forms.inc), as text and
// registers, for random programs: mma, sparse mma, and wmma with the fragments that it loads and stores.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::random_programs {

struct Fragment {
  const char* type = "b32";  // of its registers
  unsigned registers = 0;    // of a lane
};

struct MatrixProduct {
  std::string instruction;  // "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
  Fragment a, b, c, d;
  unsigned selectors = 0;        // of a sparse product: how many it has
  bool pairs_alternate = false;  // sparse: of two elements one is kept (tf32), not of four two
  unsigned scale_vectors = 0;    // of a product with scales: how many a row of a has
};

// A product between matrices in memory. Lines are rows or columns, as the layouts say.
struct WmmaProduct {
  struct Matrix : Fragment {
    char name = 'a';        // a, b, c or d
    std::string type_name;  // "f16"
    unsigned rows = 0, columns = 0, bits = 0;
    bool by_column = false;
    unsigned lines() const { return by_column ? columns : rows; }
    unsigned line() const { return by_column ? rows : columns; }  // elements
  };
  std::string instruction, shape;  // "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "m16n16k16"
  Matrix a, b, c, d;
};

// The forms of the table, by what a coverage test can look for: "Mma M16N8K16 F16".
struct MatrixRow {
  std::string_view kind, shape, family, sums;
};
const std::vector<MatrixRow>& matrix_rows();

// Those that the verifier accepts for this target and for no earlier one; sm_90a stands for all until then. A list for
// each form of the table, so that a form with few types is as frequent as one with many.
std::vector<std::vector<MatrixProduct>> matrix_products(std::string_view target);
std::vector<WmmaProduct> wmma_products();

}  // namespace warpwise::random_programs
