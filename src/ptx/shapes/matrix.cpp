#include "ptx/shapes/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace warpwise::ptx {

using numerics::Accumulator;
using numerics::Element;
using numerics::Product;

namespace {

enum class Kind : uint8_t { Wmma, Mma, MmaSp };
enum class Family : uint8_t { F16, BF16, TF32, F64, F8, Int8, Int4, B1, F8F6F4, MxF8F6F4, MxF4 };
enum class Sums : uint8_t { Halves, HalvesMixed, HalvesRising, F32, F64, S32 };

struct Row {
  Kind kind;
  Mod shape;
  Family family;
  Sums sums;
  unsigned ptx_version, sm;
};
constexpr Row kRows[] = {
#define FORM(kind, shape, family, sums, ptx, sm) {Kind::kind, Mod::shape, Family::family, Sums::sums, ptx, sm},
#include "ptx/shapes/matrix_forms.inc"
#undef FORM
};

std::optional<Element> element_of(Type type) {
  switch (type) {
    case Type::F16:
      return Element::F16;
    case Type::BF16:
      return Element::BF16;
    case Type::TF32:
      return Element::TF32;
    case Type::F64:
      return Element::F64;
    case Type::E4M3:
      return Element::E4M3;
    case Type::E5M2:
      return Element::E5M2;
    case Type::E2M3:
      return Element::E2M3;
    case Type::E3M2:
      return Element::E3M2;
    case Type::E2M1:
      return Element::E2M1;
    case Type::S8:
      return Element::S8;
    case Type::U8:
      return Element::U8;
    case Type::S4:
      return Element::S4;
    case Type::U4:
      return Element::U4;
    case Type::B1:
      return Element::B1;
    default:
      return std::nullopt;
  }
}

Family family_of(Element element) {
  switch (element) {
    case Element::F16:
      return Family::F16;
    case Element::BF16:
      return Family::BF16;
    case Element::TF32:
      return Family::TF32;
    case Element::F64:
      return Family::F64;
    case Element::S8:
    case Element::U8:
      return Family::Int8;
    case Element::S4:
    case Element::U4:
      return Family::Int4;
    case Element::B1:
      return Family::B1;
    default:
      return Family::F8;
  }
}

// `.kind::` is more specific than the types.
Family family_of(const Instruction& i, Element element) {
  if (i.has(Mod::KindF8F6F4)) return Family::F8F6F4;
  if (i.has(Mod::KindMxF8F6F4)) return Family::MxF8F6F4;
  return i.has(Mod::KindMxF4) || i.has(Mod::KindMxF4NvF4) ? Family::MxF4 : family_of(element);
}

std::optional<Accumulator> accumulator_of(Type type) {
  switch (type) {
    case Type::F16:
      return Accumulator::F16;
    case Type::F32:
      return Accumulator::F32;
    case Type::F64:
      return Accumulator::F64;
    case Type::S32:
      return Accumulator::S32;
    default:
      return std::nullopt;
  }
}

bool sums_fit(Sums sums, Accumulator d, Accumulator c) {
  auto half = [](Accumulator a) { return a == Accumulator::F16 || a == Accumulator::F32; };
  switch (sums) {
    case Sums::Halves:
      return half(d) && d == c;
    case Sums::HalvesMixed:
      return half(d) && half(c);
    case Sums::HalvesRising:
      return half(d) && half(c) && !(d == Accumulator::F16 && c == Accumulator::F32);
    case Sums::F32:
      return d == Accumulator::F32 && c == Accumulator::F32;
    case Sums::F64:
      return d == Accumulator::F64 && c == Accumulator::F64;
    case Sums::S32:
      return d == Accumulator::S32 && c == Accumulator::S32;
  }
  return false;
}

Mod shape_of(const Instruction& i) { return i.first_of(ModClass::Shape); }

Kind kind_of_row(Op op) {
  switch (op) {
    case Op::mma:
    case Op::mma_b1:
    case Op::mma_kind:
    case Op::mma_scaled:
      return Kind::Mma;
    case Op::mma_sp:
    case Op::mma_sp_ordered:
    case Op::mma_sp_kind:
    case Op::mma_sp_scaled:
      return Kind::MmaSp;
    default:
      return Kind::Wmma;
  }
}

void set_shape(Product& product, Mod shape) {
  unsigned m = 0, n = 0, k = 0;
  std::string text(text_of(shape));
  std::sscanf(text.c_str(), "m%un%uk%u", &m, &n, &k);
  product.m = static_cast<uint8_t>(m), product.n = static_cast<uint8_t>(n), product.k = static_cast<uint16_t>(k);
}

// Which scales each kind accepts (9.7.14.3, table 36). Returns what is wrong, or an empty text.
std::string read_scales(const Instruction& i, MatrixForm& form) {
  const unsigned given = i.has(Mod::ScaleVec1X) ? 1 : i.has(Mod::ScaleVec2X) ? 2 : i.has(Mod::ScaleVec4X) ? 4 : 0;
  Product& p = form.product;
  p.scales_are_e4m3 = i.has(Mod::UE4M3);
  if (i.has(Mod::KindMxF4NvF4)) {
    if (given != 2 && given != 4)
      return "this kind says how many scales a row has: `.scale_vec::2X` or `.scale_vec::4X`";
    if (given == 2 && p.scales_are_e4m3) return "scales in .ue4m3 are four to a row: `.scale_vec::4X`";
    if (given == 4 && !p.scales_are_e4m3) form.ptx_version = 91;
    p.scale_vectors = static_cast<uint8_t>(given);
    return "";
  }
  if (p.scales_are_e4m3) return "scales in .ue4m3 go with `.kind::mxf4nvf4` only";
  p.scale_vectors = i.has(Mod::KindMxF4) ? 2 : 1;
  if (given != 0 && given != p.scale_vectors)
    return fmt::format("a row of this kind has {}: `.scale_vec::{}X`",
                       p.scale_vectors == 1 ? "one scale" : "two scales", p.scale_vectors);
  return "";
}

// Registers as the instruction has them. wmma's operands of f16 have eight registers for every shape (9.7.14.4.2), of
// which those of one tile are repeated; all others have the size of their elements.
unsigned registers_of(Kind kind, const Product& p, char operand) {
  const bool b = operand == 'b', multiplicand = operand == 'a' || b;
  const unsigned words = operand == 'a' ? p.a_words() : b ? p.b_words() : operand == 'c' ? p.c_words() : p.d_words();
  if (multiplicand && kind == Kind::Wmma && p.a == Element::F16) return 8;
  return register_type(p, operand) == Type::F64 ? words / 2 : words;
}

std::string combination(Mod shape, Element a, Element b) {
  constexpr const char* kNames[] = {"f16",  "bf16", "tf32", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1",
                                    "e2m1", "f64",  "s8",   "u8",   "s4",   "u4",   "b1"};
  return fmt::format(".{} with .{} and .{}", text_of(shape), kNames[static_cast<unsigned>(a)],
                     kNames[static_cast<unsigned>(b)]);
}

}  // namespace

