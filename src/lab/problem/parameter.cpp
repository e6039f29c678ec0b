#include "lab/problem/parameter.h"

#include "lab/problem/read_parameter.h"

namespace warpwise::lab {
namespace {

constexpr std::string_view kRoles[] = {"input", "output", "inout", "scratch", "size", "scalar"};

}  // namespace

std::string_view name_of(Role role) { return kRoles[size_t(role)]; }

TypeParts split_type(std::string_view spelling) {
  constexpr std::string_view kConst = "const ";
  TypeParts parts;
  parts.constant = spelling.starts_with(kConst);
  if (parts.constant) spelling.remove_prefix(kConst.size());
  parts.pointer = spelling.ends_with("*");
  if (parts.pointer) spelling.remove_suffix(1);
  while (spelling.ends_with(" ")) spelling.remove_suffix(1);
  parts.element = spelling;
#define SPELLING(text, name) \
  if (spelling == text) parts.element = name;
#include "lab/problem/element_spellings.inc"
#undef SPELLING
  return parts;
}

void read_parameter(TomlTable& t, ParameterRow& row) {
  row.name = t.text("name");
  t.rename(fmt::format("[[parameter]] `{}`", row.name));
  row.spelling = t.text("type");
  row.pointer = split_type(row.spelling).pointer;
  row.role = t.choice<Role>("role", kRoles);
  row.count = t.maybe_expression("count").value_or("");
}

void check_parameter(const TomlTable& t, const ParameterRow& row, bool floating) {
  if (row.is_number() && row.pointer) t.mistake(fmt::format("a {} is not a pointer", name_of(row.role)));
  if (!row.is_number() && !row.pointer) t.mistake("arrays are pointers: `const float*`");
  if (row.role == Role::Size && floating) t.mistake("a size is an integer");
  if (row.pointer && row.count.empty()) t.mistake("`count` is missing: how many elements, as an expression");
  if (!row.pointer && !row.count.empty()) t.mistake("`count` belongs to arrays");
  if (row.is_output() && split_type(row.spelling).constant) t.mistake("an output cannot be `const`");
}

}  // namespace warpwise::lab
