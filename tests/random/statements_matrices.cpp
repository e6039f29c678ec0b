// Matrices: products of a warp (mma, sparse mma, wmma with its loads and stores) and of a warpgroup (wgmma), and
// matrices that are moved (ldmatrix, stmatrix, movmatrix). A warp's tile is memory of its own; code that writes to it
// ends with bar.warp.sync, so code that reads it finds it written.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "statements.h"

namespace warpwise::random_programs {

namespace {

const char* own_class(std::string_view type) { return type == "f64" ? "fd" : type == "f32" ? "f" : "r"; }

std::string registers(const char* name, unsigned count) {
  std::vector<std::string> names;
  for (unsigned k = 0; k < count; ++k) names.push_back(fmt::format("%{}{}", name, k));
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

std::string declaration(const char* name, const Fragment& f) {
  return fmt::format(".reg .{} %{}<{}>;", f.type, name, f.registers);
}

}  // namespace

void Leaves::fill_fragment(std::vector<std::string>& lines, const char* name, const Fragment& f) {
  lines.push_back(declaration(name, f));
  for (unsigned k = 0; k < f.registers; ++k)
    lines.push_back(fmt::format("mov.{} %{}{}, {};", f.type, name, k, reg(own_class(f.type))));
}

// Three of a fragment's registers go where the program keeps its own; all of them meet in one word. (Each engine has
// NaNs of its own for doubles.)
void Leaves::keep_fragment(std::vector<std::string>& lines, const char* name, const Fragment& f) {
  const unsigned first = choose_.below(f.registers);
  for (unsigned k = 0; k < std::min(f.registers, 3u); ++k) {
    lines.push_back(fmt::format("mov.{} %{}{}, %{}{};", f.type, own_class(f.type), k, name, (first + k) % f.registers));
  }
  if (std::string_view(f.type) == "f64") return;
  const std::string word = r();
  for (unsigned k = 0; k < f.registers; ++k) {
    lines.push_back(fmt::format("mov.b32 %x, %{}{};", name, k));
    lines.push_back(fmt::format("xor.b32 {0}, {0}, %x;", word));
  }
}

// --- products of a warp's registers -------------------------------------------------------------

// Fragments of whatever lies in registers; where the result goes there are fewer registers than it has.
Statement Leaves::matrix_product() {
  const MatrixProduct& p = choose_.of(choose_.of(vocabulary_.products(consumer_ && choose_.one_in(2))));
  std::vector<std::string> lines = {"{", declaration("md", p.d)};
  fill_fragment(lines, "ma", p.a);
  fill_fragment(lines, "mb", p.b);
  fill_fragment(lines, "mc", p.c);
  std::string metadata, scales;
  if (p.selectors != 0) {
    // Which elements are kept: of four two, in order; of two one (PTX ISA 9.7.14.6.1). Lanes choose between two words.
    constexpr uint32_t kPairs[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe}, kSingles[] = {0x4, 0xe};
    uint32_t words[2] = {};
    for (uint32_t& word : words)
      for (unsigned k = 0; k < 8; ++k)
        word |= (p.pairs_alternate ? kSingles[choose_.below(2)] : kPairs[choose_.below(6)]) << (4 * k);
    lines.push_back(".reg .b32 %meta;");
    lines.push_back(fmt::format("selp.b32 %meta, {:#x}, {:#x}, {};", words[0], words[1], this->p()));
    metadata = fmt::format(", %meta, {}", choose_.below(p.selectors));
  }
  if (p.scale_vectors != 0) {
    // Powers of two that are not far apart, or any bits; which byte and which threads as numbers or in registers.
    lines.push_back(".reg .b32 %scale<2>;\n  .reg .b16 %at<4>;");
    for (unsigned n = 0; n < 2; ++n)
      lines.push_back(choose_.one_in(4) ? fmt::format("mov.b32 %scale{}, {};", n, r())
                                        : fmt::format("lop3.b32 %scale{}, {}, 0x0f0f0f0f, 0x78787878, 0xea;", n, r()));
    const unsigned limits[] = {4 / p.scale_vectors, 2, 4 / p.scale_vectors, 4};
    std::string at[4];
    for (unsigned n = 0; n < 4; ++n) {
      at[n] = std::to_string(choose_.below(limits[n]) * (n % 2 == 0 ? p.scale_vectors : 1));
      if (!choose_.one_in(3)) continue;
      lines.push_back(fmt::format("mov.b16 %at{}, {};", n, at[n]));
      at[n] = fmt::format("%at{}", n);
    }
    scales = fmt::format(", %scale0, {{{}, {}}}, %scale1, {{{}, {}}}", at[0], at[1], at[2], at[3]);
  }
  lines.push_back(fmt::format("{} {}, {}, {}, {}{}{};", p.instruction, registers("md", p.d.registers),
                              registers("ma", p.a.registers), registers("mb", p.b.registers),
                              registers("mc", p.c.registers), metadata, scales));
  keep_fragment(lines, "md", p.d);
  lines.push_back("}");
  return code(std::move(lines));
}

// --- wmma ---------------------------------------------------------------------------------------

namespace {

// A line of a matrix after the other: the distance in elements, a multiple of 16 bytes (PTX ISA 9.7.14.4.3).
struct Lines {
  unsigned distance = 0, bytes = 0;
};
Lines lines_of(Choose& choose, const WmmaProduct::Matrix& m, unsigned room) {
  const unsigned unit = 128 / m.bits, least = (m.line() + unit - 1) / unit * unit;
  Lines l;
  do {
    l.distance = least + unit * choose.below(3);
    l.bytes = ((m.lines() - 1) * l.distance + m.line()) * m.bits / 8;
  } while (l.bytes > room);
  return l;
}

}  // namespace

Statement Leaves::wmma_product() {
  WmmaProduct p = choose_.of(vocabulary_.wmma());
  p.c.by_column = choose_.one_in(2), p.d.by_column = choose_.one_in(2);
  std::vector<std::string> lines = {"{", ".reg .b64 %place;", declaration("md", p.d)};
  constexpr const char* kLayouts[] = {"row", "col"};
  for (auto [name, m] : {std::pair{"ma", &p.a}, std::pair{"mb", &p.b}, std::pair{"mc", &p.c}}) {
    lines.push_back(declaration(name, *m));
    // From the inputs or from the warp's tile, through its own window or the generic one.
    const bool from_tile = choose_.one_in(2), generic = choose_.one_in(3);
    const Lines l = lines_of(choose_, *m, kTileBytes);
    const unsigned start = 32 * choose_.below(((from_tile ? kTileBytes : kInputs * 8) - l.bytes) / 32 + 1);
    std::string place = fmt::format("[%tile+{}]", start);
    if (!from_tile) place = fmt::format("[%in+{}]", start);
    if (from_tile && generic) {
      lines.push_back("cvt.u64.u32 %place, %tile;");
      lines.push_back("cvta.shared.u64 %place, %place;");
      place = fmt::format("[%place+{}]", start);
    }
    std::string distance = l.distance == m->line() && choose_.one_in(2) ? "" : fmt::format(", {}", l.distance);
    lines.push_back(fmt::format("wmma.load.{}.sync.aligned.{}.{}{}.{} {}, {}{};", m->name, kLayouts[m->by_column],
                                p.shape,
                                generic     ? ""
                                : from_tile ? ".shared"
                                            : ".global",
                                m->type_name, registers(name, m->registers), place, distance));
  }
  lines.push_back(fmt::format("{} {}, {}, {}, {};", p.instruction, registers("md", p.d.registers),
                              registers("ma", p.a.registers), registers("mb", p.b.registers),
                              registers("mc", p.c.registers)));
  keep_fragment(lines, "md", p.d);
  if (choose_.one_in(2)) {
    const Lines l = lines_of(choose_, p.d, kTileBytes);
    const unsigned start = 32 * choose_.below((kTileBytes - l.bytes) / 32 + 1);
    lines.push_back("bar.warp.sync 0xffffffff;");
    lines.push_back(fmt::format("wmma.store.d.sync.aligned.{}.{}.shared.{} [%tile+{}], {}, {};",
                                kLayouts[p.d.by_column], p.shape, p.d.type_name, start, registers("md", p.d.registers),
                                l.distance));
    lines.push_back("bar.warp.sync 0xffffffff;");
    if (p.d.bits == 64) {  // settled before the program sees the bits of a NaN
      lines.push_back(
          fmt::format("mad.lo.u32 %z, %lane, 8, %tile;\n  ld.shared.f64 {}, [%z+{}];\n  bar.warp.sync 0xffffffff;",
                      reg("fd"), 256 * choose_.below(8)));
      for (unsigned at = 0; at < kTileBytes; at += 256)
        lines.push_back(fmt::format("st.shared.b64 [%z+{}], 0x3ff8000000000000;", at));
      lines.push_back("bar.warp.sync 0xffffffff;");
    } else {
      lines.push_back(
          fmt::format("mad.lo.u32 %z, %lane, 4, %tile;\n  ld.shared.b32 {}, [%z+{}];", r(), 128 * choose_.below(16)));
      lines.push_back("bar.warp.sync 0xffffffff;");
    }
  }
  lines.push_back("}");
  return code(std::move(lines));
}

// --- matrices that are moved --------------------------------------------------------------------

// Rows of eight halves, at addresses that lanes bring; or of sixteen bytes, or what is packed into as many bits or
// fewer.
Statement Leaves::move_matrices() {
  if (choose_.one_in(4)) return code({fmt::format("movmatrix.sync.aligned.m8n8.trans.b16 {}, {};", r(), r())});
  const bool store = choose_.one_in(2), bytes = newest_ && choose_.one_in(2),
             of_16_rows = bytes && !store && choose_.one_in(2);
  const unsigned matrices = 1u << choose_.below(of_16_rows ? 2 : 3), count = of_16_rows ? 2 * matrices : matrices;
  const bool trans = bytes ? store || of_16_rows : choose_.one_in(2), generic = choose_.one_in(3);
  const std::string shape = fmt::format("{}.x{}{}",
                                        !bytes       ? "m8n8"
                                        : store      ? "m16n8"
                                        : of_16_rows ? "m16n16"
                                                     : "m8n16",
                                        matrices, trans ? ".trans" : "");
  constexpr const char* kPacked[] = {"b8x16.b6x16_p32", "b8x16.b4x16_p64"};
  const std::string_view type = !bytes                                       ? "b16"
                                : store || (of_16_rows && choose_.one_in(3)) ? "b8"
                                                                             : kPacked[choose_.below(2)];
  std::vector<std::string> names;
  for (unsigned k = 0; k < count; ++k) names.push_back(fmt::format("%r{}", k));
  std::string list = fmt::format("{{{}}}", fmt::join(names, ", ")), place = "[%z]", space = ".shared";
  std::vector<std::string> lines;
  if (store) {  // each row once: lanes in another order
    lines.push_back(fmt::format("mul.lo.u32 %x, %lane, {};", 1 + 2 * choose_.below(16)));
    lines.push_back(fmt::format("add.u32 %x, %x, {};", choose_.below(32)));
    lines.push_back("and.b32 %x, %x, 31;");
    lines.push_back(fmt::format("mad.lo.u32 %z, %x, 16, %tile;\n  add.u32 %z, %z, {};", 512 * choose_.below(4)));
  } else {
    lines.push_back(fmt::format("and.b32 %x, {}, {};", r(), kTileBytes / 16 - 1));
    lines.push_back("mad.lo.u32 %z, %x, 16, %tile;");
  }
  if (generic) {
    lines.push_back("cvt.u64.u32 %y, %z;");
    lines.push_back("cvta.shared.u64 %y, %y;");
    place = "[%y]", space = "";
  }
  if (!store) {
    lines.push_back(fmt::format("ldmatrix.sync.aligned.{}{}.{} {}, {};", shape, space, type, list, place));
  } else {
    lines.insert(lines.end(), {"bar.warp.sync 0xffffffff;",
                               fmt::format("stmatrix.sync.aligned.{}{}.{} {}, {};", shape, space, type, place, list),
                               "bar.warp.sync 0xffffffff;",
                               fmt::format("mad.lo.u32 %z, %lane, 4, %tile;\n  ld.shared.b32 {}, [%z+{}];", r(),
                                           128 * choose_.below(16)),
                               "bar.warp.sync 0xffffffff;"});
  }
  return code(std::move(lines));
}

// --- products of a warpgroup --------------------------------------------------------------------

namespace {

// A matrix in the shared memory that all threads have filled, as a descriptor says it (PTX ISA 9.7.15.5.1): where it
// begins, two distances, and how the chunks of 16 bytes within a span of so many bytes change places.
struct WarpgroupMatrix {
  uint32_t start = 0, leading = 0, stride = 0;
  unsigned swizzle = 0;  // 0: none, 1, 2, 3: spans of 128, 64, 32 bytes
  unsigned base_offset = 0;

