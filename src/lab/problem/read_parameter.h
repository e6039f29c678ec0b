// Reads what rows [[parameter]] of problem.toml and ladder.toml say alike. The order keeps the message about a misspelt
// key in front of those that follow from it:
//
//     Parameter p;
//     read_parameter(t, p);                // the keys that both have
//     p.zeroed = t.flag("zeroed");         // the reader's own
//     t.finish();                          // "there is no key `counts`; did you mean `count`?"
//     p.type = element_of<ElementType>(t, p, kTypes, "problem");
//     check_parameter(t, p, is_float(p.type));
//     append_row(t, parameters, std::move(p), "parameter");
#pragma once

#include <span>

#include "lab/problem/parameter.h"
#include "lab/problem/toml_table.h"

namespace warpwise::lab {

// Reads `name`, `type`, `role` and `count`, and calls the table by the name.
void read_parameter(TomlTable& t, ParameterRow& row);

// Notes what no row can be: a size that is a pointer, an output that is `const`. `floating`: its elements are
// floating-point numbers.
void check_parameter(const TomlTable& t, const ParameterRow& row, bool floating);

// The enumerator of the row's elements. `names` stand in the order of the enumerators; `owner` is what has the
// parameters: "ladder".
template <class Enum>
Enum element_of(const TomlTable& t, const ParameterRow& row, std::span<const std::string_view> names,
                std::string_view owner) {
  if (auto found = find_name<Enum>(names, split_type(row.spelling).element)) return *found;
  t.mistake(fmt::format("`{}` is not a type that a {} can have", row.spelling, owner));
  return Enum(0);
}

// Adds a row, whose name none before it may have. `what` is a word for it: "case".
template <class Row>
void append_row(const TomlTable& t, std::vector<Row>& rows, Row row, std::string_view what) {
  if (find_row(rows, row.name)) t.mistake(fmt::format("another {} has this name", what));
  rows.push_back(std::move(row));
}

}  // namespace warpwise::lab