bool is_matrix_product(Op op) {
  switch (op) {
    case Op::wmma_mma_f16:
    case Op::wmma_mma:
    case Op::wmma_mma_b1:
    case Op::mma:
    case Op::mma_b1:
    case Op::mma_sp:
    case Op::mma_sp_ordered:
    case Op::mma_kind:
    case Op::mma_sp_kind:
    case Op::mma_scaled:
    case Op::mma_sp_scaled:
      return true;
    default:
      return false;
  }
}

unsigned scale_operand(const Product& p) { return p.sparse ? 6 : 4; }

Type register_type(const Product& p, char operand) {
  if (operand == 'a' || operand == 'b') return (operand == 'a' ? p.a : p.b) == Element::F64 ? Type::F64 : Type::B32;
  switch (operand == 'c' ? p.c : p.d) {
    case Accumulator::F16:
      return Type::B32;
    case Accumulator::F32:
      return Type::F32;
    case Accumulator::F64:
      return Type::F64;
    case Accumulator::S32:
      return Type::B32;
  }
  return Type::B32;
}

std::optional<MatrixForm> matrix_form(const Instruction& i, std::string* why) {
  auto wrong = [&](std::string text) {
    if (why) *why = std::move(text);
    return std::nullopt;
  };
  const Kind kind = kind_of_row(i.op);
  const bool of_f16 = i.op == Op::wmma_mma_f16;
  const std::optional<Element> a = of_f16 ? Element::F16 : element_of(i.type(1)),
                               b = of_f16 ? Element::F16 : element_of(i.type(2));
  const std::optional<Accumulator> d = accumulator_of(i.type(0)), c = accumulator_of(i.type(of_f16 ? 1 : 3));
  const Mod shape = shape_of(i);
  if (!a || !b || !c || !d) return wrong("these are no types of a matrix product");
  const Family family = family_of(i, *a);
  if (family != family_of(i, *b)) return wrong("the two matrices have types that do not go together");
  MatrixForm form;
  Product& p = form.product;
  const Row* row = nullptr;
  bool shape_known = false;
  for (const Row& r : kRows) {
    if (r.kind != kind || r.shape != shape || r.family != family) continue;
    shape_known = true;
    if (sums_fit(r.sums, *d, *c)) row = &r;
  }
  if (!row)
    return wrong(shape_known ? "the types of d and c do not go with this product"
                             : fmt::format("there is no product {}", combination(shape, *a, *b)));
  // 9.7.14.4.5: integers of fewer than eight bits have one sign in wmma.
  if (kind == Kind::Wmma && *a != *b) return wrong("wmma takes two matrices of one type");
  set_shape(p, shape);
  p.a = *a, p.b = *b, p.c = *c, p.d = *d;
  if (family == Family::MxF4) {
    if (p.a != Element::E2M1 || p.b != Element::E2M1) return wrong("this kind takes two matrices of .e2m1");
    p.a = p.b = Element::E2M1Packed;
  }
  p.quad_pairs = kind == Kind::Mma && shape == Mod::M8N8K4 && *a == Element::F16;
  const int a_slot = i.spec().slot("alayout"), b_slot = i.spec().slot("blayout");
  const bool a_column = a_slot >= 0 && i.mods[a_slot] == Mod::Col, b_row = b_slot >= 0 && i.mods[b_slot] == Mod::Row;
  if (p.quad_pairs) p.a_by_column = a_column, p.b_by_row = b_row;
  const bool free_layouts = kind == Kind::Wmma && (family_of(*a) != Family::Int4 && family_of(*a) != Family::B1);
  if (!p.quad_pairs && !free_layouts && (a_column || b_row)) return wrong("this product takes `.row.col` only");
  if (i.has(Mod::SatFinite)) {
    if (p.d != Accumulator::S32) return wrong("`.satfinite` is for integers only");
    p.saturate = true;
  }
  if (Mod rounding = i.first_of(ModClass::Rounding); rounding != Mod::None) {
    if (p.a != Element::F64) return wrong("a rounding is for .f64 only");
    p.rounding = rounding == Mod::Rz ? 1 : rounding == Mod::Rm ? 2 : rounding == Mod::Rp ? 3 : 0;
  }
  p.exclusive_or = i.has(Mod::Xor);
  p.sparse = kind == Kind::MmaSp;
  form.ptx_version = row->ptx_version, form.sm = row->sm;
  if (i.has(Mod::BlockScale)) {
    if (std::string problem = read_scales(i, form); !problem.empty()) return wrong(std::move(problem));
  }
  if (p.a == Element::B1 && !p.exclusive_or) form.ptx_version = 71, form.sm = 80;
  // f16 sums of 8-bit floats came later than f32 ones (9.7.14.5.14); for sparse matrices with sm_120 alone, and with
  // ordered metadata.
  if (family == Family::F8 && p.d == Accumulator::F16) {
    form.ptx_version = std::max(form.ptx_version, 87u);
    if (i.op == Op::mma_sp) return wrong("sums in .f16 of sparse 8-bit floats need `.sp::ordered_metadata`");
    if (p.sparse) form.sm = 120;
  }
  if (p.sparse) {
    const unsigned bits = numerics::format_of(p.a).bits, chunks = p.k / (bits == 32 ? 2u : bits == 4 ? 8u : 4u);
    const unsigned selectors = chunks == 4 ? 4 : chunks == 8 ? 2 : 1;
    const uint64_t selector = i.operands.size() > 5 ? i.operands[5].bits : 0;
    if (selector >= selectors)
      return wrong(fmt::format("the selector is {}; this product has {}", selector,
                               selectors == 1 ? "only 0" : fmt::format("0 to {}", selectors - 1)));
    p.selector = static_cast<uint8_t>(selector);
  }
  form.a_registers = registers_of(kind, p, 'a'), form.b_registers = registers_of(kind, p, 'b');
  form.c_registers = registers_of(kind, p, 'c'), form.d_registers = registers_of(kind, p, 'd');
  return form;
}

