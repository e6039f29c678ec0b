#include "matrix_products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cstdio>
#include <string_view>

#include "ptx/forms.h"
#include "ptx/parser.h"

namespace warpwise::random_programs {

namespace {

struct Row {
  std::string_view kind, shape, family, sums;
};
constexpr Row kRows[] = {
#define FORM(kind, shape, family, sums, ptx, sm) {#kind, #shape, #family, #sums},
#include "ptx/matrix_forms.inc"
#undef FORM
};

struct Element {
  const char* name;
  unsigned bits;
};
std::vector<Element> elements_of(std::string_view family) {
  if (family == "F16") return {{"f16", 16}};
  if (family == "BF16") return {{"bf16", 16}};
  if (family == "TF32") return {{"tf32", 32}};
  if (family == "F64") return {{"f64", 64}};
  if (family == "F8") return {{"e4m3", 8}, {"e5m2", 8}};
  if (family == "Int8") return {{"s8", 8}, {"u8", 8}};
  if (family == "Int4") return {{"s4", 4}, {"u4", 4}};
  return {{"b1", 1}};
}

std::vector<std::string_view> sums_of(std::string_view sums) {
  if (sums == "F32") return {"f32"};
  if (sums == "F64") return {"f64"};
  if (sums == "S32") return {"s32"};
  return {"f16", "f32"};
}

constexpr unsigned kLanes = 32;

std::string list(const char* name, unsigned registers) {
  std::vector<std::string> names;
  for (unsigned k = 0; k < registers; ++k) names.push_back(fmt::format("%{}{}", name, k));
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

bool is_accepted(const MatrixProduct& p) {
  std::string text = fmt::format("{{\n  .reg .{} %ma<8>;\n  .reg .{} %mb<8>;\n  .reg .{} %mc<8>;\n  {} {}, {}, {}, {};\n}}\n", p.a.type, p.b.type, p.sum.type,
                                 p.instruction, list("mc", p.sum.registers), list("ma", p.a.registers), list("mb", p.b.registers),
                                 list("mc", p.sum.registers));
  Diagnostics diagnostics;
  return ptx::load(std::make_shared<SourceText>("product", ptx::module_around(text, 87, "sm_90a")), diagnostics).has_value();
}

}  // namespace

std::vector<MatrixProduct> matrix_products() {
  std::vector<MatrixProduct> products;
  for (const Row& row : kRows) {
    if (row.kind != "Mma") continue;
    unsigned m = 0, n = 0, k = 0;
    std::sscanf(std::string(row.shape).c_str(), "M%uN%uK%u", &m, &n, &k);
    // The oldest shape is four products at once, one of each quarter of the warp.
    const unsigned copies = row.family == "F16" && m == 8 ? 4 : 1;
    for (const Element& a : elements_of(row.family))
      for (const Element& b : elements_of(row.family))
        for (std::string_view sum : sums_of(row.sums)) {
          auto registers = [&](unsigned elements, unsigned bits) { return copies * elements * bits / kLanes / (bits == 64 ? 64 : 32); };
          auto type = [](std::string_view of) { return of == "f64" ? "f64" : of == "f32" ? "f32" : "b32"; };
          MatrixProduct p;
          p.a = {type(a.name), registers(m * k, a.bits)};
          p.b = {type(b.name), registers(k * n, b.bits)};
          p.sum = {type(sum), registers(m * n, sum == "f16" ? 16 : sum == "f64" ? 64 : 32)};
          const std::string shape = fmt::format("mma.sync.aligned.m{}n{}k{}.row.col", m, n, k), types = fmt::format("{}.{}.{}.{}", sum, a.name, b.name, sum);
          std::vector<std::string> forms = {fmt::format("{}.{}", shape, types)};
          if (row.family == "B1") forms = {fmt::format("{}.{}.and.popc", shape, types), fmt::format("{}.{}.xor.popc", shape, types)};
          if (row.family == "Int8" || row.family == "Int4") forms.push_back(fmt::format("{}.satfinite.{}", shape, types));
          for (std::string& form : forms) {
            p.instruction = std::move(form);
            if (is_accepted(p)) products.push_back(p);
          }
        }
  }
  return products;
}

}  // namespace warpwise::random_programs
