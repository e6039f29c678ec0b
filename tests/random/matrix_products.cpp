#include "matrix_products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "ptx/parse/parser.h"
#include "ptx/shapes/forms.h"

namespace warpwise::random_programs {

namespace {

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
  if (family == "F8F6F4" || family == "MxF8F6F4")
    return {{"e4m3", 8}, {"e5m2", 8}, {"e3m2", 8}, {"e2m3", 8}, {"e2m1", 8}};
  if (family == "MxF4") return {{"e2m1", 4}};
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

struct Size {
  unsigned m = 0, n = 0, k = 0;
  std::string text() const { return fmt::format("m{}n{}k{}", m, n, k); }
};
Size size_of(std::string_view shape) {
  Size s;
  std::sscanf(std::string(shape).c_str(), "M%uN%uK%u", &s.m, &s.n, &s.k);
  return s;
}

const char* register_type(std::string_view element) {
  return element == "f64" ? "f64" : element == "f32" ? "f32" : "b32";
}
unsigned bits_of_sum(std::string_view sum) { return sum == "f16" ? 16 : sum == "f64" ? 64 : 32; }

Fragment fragment(std::string_view element, unsigned elements, unsigned bits) {
  return {register_type(element), elements * bits / kLanes / (bits == 64 ? 64 : 32)};
}

std::string list(const char* name, unsigned registers) {
  std::vector<std::string> names;
  for (unsigned k = 0; k < registers; ++k) names.push_back(fmt::format("%{}{}", name, k));
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

bool is_accepted(const std::string& instruction, const Fragment& a, const Fragment& b, const Fragment& c,
                 const Fragment& d, std::string_view rest, std::string_view target = "sm_90a") {
  std::string text = fmt::format(
      "{{\n  .reg .{} %ma<8>;\n  .reg .{} %mb<8>;\n  .reg .{} %mc<8>;\n  .reg .{} %md<8>;\n  .reg .b32 %meta;\n  {} "
      "{}, {}, {}, {}{};\n}}\n",
      a.type, b.type, c.type, d.type, instruction, list("md", d.registers), list("ma", a.registers),
      list("mb", b.registers), list("mc", c.registers), rest);
  Diagnostics diagnostics;
  return ptx::load(std::make_shared<SourceText>("product", ptx::module_around(text, 88, target)), diagnostics)
      .has_value();
}

// What may stand around the types of a product: roundings of doubles, saturation of integers, how bits are combined,
// kinds and scales.
struct Manner {
  const char* before = "";  // the types
  const char* after = "";
  unsigned scale_vectors = 0;
};
std::vector<Manner> manners_of(std::string_view family) {
  if (family == "F64") return {{}, {".rn", ""}, {".rz", ""}, {".rm", ""}, {".rp", ""}};
  if (family == "Int8" || family == "Int4") return {{}, {".satfinite", ""}};
  if (family == "B1") return {{"", ".and.popc"}, {"", ".xor.popc"}};
  if (family == "F8F6F4") return {{".kind::f8f6f4", ""}};
  if (family == "MxF8F6F4")
    return {{".kind::mxf8f6f4.block_scale", ".ue8m0", 1}, {".kind::mxf8f6f4.block_scale.scale_vec::1X", ".ue8m0", 1}};
  if (family == "MxF4") {
    return {{".kind::mxf4.block_scale", ".ue8m0", 2},
            {".kind::mxf4nvf4.block_scale.scale_vec::2X", ".ue8m0", 2},
            {".kind::mxf4nvf4.block_scale.scale_vec::4X", ".ue4m3", 4}};
  }
  return {{}};
}

constexpr const char* kLayouts[] = {"row", "col"};

}  // namespace

const std::vector<MatrixRow>& matrix_rows() {
  static const std::vector<MatrixRow> kRows = {
#define FORM(kind, shape, family, sums, ptx, sm) {#kind, #shape, #family, #sums},
#include "ptx/shapes/matrix_forms.inc"
#undef FORM
  };
  return kRows;
}

std::vector<std::vector<MatrixProduct>> matrix_products(std::string_view target) {
  std::vector<std::vector<MatrixProduct>> lists;
  // Whether this target is the first of them to take it, with what stands behind its fragments.
  auto is_new = [&](const MatrixProduct& p, std::string rest) {
    if (p.scale_vectors != 0) rest += ", %meta, {0, 0}, %meta, {0, 0}";
    auto accepted = [&](std::string_view by) { return is_accepted(p.instruction, p.a, p.b, p.c, p.d, rest, by); };
    return accepted(target) && (target == "sm_90a" || !accepted("sm_90a"));
  };
  for (const MatrixRow& row : matrix_rows()) {
    if (row.kind == "Wmma") continue;
    std::vector<MatrixProduct> products;
    const Size s = size_of(row.shape);
    const bool sparse = row.kind == "MmaSp";
    // The oldest shape is four products at once, one of each quarter of the warp.
    const unsigned copies = row.family == "F16" && s.m == 8 ? 4 : 1;
    for (const Element& a : elements_of(row.family))
      for (const Element& b : elements_of(row.family))
        for (std::string_view sum : sums_of(row.sums))
          for (std::string_view start : sums_of(row.sums))
            for (const char* by : kLayouts)
              for (const char* across : kLayouts)
                for (const Manner& manner : manners_of(row.family)) {
                  MatrixProduct p;
                  p.a = fragment(a.name, copies * s.m * s.k / (sparse ? 2 : 1), a.bits);
                  p.b = fragment(b.name, copies * s.k * s.n, b.bits);
                  p.c = fragment(start, copies * s.m * s.n, bits_of_sum(start));
                  p.d = fragment(sum, copies * s.m * s.n, bits_of_sum(sum));
                  p.scale_vectors = manner.scale_vectors;
                  const std::string form = fmt::format("{}.{}.{}{}.{}.{}.{}.{}{}", s.text(), by, across, manner.before,
                                                       sum, a.name, b.name, start, manner.after);
                  if (!sparse) {
                    p.instruction = "mma.sync.aligned." + form;
                    if (is_new(p, "")) products.push_back(p);
                    continue;
                  }
                  p.pairs_alternate = row.family == "TF32";
                  for (const char* kind : {"mma.sp.sync.aligned.", "mma.sp::ordered_metadata.sync.aligned."}) {
                    p.instruction = kind + form;
                    p.selectors = 0;
                    while (p.selectors < 4 && is_new(p, fmt::format(", %meta, {}", p.selectors))) ++p.selectors;
                    if (p.selectors != 0) products.push_back(p);
                  }
                }
    if (!products.empty()) lists.push_back(std::move(products));
  }
  return lists;
}

std::vector<WmmaProduct> wmma_products() {
  std::vector<WmmaProduct> products;
  for (const MatrixRow& row : matrix_rows()) {
    if (row.kind != "Wmma") continue;
    const Size s = size_of(row.shape);
    for (const Element& e : elements_of(row.family))
      for (std::string_view sum : sums_of(row.sums))
        for (std::string_view start : sums_of(row.sums))
          for (bool a_by_column : {false, true})
            for (bool b_by_column : {false, true})
              for (const Manner& manner : manners_of(row.family)) {
                WmmaProduct p;
                p.shape = s.text();
                auto matrix = [&](char name, std::string_view type, unsigned rows, unsigned columns, unsigned bits) {
                  WmmaProduct::Matrix m;
                  static_cast<Fragment&>(m) = fragment(type, rows * columns, bits);
                  m.name = name, m.type_name = type, m.rows = rows, m.columns = columns, m.bits = bits;
                  return m;
                };
                p.a = matrix('a', e.name, s.m, s.k, e.bits), p.b = matrix('b', e.name, s.k, s.n, e.bits);
                p.c = matrix('c', start, s.m, s.n, bits_of_sum(start)),
                p.d = matrix('d', sum, s.m, s.n, bits_of_sum(sum));
                // Every fragment of halves is eight registers (PTX ISA 9.7.14.4.2).
                if (row.family == "F16") p.a.registers = p.b.registers = 8;
                p.a.by_column = a_by_column, p.b.by_column = b_by_column;
                const std::string layouts = fmt::format("{}.{}", kLayouts[a_by_column], kLayouts[b_by_column]);
                if (row.family == "F16") {
                  p.instruction = fmt::format("wmma.mma.sync.aligned.{}.{}.{}.{}", layouts, p.shape, sum, start);
                } else if (row.family == "B1") {
                  p.instruction =
                      fmt::format("wmma.mma{}.sync.aligned.{}.{}.s32.b1.b1.s32", manner.after, layouts, p.shape);
                } else {
                  const bool saturates = std::string_view(manner.before) == ".satfinite";
                  p.instruction = fmt::format("wmma.mma.sync.aligned.{}.{}{}.{}.{}.{}.{}{}", layouts, p.shape,
                                              saturates ? "" : manner.before, sum, e.name, e.name, start,
                                              saturates ? manner.before : "");
                }
                if (is_accepted(p.instruction, p.a, p.b, p.c, p.d, "")) products.push_back(p);
              }
  }
  return products;
}

}  // namespace warpwise::random_programs