std::optional<MovedMatrices> moved_matrices(const Instruction& i) {
  using numerics::ByteMatrix;
  const unsigned count = i.has(Mod::X4) ? 4 : i.has(Mod::X2) ? 2 : 1;
  const unsigned packed = i.has(Mod::B6x16P32) ? 6 : i.has(Mod::B4x16P64) ? 4 : 8;
  switch (i.op) {
    case Op::ldmatrix:
    case Op::stmatrix:
      return MovedMatrices{8 * count, count, 16, std::nullopt};
    case Op::ldmatrix_b8:
    case Op::ldmatrix_packed_trans:
      return MovedMatrices{16 * count, 2 * count, packed, ByteMatrix::Load16x16Transposed};
    case Op::ldmatrix_packed:
      return MovedMatrices{8 * count, count, packed, ByteMatrix::Load8x16};
    case Op::stmatrix_b8:
      return MovedMatrices{8 * count, count, 8, ByteMatrix::Store16x8Transposed};
    default:
      return std::nullopt;
  }
}

std::optional<FragmentForm> fragment_form(const Instruction& i, std::string* why) {
  FragmentForm form;
  if (i.op == Op::wmma_store)
    form.operand = 'd';
  else
    form.operand = i.has(Mod::MatrixA) ? 'a' : i.has(Mod::MatrixB) ? 'b' : 'c';
  const bool multiplicand = form.operand == 'a' || form.operand == 'b';
  const Mod shape = shape_of(i);
  const std::optional<Element> element = element_of(i.type(0));
  const std::optional<Accumulator> sum = accumulator_of(i.type(0));
  for (const Row& row : kRows) {
    if (row.kind != Kind::Wmma || row.shape != shape) continue;
    Product& p = form.product;
    if (multiplicand) {
      if (!element || row.family != family_of(*element)) continue;
      p.a = p.b = *element;
    } else {
      if (!sum || !sums_fit(row.sums, *sum, *sum)) continue;
      p.c = p.d = *sum;
      if (p.c == Accumulator::F64) p.a = p.b = Element::F64;
    }
    set_shape(p, shape);
    form.by_column = i.mods[i.spec().slot("layout")] == Mod::Col;
    const bool fixed = multiplicand && (row.family == Family::Int4 || row.family == Family::B1);
    if (fixed && form.by_column != (form.operand == 'b')) {
      if (why) *why = "a is by row and b by column for this type";
      return std::nullopt;
    }
    form.registers = registers_of(Kind::Wmma, p, form.operand);
    const unsigned words = form.operand == 'a' ? p.a_words() : form.operand == 'b' ? p.b_words() : p.c_words();
    form.distinct = register_type(p, form.operand) == Type::F64 ? words / 2 : words;
    form.ptx_version = row.ptx_version, form.sm = row.sm;
    return form;
  }
  if (why) *why = fmt::format("there is no fragment of .{} with .{}", text_of(shape), name_of(i.type(0)));
  return std::nullopt;
}

}  // namespace warpwise::ptx