  uint64_t distances() const {
    return uint64_t{leading / 16} << 16 | uint64_t{stride / 16} << 32 | uint64_t{base_offset} << 49 |
           uint64_t{swizzle} << 62;
  }
};

// `lines` rows of a or columns of b; `transposed`: these lie side by side, of elements of 2 bytes.
WarpgroupMatrix warpgroup_matrix(Choose& choose, unsigned lines, bool transposed) {
  constexpr uint32_t kSpans[] = {16, 128, 64, 32};
  for (;;) {
    WarpgroupMatrix m;
    m.swizzle = choose.below(4);
    if (m.swizzle && choose.one_in(4)) m.base_offset = choose.below(8);
    const uint32_t span = kSpans[m.swizzle], tile = 8 * span;
    m.leading = (m.swizzle ? tile : 128) * (1 + choose.below(4));
    m.stride = (m.swizzle ? tile : 128) * (1 + choose.below(4));
    uint32_t bytes = (lines / 8 - 1) * m.stride + tile + m.leading;
    if (transposed)
      bytes = m.swizzle ? (lines * 2 + span - 1) / span * m.leading + m.stride + tile
                        : lines / 8 * m.stride + m.leading + tile;
    if (bytes > kOperandBytes) continue;
    m.start = choose.below((kOperandBytes - bytes) / tile + 1) * tile;
    if (m.swizzle && !transposed) m.start += 32 * choose.below(span / 32);  // further along k
    if (m.start + bytes <= kOperandBytes) return m;
  }
}

// Whether b has room for twice the k that warpgroup_matrix() counts: 64 bytes.
bool fits_sparse(const WarpgroupMatrix& m, unsigned columns, bool transposed) {
  constexpr uint32_t kSpans[] = {16, 128, 64, 32};
  const uint32_t span = kSpans[m.swizzle], tile = 8 * span;
  if (!transposed && m.swizzle == 3) return false;                             // not executed
  if (!transposed && m.swizzle && (m.start % span) + 64 > span) return false;  // it would leave its span
  uint32_t bytes = (columns / 8 - 1) * m.stride + tile + 3 * m.leading;
  if (transposed)
    bytes = m.swizzle ? (columns * 2 + span - 1) / span * m.leading + 3 * m.stride + tile
                      : columns / 8 * m.stride + 3 * m.leading + tile;
  return m.start + bytes <= kOperandBytes;
}

}  // namespace

Statement Leaves::warpgroup_product() {
  struct Kind {
    const char* types;
    unsigned k;
    bool halves, signs;  // may be transposed; may be negated
    const char* sum;
  };
  constexpr Kind kKinds[] = {{"f16.f16.f16", 16, true, true, "f16"},    {"f32.f16.f16", 16, true, true, "f32"},
                             {"f32.bf16.bf16", 16, true, true, "f32"},  {"f32.tf32.tf32", 8, false, true, "f32"},
                             {"f16.e4m3.e5m2", 32, false, true, "f16"}, {"f32.e5m2.e4m3", 32, false, true, "f32"},
                             {"f32.e4m3.e4m3", 32, false, true, "f32"}, {"f16.e5m2.e5m2", 32, false, true, "f16"},
                             {"s32.s8.u8", 32, false, false, "s32"},    {"s32.u8.s8", 32, false, false, "s32"},
                             {"s32.s8.s8", 32, false, false, "s32"},    {"s32.u8.u8", 32, false, false, "s32"},
                             {"s32.b1.b1", 256, false, false, "s32"}};
  // Of tf32 and of bits there is one kind each, and rows of their own.
  const Kind& kind = kKinds[choose_.one_in(4) ? (choose_.one_in(3) ? 12 : 3) : choose_.below(std::size(kKinds))];
  unsigned n = 8 * (1 + choose_.below(choose_.one_in(8) ? 32 : 8));
  const bool integers = std::string_view(kind.sum) == "s32";
  if (integers && n > 32 && n % 16 != 0) n -= 8;  // integers have fewer shapes (PTX ISA 9.7.15.2)
  const Fragment d{std::string_view(kind.sum) == "f32" ? "f32" : "b32",
                   std::string_view(kind.sum) == "f16" ? n / 4 : n / 2};
  const bool a_in_registers = choose_.one_in(3), transpose_a = kind.halves && !a_in_registers && choose_.one_in(3),
             transpose_b = kind.halves && choose_.one_in(3);
  // Half of a, with metadata: of tf32 an index is 4 or 14, else two of them stand in order in each nibble.
  const bool sparse = kind.k <= 32 && choose_.one_in(2);
  std::vector<std::string> lines = {"{", ".reg .b64 %at, %da, %db;", ".reg .pred %accumulate;", ".reg .b32 %metadata;"};
  if (sparse && kind.k == 8) {
    lines.push_back(
        fmt::format("and.b32 %metadata, {}, 0x22222222;\n  mad.lo.u32 %metadata, %metadata, 5, 0x44444444;", r()));
  } else if (sparse) {
    lines.push_back(fmt::format("and.b32 %metadata, {}, 0x11111111;\n  or.b32 %metadata, %metadata, 0xcccccccc;", r()));
  }
  fill_fragment(lines, "md", d);
  auto descriptor = [&](const char* name, const WarpgroupMatrix& m) {
    lines.insert(
        lines.end(),
        {fmt::format("mov.u32 %z, operands;\n  add.u32 %z, %z, {};\n  shr.u32 %z, %z, 4;\n  cvt.u64.u32 %at, %z;",
                     m.start),
         fmt::format("or.b64 {}, %at, {:#x};", name, m.distances())});
  };
  std::string a = "%da", signs, sides;
  if (a_in_registers) {
    fill_fragment(lines, "ma", {"b32", 4});
    a = registers("ma", 4);
  } else {
    descriptor("%da", warpgroup_matrix(choose_, 64, transpose_a));
  }
  WarpgroupMatrix b = warpgroup_matrix(choose_, n, transpose_b);
  while (sparse && !fits_sparse(b, n, transpose_b)) b = warpgroup_matrix(choose_, n, transpose_b);
  descriptor("%db", b);
  if (kind.signs) signs = fmt::format(", {}, {}", choose_.one_in(2) ? 1 : -1, choose_.one_in(2) ? 1 : -1);
  if (kind.halves)
    sides = a_in_registers ? fmt::format(", {:d}", transpose_b) : fmt::format(", {:d}, {:d}", transpose_a, transpose_b);
  const bool bits = kind.k == 256, saturates = integers && !bits && choose_.one_in(2);
  lines.insert(
      lines.end(),
      {fmt::format("setp.{}.u32 %accumulate, 0, 0;", choose_.one_in(4) ? "ne" : "eq"), "wgmma.fence.sync.aligned;",
       fmt::format("wgmma.mma_async{}.sync.aligned.m64n{}k{}{}.{}{} {}, {}, %db{}, %accumulate{}{};",
                   sparse ? ".sp" : "", n, sparse ? 2 * kind.k : kind.k, saturates ? ".satfinite" : "", kind.types,
                   bits ? ".and.popc" : "", registers("md", d.registers), a,
                   sparse ? fmt::format(", %metadata, {}", kind.k == 32 ? 0 : choose_.below(2)) : "", signs, sides),
       "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;"});
  keep_fragment(lines, "md", d);
  lines.push_back("}");
  return code(std::move(lines));
}

}  // namespace warpwise::random_programs
