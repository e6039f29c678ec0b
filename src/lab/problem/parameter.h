// One argument of a signature, as a row [[parameter]] of problem.toml or of ladder.toml says it (read_parameter.h reads
// what both say alike; each adds keys of its own):
//
//     [[parameter]]
//     name = "a"
//     type = "const float*"
//     role = "input"
//     count = "rows * columns"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::lab {

enum class Role : uint8_t { Input, Output, Inout, Scratch, Size, Scalar };
std::string_view name_of(Role role);

struct ParameterRow {
  std::string name;
  std::string spelling;  // of its type: "const float*"
  Role role = Role::Input;
  bool pointer = false;
  std::string count;  // arrays: an expression

  bool is_output() const { return role == Role::Output || role == Role::Inout; }
  bool is_number() const { return role == Role::Size || role == Role::Scalar; }
};

// "const unsigned int*" is a constant pointer to "uint32_t".
struct TypeParts {
  bool constant = false, pointer = false;
  std::string_view element;  // its name where element_spellings.inc knows the spelling, else what was written
};
TypeParts split_type(std::string_view spelling);

// A row by its name; null: there is none.
template <class Row>
const Row* find_row(const std::vector<Row>& rows, std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace warpwise::lab
